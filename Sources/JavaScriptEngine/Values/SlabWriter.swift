internal import BridgeValues
internal import Foundation

/// A writer of values into the slab, from which the script builds them.
///
/// Each context has one and reuses it. Writing a value runs no script, but its `encode(to:)` is user code. It may do
/// anything, and even create another value meanwhile: ``JSContext/writing(_:)`` keeps the two values apart.
struct SlabWriter {
    /// The state that changes with every cell.
    ///
    /// It is behind a pointer: a class reference would be counted at every step, and accesses to a class's members
    /// would be checked for exclusivity each time.
    fileprivate struct State {
        /// The slab, which owns the writer.
        var slab: Unmanaged<ValueSlab>?
        /// The interned strings.
        let known = InternedStrings()
        var cells: UnsafeMutablePointer<Double>
        var cellCapacity: Int
        var used = 0
        var units: UnsafeMutablePointer<UInt16>
        var unitCount = 0
        var unitCapacity = 512
        /// The pieces in which the strings cross.
        var pieces = SlabPieces()
        var nodes = 0
        var depth = 0
        var maximumDepth = 0
        /// The number of values around the present one that have it as their whole content.
        var wrappers = 0
        var maximumNodes = 0
        /// The number of bytes of strings and data in the payload; ``maximumSize`` is its limit.
        var size = 0
        var maximumSize = 0
        /// The values that accompany the slab.
        var attachments: [SlabAttachment] = []
        /// A Boolean value that indicates whether a value is being written.
        var isOpen = false
        /// A Boolean value that indicates whether the cells belong to the value itself, because another value was built
        /// in the middle of it.
        var isAside = false
        // A value in the middle of another one must not change the indices that the other one uses.
        var usesKnown = true
        /// The number of the payload that is being written; ``payloadCount`` is the highest number so far.
        var payload: UInt64 = 0
        var payloadCount: UInt64 = 0
    }

    private let state: UnsafeMutablePointer<State>

    /// Creates the writer of a slab, which owns it and calls ``deallocate()``.
    init(cells: UnsafeMutablePointer<Double>, capacity: Int) {
        state = .allocate(capacity: 1)
        state.initialize(
            to: State(cells: cells, cellCapacity: capacity, units: .allocate(capacity: 512))
        )
    }

    /// Connects the writer to the slab that owns it.
    func join(_ slab: ValueSlab) { state.pointee.slab = .passUnretained(slab) }

    /// Reloads the address and capacity of the slab's cells.
    @inline(__always)
    private func refresh() {
        state.pointee.slab?._withUnsafeGuaranteedRef { slab in
            state.pointee.cells = slab.incoming
            state.pointee.cellCapacity = slab.incomingCapacity
        }
    }

