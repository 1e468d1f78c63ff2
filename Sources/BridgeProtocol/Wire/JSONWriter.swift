internal import BridgeJSON
internal import BridgeValues

/// A writer of ``Value``s as JSON text, by JavaScript's rules where JSON has none (P64).
///
/// `undefined` leaves its member out, and is `null` in an array. NaN and infinities are `null`, a date is its ISO
/// string, and bytes are an object of indexes. In addition, a whole number beyond 2^53 is written with all its digits,
/// so that nothing is rounded. The text never contains a lone surrogate, U+2028 or U+2029, which are escaped.
struct JSONWriter {
    private var bytes: [UInt8] = []
    private let limits: BridgeLimits
    private let isPretty: Bool
    private var nodes = 0
    private var indentation = 0

    init(limits: BridgeLimits = BridgeLimits(), isPretty: Bool = false) {
        self.limits = limits
        self.isPretty = isPretty
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - nesting: The number of containers of the payload around it.
    /// - Throws: `limitExceeded` beyond the depth, the number of values or the length.
    mutating func write(_ value: Value, nesting: Int = 0) throws(BridgeError) {
        try count()
        switch value {
        case .undefined, .null: write("null")
        case .bool(let flag): write(flag ? "true" : "false")
        case .integer(let number): write(String(number))
        case .double(let number): write(number.isFinite ? JSNumberString(number).text : "null")
        case .bigInt(let digits): write(digits)
        case .string(let text): writeText(text.utf16)
        case .illFormedString(let units): writeText(units)
        case .date(let date):
            if let text = JSONDate(date).text { writeText(text.utf16) } else { write("null") }
        case .bytes(let data):
            try writeMembers(of: data.enumerated(), nesting: nesting + 1) {
                ("\($0.offset)", .integer(Int64($0.element)))
            }
        case .array(let elements): try writeElements(elements, nesting: nesting + 1)
        case .object(let object):
            try writeMembers(of: object.members, nesting: nesting + 1) { ($0.key, $0.value) }
        // For a log: a message has its references beside the payload.
        case .reference(let reference):
            try writeMembers(of: CollectionOfOne(reference.target.record.id), nesting: nesting + 1) {
                ("$r", .string($0))
            }
        }
    }

    /// Writes a message, an object whose own nesting does not count.
    ///
    /// A member that is `nil` is left out.
    mutating func writeMessage(_ members: [(String, Value?)]) throws(BridgeError) {
        try writeMembers(of: members, nesting: 0) { ($0.0, $0.1 ?? .undefined) }
    }

    private mutating func writeElements(_ elements: [Value], nesting: Int) throws(BridgeError) {
        try check(nesting: nesting)
        begin("[")
        for (index, element) in elements.enumerated() {
            separate(isFirst: index == 0)
            try write(element, nesting: nesting)
        }
        finish("]", isEmpty: elements.isEmpty)
    }

    private mutating func writeMembers<Members: Sequence>(
        of members: Members,
        nesting: Int,
        _ member: (Members.Element) -> (String, Value)
    ) throws(BridgeError) {
        try check(nesting: nesting)
        begin("{")
        var isEmpty = true
        for element in members {
            let (key, value) = member(element)
            if case .undefined = value { continue }
            separate(isFirst: isEmpty)
            isEmpty = false
            writeText(key.utf16)
            write(isPretty ? " : " : ":")
            try write(value, nesting: nesting)
        }
        finish("}", isEmpty: isEmpty)
    }

    private func check(nesting: Int) throws(BridgeError) {
        guard nesting <= limits.maximumDepth else { throw .tooDeep(limit: limits.maximumDepth) }
    }

    private mutating func count() throws(BridgeError) {
        nodes += 1
        guard nodes <= limits.maximumNodes else { throw .tooManyValues(limit: limits.maximumNodes) }
        // A text of n units has at most 3 n bytes, so that no text within the limit is refused.
        guard bytes.count / 3 <= limits.maximumMessageLength else {
            throw BridgeError(
                .limitExceeded,
                "A message may have \(limits.maximumMessageLength) units, this one has \(bytes.count / 3) or more."
            )
        }
    }
}

// MARK: - Parts

extension JSONWriter {
    private mutating func write(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func begin(_ bracket: String) {
        write(bracket)
        indentation += 1
    }

    private mutating func separate(isFirst: Bool) {
        if !isFirst { write(",") }
        if isPretty { write("\n" + String(repeating: "  ", count: indentation)) }
    }

    private mutating func finish(_ bracket: String, isEmpty: Bool) {
        indentation -= 1
        if isPretty, !isEmpty { write("\n" + String(repeating: "  ", count: indentation)) }
        write(bracket)
    }

    private mutating func writeText(_ units: some Collection<UInt16>) {
        write("\"")
        var high: UInt16?
        for unit in units {
            if let first = high {
                high = nil
                if unit.isLowSurrogate {
                    writeScalar(0x10000 + (UInt32(first - 0xD800) << 10 | UInt32(unit - 0xDC00)))
                    continue
                }
                writeEscape(first)
            }
            switch unit {
            case .quote: write("\\\"")
            case .backslash: write("\\\\")
            case 0x08: write("\\b")
            case 0x09: write("\\t")
            case 0x0A: write("\\n")
            case 0x0C: write("\\f")
            case 0x0D: write("\\r")
            case 0..<0x20, 0x7F, 0x2028, 0x2029, 0xDC00...0xDFFF: writeEscape(unit)
            case 0xD800...0xDBFF: high = unit
            default: writeScalar(UInt32(unit))
            }
        }
        if let high { writeEscape(high) }
        write("\"")
    }

    private mutating func writeScalar(_ scalar: UInt32) {
        if scalar < 0x80 {
            bytes.append(UInt8(scalar))
        } else if let scalar = Unicode.Scalar(scalar) {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    private mutating func writeEscape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        write("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    }

    /// Returns the one-line form of a request for a log: its name and its id, without the payload.
    static func summary(handlerName: String, callbackID: MessageID?) -> String {
        var writer = JSONWriter()
        let name = handlerName.utf16.count > 200 ? handlerName.prefix(200) + " [...]" : handlerName
        let members: [(String, Value?)] = [
            ("handlerName", .string(String(name))),
            ("callbackId", callbackID.map { .string($0.description) }),
        ]
        // Two short strings reach no limit; even then a log line without them would be useful.
        do { try writer.writeMessage(members) } catch { return "{}" }
        return writer.text
    }
}
