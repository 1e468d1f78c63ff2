internal import BridgeValues

/// The buffer of a JSON text that is being written: its code units, and the open containers.
///
/// The encoders and containers of one encoding share it. They write directly into the text, as types usually write one
/// container after the other. A type that returns to a finished container, or writes a key twice, makes the text
/// *irregular*: it is discarded and encoded again through ``Value``, which is mutable.
final class JSONSink {
    /// An open container.
    struct Frame {
        let isObject: Bool
        /// The number of the value that the container is; a second container of the same encoder is the same one.
        let slot: UInt32
        var count: UInt32 = 0
        /// The start of the last member's key, its quote included.
        var lastKey = 0
        /// The index of the object's first key in ``keyNumbers``.
        let firstKey: Int
        /// The hashes of the keys, where they are too many to be compared one by one.
        var manyKeys: Set<UInt64>?
    }

    // Exclusivity checks are off: no access overlaps another.
    @exclusivity(unchecked) var units: UnsafeMutablePointer<UInt16>
    @exclusivity(unchecked) var count = 0
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) var frames: [Frame] = []
    @exclusivity(unchecked) private var keyNumbers: [UInt64] = []
    @exclusivity(unchecked) private var nodes = 0
    @exclusivity(unchecked) private var lastSlot: UInt32 = 0
    /// The number of values in progress that are the whole content of others: these open no container.
    @exclusivity(unchecked) private var wrappers = 0
    /// The value that was announced and not written yet, or 0.
    @exclusivity(unchecked) var pendingSlot: UInt32 = 0
    /// A Boolean value that indicates whether the text cannot be written in one pass.
    @exclusivity(unchecked) var isIrregular = false
    /// The limit error that occurred where nothing could be thrown.
    @exclusivity(unchecked) var failure: BridgeError?
    let configuration: JSONTextEncoder.Configuration
    /// The extension values of the parts that JSON lacks, where the reader supports them.
    @exclusivity(unchecked) var places: ExtensionValues?

    init(_ configuration: JSONTextEncoder.Configuration, capacity: Int) {
        self.configuration = configuration
        self.capacity = capacity
        units = .allocate(capacity: capacity)
        frames.reserveCapacity(8)
    }

    deinit { units.deallocate() }

    /// Reserves space for units at the end.
    ///
    /// - Throws: `limitExceeded`, before memory is allocated, if the text exceeds its limit.
    @inline(__always)
    func reserve(_ additional: Int) throws {
        if count + additional > capacity { try grow(additional) }
    }

    @inline(never)
    private func grow(_ additional: Int) throws {
        // At most six times the written length is reserved. A text within the limit is therefore never refused: the
        // exact length is checked when it is known.
        guard count <= configuration.limits.maximumMessageLength else { throw tooLong }
        capacity = max(capacity * 2, count + additional)
        let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
        larger.moveInitialize(from: units, count: count)
        units.deallocate()
        units = larger
    }

    private var tooLong: BridgeError {
        BridgeError(
            .limitExceeded,
            "A message may have \(configuration.limits.maximumMessageLength) units, this one has \(count) or more."
        )
    }

    func checkLength() throws {
        guard count <= configuration.limits.maximumMessageLength else { throw tooLong }
    }

    @inline(__always)
    func put(_ unit: UInt16) throws {
        try reserve(1)
        units[count] = unit
        count += 1
    }

    /// Counts a value.
    @inline(__always)
    func countNode() throws {
        nodes += 1
        guard nodes <= configuration.limits.maximumNodes else {
            throw BridgeError.tooManyValues(limit: configuration.limits.maximumNodes)
        }
    }

    // MARK: Values that are announced

    /// Begins a container that an encoder requests; a second one of the same encoder is the first one again.
    func begin(isObject: Bool, slot: UInt32, level: Int) {
        guard !isIrregular else { return }
        if pendingSlot == slot, frames.count == level {
            pendingSlot = 0
            attempt { try open(isObject: isObject, slot: slot) }
        } else if frames.count <= level || frames[level].slot != slot || frames[level].isObject != isObject {
            isIrregular = true
        }
    }

    /// Runs a body that may reach a limit where nothing can be thrown.
    @inline(__always)
    func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            fail(error)
        }
    }

    /// Records the limit error permanently, so that a type which catches it cannot hide it.
    func fail(_ error: any Error) {
        guard let error = error as? BridgeError, error.code == .limitExceeded else { return }
        if failure == nil { failure = error }
        isIrregular = true
    }

    /// Announces a value that an encoder will write, and returns its number.
    @inline(__always)
    func announce() -> UInt32 {
        lastSlot += 1
        pendingSlot = lastSlot
        return lastSlot
    }

    /// Ends the output of an encoder: no output at all becomes an empty object, as in ``ValueEncoder``.
    @inline(__always)
    func settle(_ slot: UInt32, level: Int) throws {
        guard !isIrregular else { return }
        // An encoder for `super` that was never used also counts as no output.
        if pendingSlot != 0 {
            pendingSlot = 0
            try open(isObject: true, slot: slot)
        }
        if frames.count > level { try close(to: level) }
    }

    // MARK: Containers

    @inline(__always)
    func open(isObject: Bool, slot: UInt32) throws {
        try countNode()
        guard frames.count < configuration.limits.maximumDepth else { throw tooDeep }
        try put(isObject ? .openBrace : .openBracket)
        frames.append(Frame(isObject: isObject, slot: slot, firstKey: keyNumbers.count))
    }

    private var tooDeep: BridgeError { .tooDeep(limit: configuration.limits.maximumDepth) }

    /// Encodes a value that is the whole content of another.
    func encode(content value: some Encodable) throws {
        guard wrappers < configuration.limits.maximumDepth else { throw tooDeep }
        wrappers += 1
        defer { wrappers -= 1 }
        try encode(value)
    }

    /// Closes the containers above a level.
    func close(to level: Int) throws {
        while let frame = frames.last, frames.count > level {
            try put(frame.isObject ? .closeBrace : .closeBracket)
            keyNumbers.removeLast(keyNumbers.count - frame.firstKey)
            frames.removeLast()
        }
    }

    /// Makes a container the innermost open one, for writing.
    ///
    /// - Returns: Whether that is possible; otherwise the text is irregular.
    @inline(__always)
    func focus(_ level: Int, slot: UInt32) throws -> Bool {
        if frames.count == level + 1, frames[level].slot == slot, pendingSlot == 0 { return !isIrregular }
        return try refocus(level, slot: slot)
    }

    @inline(never)
    private func refocus(_ level: Int, slot: UInt32) throws -> Bool {
        guard !isIrregular, pendingSlot == 0, frames.count > level, frames[level].slot == slot else {
            isIrregular = true
            return false
        }
        try close(to: level + 1)
        return true
    }

    /// Writes the separator before an element of the innermost container.
    @inline(__always)
    func beginElement() throws {
        let top = frames.count - 1
        if frames[top].count > 0 { try put(.comma) }
        frames[top].count += 1
    }

    /// Writes the separator and the key of a member of the innermost container.
    @inline(__always)
    func beginMember(_ key: String) throws {
        let top = frames.count - 1
        if frames[top].count > 0 { try put(.comma) }
        frames[top].count += 1
        let start = count
        frames[top].lastKey = start
        try write(text: places == nil ? key : escaped(key))
        note(keyFrom: start, to: count, top)
        try put(.colon)
    }

    private static let comparedCount = 16

    /// Records the hash of a key, and whether the object has it already.
    ///
    /// Two different keys with the same hash also make the text irregular, which is rare and still correct.
    @inline(__always)
    private func note(keyFrom start: Int, to end: Int, _ top: Int) {
        var number = UInt64(end - start)
        var index = start
        while index < end {
            number = (number ^ UInt64(units[index])) &* 0x9E37_79B9_7F4A_7C15
            number ^= number >> 32
            index += 1
        }
        let first = frames[top].firstKey
        guard keyNumbers.count - first < Self.comparedCount else { return noteMany(number, top) }
        for other in first..<keyNumbers.count where keyNumbers[other] == number { isIrregular = true }
        keyNumbers.append(number)
    }

    @inline(never)
    private func noteMany(_ number: UInt64, _ top: Int) {
        if frames[top].manyKeys == nil { frames[top].manyKeys = Set(keyNumbers[frames[top].firstKey...]) }
        if frames[top].manyKeys?.insert(number).inserted == false { isIrregular = true }
    }

    // MARK: Going back

    /// A position in the text to which it can be rewound.
    struct Mark {
        let count: Int
        let level: Int
        let members: UInt32
        let keys: Int
        let nodes: Int
    }

    var mark: Mark {
        Mark(
            count: count,
            level: frames.count,
            members: frames.last?.count ?? 0,
            keys: keyNumbers.count,
            nodes: nodes
        )
    }

    /// Discards the output since a mark, for a member whose encoding failed.
    func rewind(to mark: Mark) {
        guard frames.count >= mark.level, keyNumbers.count >= mark.keys else {
            isIrregular = true
            return
        }
        count = mark.count
        frames.removeLast(frames.count - mark.level)
        if let top = frames.indices.last {
            // The set of many keys still contains the discarded key; encoding through Value handles its return.
            if frames[top].manyKeys != nil { isIrregular = true }
            frames[top].count = mark.members
        }
        keyNumbers.removeLast(keyNumbers.count - mark.keys)
        nodes = mark.nodes
        pendingSlot = 0
    }

    // MARK: Paths

    /// Returns the coding path of a value at a level; it is parsed from the text, so that only errors pay for it.
    func path(to level: Int) -> [any CodingKey] {
        frames.prefix(level).compactMap { frame -> (any CodingKey)? in
            guard frame.count > 0 else { return nil }
            guard frame.isObject else { return IndexKey(Int(frame.count) - 1) }
            var end = frame.lastKey + 1
            while end < count, units[end] != .quote { end += units[end] == .backslash ? 2 : 1 }
            guard end <= count else { return nil }
            return JSONMemberKey(
                JSONText(units: UnsafePointer(units + frame.lastKey + 1), count: end - frame.lastKey - 1)
                    .string
            )
        }
    }
}