    /// Frees the memory.
    func deallocate() {
        state.pointee.known.deallocate()
        state.pointee.units.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The interned strings.
    var known: InternedStrings { state.pointee.known }

    /// The values that accompany the slab.
    var attachments: [SlabAttachment] { state.pointee.attachments }

    /// The short strings of everything written, joined.
    var text: UnsafeBufferPointer<UInt16> {
        UnsafeBufferPointer(start: state.pointee.units, count: state.pointee.unitCount)
    }

    /// A Boolean value that indicates whether the strings cross as one string.
    var isSinglePiece: Bool { state.pointee.pieces.isSingle }

    /// The pieces in which the strings cross.
    var pieces: SlabPieces { state.pointee.pieces }

    /// The number of bytes of the strings of everything written.
    var textSize: Int { (state.pointee.unitCount + state.pointee.pieces.longCount) * 2 }

    /// The number of cells that are written.
    var used: Int { state.pointee.used }

    /// A suspended value, during whose writing another one began.
    struct Interruption {
        fileprivate let state: State
    }

    /// Begins a value.
    @inline(__always)
    func begin(of machine: JSVirtualMachine) {
        state.pointee.isOpen = true
        state.pointee.payloadCount += 1
        state.pointee.payload = state.pointee.payloadCount
        refresh()
        state.pointee.used = 0
        state.pointee.unitCount = 0
        state.pointee.nodes = 0
        state.pointee.depth = 0
        state.pointee.wrappers = 0
        state.pointee.maximumDepth = machine.maximumDepth
        state.pointee.maximumNodes = machine.maximumNodes
        state.pointee.size = 0
        state.pointee.maximumSize = machine.maximumPayloadBytes
    }

    /// Begins another value after those that are written.
    @inline(__always)
    func beginNext() {
        state.pointee.nodes = 0
        state.pointee.size = 0
        state.pointee.depth = 0
    }

    /// A Boolean value that indicates whether a value is being written.
    var isOpen: Bool { state.pointee.isOpen }

    /// Suspends the value that is being written, because another value begins in the middle of it; `nil` if no value is
    /// being written.
    @inline(__always)
    func interrupt() -> Interruption? { state.pointee.isOpen ? moveAside() : nil }

    private func moveAside() -> Interruption {
        var aside = state.pointee
        if !aside.isAside {
            // The script's cells are for the new value. The suspended value continues in its own cells.
            let own = UnsafeMutablePointer<Double>.allocate(capacity: aside.cellCapacity)
            own.update(from: aside.cells, count: aside.used)
            aside.cells = own
            aside.isAside = true
        }
        state.pointee.isAside = false
        state.pointee.units = .allocate(capacity: 512)
        state.pointee.unitCapacity = 512
        state.pointee.attachments = []
        state.pointee.pieces = SlabPieces()
        // The suspended value refers to interned strings by their indices, which must not change.
        state.pointee.usesKnown = false
        return Interruption(state: aside)
    }

    /// Ends a value.
    @inline(__always)
    func end() {
        state.pointee.isOpen = false
        if !state.pointee.attachments.isEmpty { state.pointee.attachments = [] }
        state.pointee.pieces.removeAll()
        // Memory for a large string must not be kept permanently.
        if state.pointee.unitCapacity > 1 << 20 { replaceUnits(capacity: 512, keeping: 0) }
    }

    /// Resumes a suspended value.
    func resume(_ interruption: Interruption) {
        let payloadCount = state.pointee.payloadCount
        state.pointee.units.deallocate()
        state.pointee = interruption.state
        state.pointee.payloadCount = payloadCount
    }

    /// Copies a value that was suspended back to the cells that the script reads.
    @inline(__always)
    func finish() { if state.pointee.isAside { copyBack() } }

    private func copyBack() {
        let own = state.pointee.cells
        state.pointee.slab?._withUnsafeGuaranteedRef { slab in
            slab.reserveIncoming(used, used: 0)
            slab.incoming.update(from: own, count: used)
        }
        dropAside()
        refresh()
    }

    /// Frees a suspended value's own cells without building the value.
    func dropAside() {
        guard state.pointee.isAside else { return }
        state.pointee.cells.deallocate()
        state.pointee.isAside = false
    }

    /// A position in the output to rewind to.
    struct Mark {
        fileprivate let used: Int
        fileprivate let unitCount: Int
        fileprivate let attachmentCount: Int
        fileprivate let pieces: SlabPieces.Mark
        fileprivate let nodes: Int
        fileprivate let size: Int
        fileprivate let depth: Int
    }

    /// The current position.
    var mark: Mark {
        Mark(
            used: used,
            unitCount: state.pointee.unitCount,
            attachmentCount: state.pointee.attachments.count,
            pieces: state.pointee.pieces.mark,
            nodes: state.pointee.nodes,
            size: state.pointee.size,
            depth: state.pointee.depth
        )
    }

    /// Removes everything that was written since a position.
    func rewind(to mark: Mark) {
        state.pointee.used = mark.used
        state.pointee.unitCount = mark.unitCount
        if state.pointee.attachments.count > mark.attachmentCount {
            state.pointee.attachments.removeLast(attachments.count - mark.attachmentCount)
        }
        if state.pointee.pieces.mark != mark.pieces { state.pointee.pieces.rewind(to: mark.pieces) }
        state.pointee.nodes = mark.nodes
        state.pointee.size = mark.size
        state.pointee.depth = mark.depth
    }

    // MARK: Cells and strings

    @inline(__always)
    func put(_ cell: Double) {
        let used = state.pointee.used
        if used >= state.pointee.cellCapacity { grow(by: 1) }
        state.pointee.cells[used] = cell
        state.pointee.used = used + 1
    }

    private func grow(by count: Int) {
        guard !state.pointee.isAside else {
            let capacity = max(state.pointee.cellCapacity * 2, used + count)
            let larger = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
            larger.update(from: state.pointee.cells, count: used)
            state.pointee.cells.deallocate()
            state.pointee.cells = larger
            state.pointee.cellCapacity = capacity
            return
        }
        state.pointee.slab?._withUnsafeGuaranteedRef { $0.reserveIncoming(used + count, used: used) }
        refresh()
    }

    /// Adds cells and returns them for the caller to fill.
    func reserve(_ count: Int) -> UnsafeMutablePointer<Double> {
        if used + count > state.pointee.cellCapacity { grow(by: count) }
        defer { state.pointee.used += count }
        return state.pointee.cells + used
    }

    /// Removes the last cell.
    func removeLastCell() { state.pointee.used -= 1 }

    @inline(__always)
    func put(_ tag: Double, _ cell: Double) {
        put(tag)
        put(cell)
    }

    /// Replaces a cell that was already written.
    func replace(_ index: Int, by cell: Double) { state.pointee.cells[index] = cell }

    /// Writes a string: its length into a cell and its units beside the cells, or the index at which the script has it.
    ///
    /// - Throws: ``BridgeError`` if the payload exceeds its size limit.
    @inline(__always)
    func put(text: String) throws {
        var text = text
        if text.utf8.count > SlabPieces.maximumLength { return try putLong(&text) }
        let cell = try text.withUTF8 { bytes in
            if bytes.count <= InternedStrings.maximumLength, bytes.count > 0, state.pointee.usesKnown {
                switch state.pointee.known.cell(of: InternedStrings.Key(bytes), in: state.pointee.payload) {
                case .known(let place):
                    try spend(bytes.count * 2)
                    return -1 - Double(place)
                case .remember(let place): return Double(try widen(bytes)) + Double(place + 1) * 4_294_967_296
                case .new: break
                }
            }
            return Double(try widen(bytes))
        }
        put(cell)
    }

    /// Writes a string of ASCII that is longer than those that are interned.
    ///
    /// - Throws: ``BridgeError`` if the payload exceeds its size limit.
    func put(ascii bytes: UnsafeBufferPointer<UInt8>) throws { put(Double(try widen(bytes))) }

    /// Writes a string that crosses by itself, once however often it occurs.
    @inline(never)
    private func putLong(_ text: inout String) throws {
        if let place = state.pointee.pieces.place(ofLong: &text) {
            try spend(state.pointee.pieces.lengthOfLong(at: place) * 2)
            return put(Self.cell(ofLong: place))
        }
        // The size is checked first, so that only a string that may cross is copied.
        let length = text.utf16.count
        try spend(length * 2)
        put(Self.cell(ofLong: state.pointee.pieces.addLong(text, length: length)))
    }

    private static func cell(ofLong place: Int) -> Double { Double(-1 - InternedStrings.count - place) }

    @inline(__always)
    private func widen(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Int {
        let isASCII = EngineString.isASCII(bytes)
        state.pointee.pieces.makeRoom(for: bytes.count, isASCII: isASCII, at: state.pointee.unitCount)
        reserveUnits(bytes.count)
        let start = state.pointee.units + state.pointee.unitCount
        let target = UnsafeMutableBufferPointer(start: start, count: max(bytes.count, 1))
        let count = EngineString.widen(bytes, isASCII: isASCII, into: target)
        try spend(count * 2)
        state.pointee.unitCount += count
        return count
    }

    @inline(__always)
    private func putUnit(_ unit: UInt16) {
        state.pointee.units[state.pointee.unitCount] = unit
        state.pointee.unitCount += 1
    }

    @inline(__always)
    private func reserveUnits(_ count: Int) {
        let needed = state.pointee.unitCount + count
        if needed > state.pointee.unitCapacity {
            replaceUnits(
                capacity: max(needed, state.pointee.unitCapacity * 2),
                keeping: state.pointee.unitCount
            )
        }
    }

    private func replaceUnits(capacity: Int, keeping count: Int) {
        let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
        larger.update(from: state.pointee.units, count: count)
        state.pointee.units.deallocate()
        state.pointee.units = larger
        state.pointee.unitCapacity = capacity
    }

    // MARK: Limits

    /// Counts values that are about to be written.
    ///
    /// - Throws: ``BridgeError`` if the payload has too many.
    @inline(__always)
    func count(_ count: Int = 1) throws {
        state.pointee.nodes += count
        if state.pointee.nodes > state.pointee.maximumNodes {
            throw BridgeError.tooManyValues(limit: state.pointee.maximumNodes)
        }
    }

    /// Counts bytes of strings and data that are about to be written.
    ///
    /// - Throws: ``BridgeError`` if the payload exceeds its size limit.
    @inline(__always)
    func spend(_ bytes: Int) throws {
        state.pointee.size += bytes
        if state.pointee.size > state.pointee.maximumSize {
            throw BridgeError.payloadTooLarge(state.pointee.maximumSize)
        }
    }

    /// Enters a container.
    ///
    /// - Throws: ``BridgeError`` if it nests too deep.
    @inline(__always)
    func enter() throws {
        guard state.pointee.depth < state.pointee.maximumDepth else {
            throw BridgeError.tooDeep(limit: state.pointee.maximumDepth)
        }
        state.pointee.depth += 1
    }

    /// Enters a container whose depth ``checkDepth()`` checks.
    @inline(__always)
    func enterUnchecked() { state.pointee.depth += 1 }

    /// Checks the depth of the present container.
    ///
    /// - Throws: ``BridgeError`` if it nests too deep.
    @inline(__always)
    func checkDepth() throws {
        guard state.pointee.depth <= state.pointee.maximumDepth else {
            throw BridgeError.tooDeep(limit: state.pointee.maximumDepth)
        }
    }

    /// Leaves a container.
    @inline(__always)
    func leave() { state.pointee.depth -= 1 }

    /// Runs a body that writes the whole content of a value that has no container.
    ///
    /// - Throws: ``BridgeError`` if such values nest too deep, which uses the native stack.
    func wrapping(_ body: () throws -> Void) throws {
        guard state.pointee.wrappers < state.pointee.maximumDepth else {
            throw BridgeError.tooDeep(limit: state.pointee.maximumDepth)
        }
        state.pointee.wrappers += 1
        defer { state.pointee.wrappers -= 1 }
        try body()
    }
}

extension SlabWriter {
    /// Writes a value.
    ///
    /// The open containers are in an array and not on the stack, of which a script that calls native code may have left
    /// little.
    ///
    /// - Throws: ``BridgeError`` if the value nests too deep or exceeds another limit.
    func write(_ value: Value) throws {
        var open: [Container] = []
        guard var current = try writeHead(of: value) else { return }
        while true {
            var inner: Container?
            switch current {
            case .array(var elements):
                while inner == nil, let element = elements.next() { inner = try writeHead(of: element) }
                current = .array(elements)
            case .object(var members):
                while inner == nil, let member = members.next() {
                    try put(text: member.key)
                    inner = try writeHead(of: member.value)
                }
                current = .object(members)
            }
            if let inner {
                open.append(current)
                current = inner
            } else {
                leave()
                guard let outer = open.popLast() else { return }
                current = outer
            }
        }
    }

    /// The remaining content of a container.
    private enum Container {
        case array(IndexingIterator<[Value]>)
        case object(IndexingIterator<[ValueObject.Member]>)
    }

    /// Writes a value of the script itself, which crosses unchanged.
    func write(_ value: JSValue) throws {
        try count()
        put(ValueSlab.Tag.bytes)
        state.pointee.attachments.append(.value(value))
    }

    /// Writes a scalar, or the head of a container whose content must then be written.
    private func writeHead(of value: Value) throws -> Container? {
        try count()
        switch value {
        case .undefined: put(ValueSlab.Tag.undefined)
        case .null: put(ValueSlab.Tag.null)
        case .bool(let flag): put(flag ? ValueSlab.Tag.true : ValueSlab.Tag.false)
        case .integer(let number):
            if number.magnitude <= UInt64(Value.maximumSafeInteger) {
                put(ValueSlab.Tag.number, Double(number))
            } else {
                put(ValueSlab.Tag.bigInt)
                try put(text: String(number))
            }
        case .double(let number): put(ValueSlab.Tag.number, number)
        case .bigInt(let digits):
            // Checked here, because the script reads the values of a batch in one pass.
            guard EngineString.isDecimal(digits) else {
                throw BridgeError(.encodeFailed, "A BigInt consists of decimal digits.")
            }
            put(ValueSlab.Tag.bigInt)
            try put(text: digits)
        case .string(let text):
            put(ValueSlab.Tag.string)
            try put(text: text)
        case .illFormedString(let text):
            try spend(text.count * 2)
            put(ValueSlab.Tag.string)
            if text.count > SlabPieces.maximumLength {
                put(Self.cell(ofLong: state.pointee.pieces.addLong(text)))
                return nil
            }
            state.pointee.pieces.makeRoom(for: text.count, isASCII: false, at: state.pointee.unitCount)
            put(Double(text.count))
            reserveUnits(text.count)
            for unit in text { putUnit(unit) }
        case .date(let date): put(ValueSlab.Tag.date, date.javaScriptMilliseconds ?? .nan)
        case .bytes(let data):
            try spend(data.count)
            put(ValueSlab.Tag.bytes)
            state.pointee.attachments.append(.bytes(data))
        case .array(let elements):
            try enter()
            put(ValueSlab.Tag.array, Double(elements.count))
            return .array(elements.makeIterator())
        case .object(let object):
            try enter()
            put(ValueSlab.Tag.object, Double(object.count))
            return .object(object.members.makeIterator())
        case .reference(let reference):
            guard let references = state.pointee.slab?.takeUnretainedValue().references else {
                throw BridgeError(.unsupported, Value.noReference)
            }
            let value = try references.value(of: reference)
            put(ValueSlab.Tag.bytes)
            state.pointee.attachments.append(.value(value))
        }
        return nil
    }
}

extension JSContext {
    /// Runs a body that writes one value, and returns the engine strings that belong to the cells.
    ///
    /// The other arguments of `build` are then prepared.
    ///
    /// A turn must be open, and the value must be built before anything else is written.
    func writing(_ body: (SlabWriter) throws -> Void) throws -> EncodedValue {
        let writer = slab.writer
        let interruption = writer.interrupt()
        writer.begin(of: virtualMachine)
        defer {
            writer.dropAside()
            writer.end()
            if let interruption { writer.resume(interruption) }
        }
        try body(writer)
        return try finishWriting(writer)
    }

    /// The writer of the slab.
    var slabWriter: SlabWriter { slab.writer }

    /// Completes the writing of the values to build, and returns the engine strings that belong to the cells.
    ///
    /// The result is one string with all of them joined, or an array of pieces.
    func finishWriting(_ writer: SlabWriter) throws -> EncodedValue {
        writer.finish()
        if slab.incomingIsNew {
            do {
                try call(script.refreshIncoming, [])
            } catch {
                slab.abandonIncoming()
                throw error
            }
        }
        if !writer.attachments.isEmpty { try share(writer.attachments) }
        return writer.isSinglePiece
            ? makeString(of: writer.text) : try makePieces(writer.pieces, of: writer.text)
    }
}

/// A value that cells cannot hold, which crosses in an array beside them.
enum SlabAttachment {
    /// Bytes, which become a typed array.
    case bytes(Data)
    /// A value of the script.
    case value(JSValue)
}
