internal import BridgeValues
internal import CJavaScriptCore

/// The strings of a payload as they cross: short ones joined into pieces, and each long one by itself.
///
/// The script cuts its strings out of the pieces, and the engine keeps a whole piece as long as it keeps one of its
/// strings. Pieces are therefore short. A long string crosses once, however often the payload contains it.
struct SlabPieces {
    /// The number of units that a piece has at most, unless it is one string: 352 bytes.
    ///
    /// A process grows by 600-840 bytes for each string that a script keeps of a payload of its own; with 832 bytes it was
    /// 1,430-2,970, and an array of rows crossed 3-7 % faster.
    static let maximumLength = 176

    /// The same maximum for a piece of ASCII, whose units may take one byte each.
    private let maximumASCIILength = NarrowStrings.areEnabled ? 2 * maximumLength : maximumLength
    /// A Boolean value that indicates whether the current piece is ASCII so far.
    private var isASCII = true
    /// The index of the current piece's first unit in the slab.
    private(set) var start = 0
    /// The ends of the preceding pieces.
    private(set) var ends: [Int] = []
    /// The long strings, each created for the engine at its first occurrence.
    private(set) var long: [Long] = []
    /// The number of units of the long strings.
    private(set) var longCount = 0
    /// The indices of long strings by the address of their characters.
    private var places: [Int: Int] = [:]

    /// A string that crosses by itself.
    struct Long {
        // Retains the characters, so that no other string can have their address.
        let source: String?
        let address: Int
        let length: Int
        let string: JSStringRef
    }

    /// A state to rewind to.
    struct Mark: Equatable {
        fileprivate let endCount: Int
        fileprivate let longCount: Int
    }

    /// A Boolean value that indicates whether all strings are in one piece, which may be empty.
    @inline(__always)
    var isSingle: Bool { ends.isEmpty && long.isEmpty }

    /// The current state.
    @inline(__always)
    var mark: Mark { Mark(endCount: ends.count, longCount: long.count) }

    /// Prepares for a string after the existing units, and begins a new piece if the current one would become too long.
    @inline(__always)
    mutating func makeRoom(for length: Int, isASCII isStringASCII: Bool, at unit: Int) {
        if !isStringASCII { isASCII = false }
        guard unit + length - start > (isASCII ? maximumASCIILength : Self.maximumLength), unit > start else {
            return
        }
        end(at: unit)
        isASCII = isStringASCII
    }

    private mutating func end(at unit: Int) {
        ends.append(unit)
        start = unit
    }

    /// Returns the index of a long string that has already occurred.
    func place(ofLong text: inout String) -> Int? {
        let (address, count) = Self.storage(of: &text)
        guard let place = places[address], long[place].source?.utf8.count == count else { return nil }
        return place
    }

    /// Returns the number of units of a long string.
    func lengthOfLong(at place: Int) -> Int { long[place].length }

    /// Adds a string and returns its index.
    mutating func addLong(_ text: String, length: Int) -> Int {
        var source = text
        let (address, _) = Self.storage(of: &source)
        places[address] = long.count
        return add(Long(source: source, address: address, length: length, string: EngineString.make(source)))
    }

    /// Adds units that no `String` can hold and returns their index.
    mutating func addLong(_ units: [UInt16]) -> Int {
        let string = units.withUnsafeBufferPointer { EngineString.make($0) }
        return add(Long(source: nil, address: 0, length: units.count, string: string))
    }

    private mutating func add(_ added: Long) -> Int {
        long.append(added)
        longCount += added.length
        return long.count - 1
    }

    private static func storage(of text: inout String) -> (address: Int, count: Int) {
        text.withUTF8 { (Int(bitPattern: $0.baseAddress), $0.count) }
    }

    /// Removes the additions since a state.
    mutating func rewind(to mark: Mark) {
        ends.removeLast(ends.count - mark.endCount)
        start = ends.last ?? 0
        isASCII = false
        while long.count > mark.longCount { dropLong() }
    }

    /// Removes everything.
    mutating func removeAll() {
        isASCII = true
        guard !isSingle else { return }
        ends = []
        start = 0
        while !long.isEmpty { dropLong() }
    }

    private mutating func dropLong() {
        let last = long.removeLast()
        JSStringRelease(last.string)
        longCount -= last.length
        if last.source != nil { places[last.address] = nil }
    }
}

extension JSContext {
    /// Creates the array from which the script takes the strings.
    ///
    /// It has the pieces first, in their order, and then the long strings in reverse order.
    func makePieces(_ pieces: SlabPieces, of units: UnsafeBufferPointer<UInt16>) throws -> EncodedValue {
        let joinedCount = pieces.ends.count + 1
        var exception: JSValueRef?
        let array = try withReferences(
            joinedCount + pieces.long.count,
            making: { index in
                if index < joinedCount {
                    let start = index > 0 ? pieces.ends[index - 1] : 0
                    let end = index < pieces.ends.count ? pieces.ends[index] : units.count
                    return makeString(of: UnsafeBufferPointer(rebasing: units[start..<end])).ref
                }
                return JSValueMakeString(
                    ref,
                    pieces.long[pieces.long.count - 1 - (index - joinedCount)].string
                )
            },
            { JSObjectMakeArray(ref, $0.count, $0.baseAddress, &exception) }
        )
        guard let array else { throw self.exception(from: exception) }
        return EncodedValue(array)
    }

    /// Makes the texts that a script cuts many strings out of, short enough that a string which it keeps keeps little.
    ///
    /// - Parameters:
    ///   - units: The code units of all strings, one string behind the other.
    ///   - ends: Where each string ends in these, after a zero.
    /// - Returns: An array of the texts, and two numbers for each entry of `ends`: the index of the text that the string
    ///   is part of, and where it ends in this text. It begins where the one before it ends if both are of one text, else
    ///   at zero.
    /// - Throws: What the engine throws where it cannot make the array.
    package func makePieces(
        of units: UnsafeBufferPointer<UInt16>,
        ends: [Int32]
    ) throws -> (texts: JSValue, ends: [Int32]) {
        var pieces = SlabPieces()
        var positions: [Int32] = [0, 0]
        positions.reserveCapacity(ends.count * 2)
        var start = 0
        for end in ends.dropFirst() {
            let string = units[start..<Int(end)]
            pieces.makeRoom(
                for: string.count,
                isASCII: EngineString.isASCII(UnsafeBufferPointer(rebasing: string)),
                at: start
            )
            start = Int(end)
            positions.append(Int32(truncatingIfNeeded: pieces.ends.count))
            positions.append(Int32(truncatingIfNeeded: start - pieces.start))
        }
        return (try withTurn { JSValue(encoded: try makePieces(pieces, of: units), in: self) }, positions)
    }
}

extension BridgeError {
    /// Creates the error of a payload that exceeds its size limit.
    static func payloadTooLarge(_ limit: Int) -> BridgeError {
        BridgeError(
            .limitExceeded,
            "the strings and data of a payload may take \(limit) bytes, those of this one take more"
        )
    }
}
