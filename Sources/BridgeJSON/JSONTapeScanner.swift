internal import BridgeValues

/// A scanner that creates the tape of a text in one pass.
struct JSONTapeScanner: ~Copyable {
    let units: UnsafePointer<UInt16>
    let end: Int
    let limits: BridgeLimits
    var position: Int
    var tape: JSONTape
    private var nodes = 0
    private var depth = 0

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - units: The text.
    ///   - range: The part of the text to scan.
    ///   - limits: The limits on the length, the depth and the number of values.
    ///   - fillsRange: Whether the value is expected to fill the range, which determines the initial capacity.
    /// - Throws: `limitExceeded` if the text is longer than the limit, before anything is allocated for it.
    init(
        _ units: UnsafeBufferPointer<UInt16>,
        in range: Range<Int>,
        limits: BridgeLimits,
        fillsRange: Bool = true
    ) throws(BridgeError) {
        // Tokens have 32 bits for indexes and counts of units.
        let maximumLength = min(limits.maximumMessageLength, Int(UInt32.max) - 1)
        guard range.count <= maximumLength, range.upperBound <= Int(UInt32.max) - 1 else {
            throw BridgeError(
                .limitExceeded,
                "A JSON text may have \(maximumLength) units, this one has \(range.count)."
            )
        }
        // An empty buffer may have no address; its units are never read.
        self.units =
            units.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<UInt16>.alignment).unsafelyUnwrapped
        self.limits = limits
        position = range.lowerBound
        end = range.upperBound
        tape = JSONTape(expectedUnits: fillsRange ? range.count : 0)
    }

    /// The unit at the position, or 0 at the end.
    ///
    /// A NUL in the text is not a valid token either.
    @inline(__always) var current: UInt16 { position < end ? units[position] : 0 }

    @inline(__always)
    mutating func skipSpace() {
        while position < end, units[position].isSpace { position += 1 }
    }

    func unexpected(_ wanted: String) -> BridgeError {
        let found = position < end ? "found \(units[position].shown)" : "the text ended"
        return BridgeError(.decodeFailed, "Not JSON at unit \(position): expected \(wanted), \(found).")
    }

    /// Scans a text that is one value with optional whitespace around it.
    mutating func scanAll() throws(BridgeError) {
        try scanValue()
        skipSpace()
        guard position == end else { throw unexpected("the end of the text") }
    }

    /// Scans one value and stops after it.
    ///
    /// - Throws: `decodeFailed` for a text that is not JSON, `limitExceeded` beyond the depth or the number of values.
    mutating func scanValue() throws(BridgeError) {
        var parent = JSONToken.none
        while true {
            skipSpace()
            nodes += 1
            guard nodes <= limits.maximumNodes else { throw .tooManyValues(limit: limits.maximumNodes) }
            switch current {
            case .quote: _ = try appendText(.text)
            case .openBrace:
                parent = try open(.object, in: parent)
                if current != .closeBrace {
                    try appendKey(in: parent)
                    continue
                }
                position += 1
                parent = close(parent)
            case .openBracket:
                parent = try open(.array, in: parent)
                if current != .closeBracket { continue }
                position += 1
                parent = close(parent)
            default: try appendWord()
            }
            // The value may be the last of its container, which may be the last of its own container, and so on.
            while true {
                guard parent != JSONToken.none else { return }
                tape.tokens[Int(parent)].count += 1
                if position < end, units[position].isSpace { skipSpace() }
                if tape.tokens[Int(parent)].kind == .object {
                    if current == .comma {
                        position += 1
                        try appendKey(in: parent)
                        break
                    }
                    guard current == .closeBrace else { throw unexpected("\",\" or \"}\"") }
                } else {
                    if current == .comma {
                        position += 1
                        break
                    }
                    guard current == .closeBracket else { throw unexpected("\",\" or \"]\"") }
                }
                position += 1
                parent = close(parent)
            }
        }
    }

    private mutating func open(_ kind: JSONToken.Kind, in parent: UInt32) throws(BridgeError) -> UInt32 {
        depth += 1
        guard depth <= limits.maximumDepth else { throw .tooDeep(limit: limits.maximumDepth) }
        position += 1
        let container = tape.append(JSONToken(start: 0, count: 0, next: parent, kind: kind, traits: []))
        skipSpace()
        return container
    }

    private mutating func close(_ container: UInt32) -> UInt32 {
        depth -= 1
        let parent = tape.tokens[Int(container)].next
        tape.tokens[Int(container)].next = tape.count
        tape.tokens[Int(container)].start = container + 1
        return parent
    }
}

// MARK: - Keys

extension JSONTapeScanner {
    /// The maximum number of members of an object whose keys are compared one by one.
    static let scannedCount: UInt32 = 16

    private mutating func appendKey(in object: UInt32) throws(BridgeError) {
        if current.isSpace { skipSpace() }
        guard current == .quote else { throw unexpected("a key in quotes") }
        let key = try appendText(.key)
        if current != .colon {
            skipSpace()
            guard current == .colon else { throw unexpected("\":\"") }
        }
        position += 1
        let tokens = tape.tokens
        guard !tokens[Int(object)].traits.contains(.indexed) else { return }
        guard tokens[Int(key)].traits.isEmpty, tokens[Int(object)].count < Self.scannedCount else {
            tokens[Int(object)].traits.insert(.indexed)
            return
        }
        let number = hash(of: tokens[Int(key)])
        tokens[Int(key)].next = number
        let bit = UInt32(1) << (number >> 27)
        if tokens[Int(object)].start & bit != 0, hasKey(equalTo: key, in: object) {
            tokens[Int(object)].traits.insert(.indexed)
        }
        tokens[Int(object)].start |= bit
    }

    /// Returns a hash of a key, which distinguishes nearly all keys of one object.
    @inline(__always)
    private func hash(of key: JSONToken) -> UInt32 {
        let first = units + Int(key.start)
        let count = Int(key.count)
        var mixed = UInt64(count)
        if count >= 4 {
            let head = UnsafeRawPointer(first).loadUnaligned(as: UInt64.self)
            let tail = UnsafeRawPointer(first + count - 4).loadUnaligned(as: UInt64.self)
            mixed = (head ^ mixed) &* 0x9E37_79B9_7F4A_7C15 ^ tail
        } else {
            for index in 0..<count { mixed = mixed << 16 | UInt64(first[index]) }
        }
        mixed = (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
        return UInt32(truncatingIfNeeded: mixed >> 32)
    }

    private func hasKey(equalTo key: UInt32, in object: UInt32) -> Bool {
        let tokens = tape.tokens
        let wanted = tokens[Int(key)]
        var other = object + 1
        while other < key {
            let found = tokens[Int(other)]
            if found.next == wanted.next, found.count == wanted.count,
                (0..<Int(found.count)).allSatisfy({
                    units[Int(found.start) + $0] == units[Int(wanted.start) + $0]
                })
            {
                return true
            }
            other = tokens[Int(other) + 1].next
        }
        return false
    }
}
