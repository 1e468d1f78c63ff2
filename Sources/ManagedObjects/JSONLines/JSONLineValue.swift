internal import Foundation
internal import Stores

/// A JSON value with its position in the line.
struct JSONLineValue {
    /// The kind of a JSON value.
    enum Kind {
        case null
        case boolean(Bool)
        /// A number as written in the file.
        case number(String)
        case string(String)
        case array([JSONLineValue])
        case object([(key: String, value: JSONLineValue)])

        var name: String {
            switch self {
            case .null: "null"
            case .boolean: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        }
    }

    let kind: Kind
    /// The column at which the value begins: 1 plus the number of characters before it in its line.
    let column: Int

    /// Returns the value of an object's member.
    func member(_ key: String) -> JSONLineValue? {
        guard case .object(let members) = kind else { return nil }
        return members.first { $0.key == key }?.value
    }
}

/// A problem of a line, with its column.
struct JSONLineError: Error {
    let column: Int
    let problem: String

    init(_ column: Int, _ problem: String) {
        self.column = column
        self.problem = problem
    }
}

/// A parser for one line of JSON according to RFC 8259.
///
/// Violations are errors with their column.
struct JSONLineParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    /// A position up to which characters were counted, and its column.
    private var counted = (place: 0, column: 1)
    /// The number of bytes read to count columns.
    private(set) var countedBytes = 0

    /// The maximum nesting depth of arrays and objects.
    private static let maximumDepth = 16

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Parses the whole line.
    mutating func read() throws -> JSONLineValue {
        skipSpace()
        let value = try readValue()
        skipSpace()
        guard position == bytes.count else { throw failure("unexpected text after the value") }
        return value
    }

    private func failure(_ problem: String, at place: Int? = nil) -> JSONLineError {
        JSONLineError(column(place ?? position), problem)
    }

    private func column(_ place: Int) -> Int {
        let end = min(place, bytes.count)
        let start = counted.place <= end ? counted : (place: 0, column: 1)
        // Continuation bytes are not characters of their own.
        return bytes[start.place..<end].count { $0 & 0xC0 != 0x80 } + start.column
    }

    /// Returns the column of the current position.
    ///
    /// It continues from the last counted position; values begin in ascending order, so each byte is counted once.
    private mutating func nextColumn() -> Int {
        countedBytes += position - counted.place
        counted = (position, column(position))
        return counted.column
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func readValue() throws -> JSONLineValue {
        guard let byte = next else { throw failure("a value is missing") }
        // Computed before the nested values, whose columns are larger.
        let column = nextColumn()
        let kind: JSONLineValue.Kind
        switch byte {
        case UInt8(ascii: "{"): kind = .object(try nested { try $0.readMembers() })
        case UInt8(ascii: "["): kind = .array(try nested { try $0.readElements() })
        case UInt8(ascii: "\""): kind = .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): kind = .number(try readNumber())
        default:
            let words: [(String, JSONLineValue.Kind)] = [
                ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)),
            ]
            guard let word = words.first(where: { bytes[position...].starts(with: $0.0.utf8) }) else {
                throw failure("not a JSON value")
            }
            position += word.0.utf8.count
            kind = word.1
        }
        return JSONLineValue(kind: kind, column: column)
    }

    private mutating func nested<Result>(_ body: (inout JSONLineParser) throws -> Result) throws -> Result {
        guard depth < Self.maximumDepth else {
            throw failure("values nested too deeply (limit \(Self.maximumDepth))")
        }
        depth += 1
        defer { depth -= 1 }
        position += 1
        skipSpace()
        return try body(&self)
    }

    private mutating func readMembers() throws -> [(key: String, value: JSONLineValue)] {
        var members: [(key: String, value: JSONLineValue)] = []
        var keys: Set<[UInt8]> = []
        if take(UInt8(ascii: "}")) { return [] }
        while true {
            let start = position
            guard next == UInt8(ascii: "\"") else { throw failure("a key is missing") }
            let key = try readString()
            guard keys.insert(Array(key.utf8)).inserted else {
                throw failure("duplicate key \(MessageText.quoted(key))", at: start)
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("':' is missing") }
            skipSpace()
            members.append((key, try readValue()))
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw failure("',' or '}' is missing") }
            skipSpace()
        }
    }

    private mutating func readElements() throws -> [JSONLineValue] {
        var elements: [JSONLineValue] = []
        if take(UInt8(ascii: "]")) { return [] }
        while true {
            elements.append(try readValue())
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw failure("',' or ']' is missing") }
            skipSpace()
        }
    }

    private mutating func readNumber() throws -> String {
        let start = position
        func digits(_ scanner: inout JSONLineParser) throws {
            let first = scanner.position
            while let byte = scanner.next, (0x30...0x39).contains(byte) { scanner.position += 1 }
            guard scanner.position > first else { throw scanner.failure("a digit is missing") }
        }
        _ = take(UInt8(ascii: "-"))
        let first = position
        try digits(&self)
        guard bytes[first] != 0x30 || position == first + 1 else {
            throw failure("a number cannot begin with 0", at: first)
        }
        if take(UInt8(ascii: ".")) { try digits(&self) }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits(&self)
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readString() throws -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while true {
            guard let byte = next else { throw failure("unterminated string", at: start) }
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("a string is not UTF-8", at: start)
                }
                return string
            case UInt8(ascii: "\\"): try readEscape(into: &text)
            case ..<0x20: throw failure("a string has a control character", at: position - 1)
            default: text.append(byte)
            }
        }
    }

    private mutating func readEscape(into text: inout [UInt8]) throws {
        let start = position - 1
        guard let byte = next else { throw failure("unterminated string", at: start) }
        position += 1
        let plain: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
        ]
        if let character = plain[byte] { return text.append(character) }
        guard byte == UInt8(ascii: "u") else { throw failure("unknown escape sequence", at: start) }
        var code = try readUnit(start)
        if (0xD800...0xDBFF).contains(code) {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw failure("unpaired surrogate", at: start)
            }
            let low = try readUnit(start)
            guard (0xDC00...0xDFFF).contains(low) else { throw failure("unpaired surrogate", at: start) }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("unpaired surrogate", at: start) }
        text += Array(String(scalar).utf8)
    }

    private mutating func readUnit(_ start: Int) throws -> UInt32 {
        let digits = bytes[position..<min(position + 4, bytes.count)]
        // Checked one by one, because `UInt32.init` would accept a sign.
        let areDigits = digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        guard digits.count == 4, areDigits,
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("a Unicode escape needs four hexadecimal digits", at: start) }
        position += 4
        return code
    }
}

/// A writer of JSON values for one line.
enum JSONLineWriter {
    static func append(_ text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
            case ..<0x20: line += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\""))
    }

    static func append(_ value: AttributeValue, to line: inout [UInt8]) {
        switch value {
        case .null: line += Array("null".utf8)
        case .boolean(let flag): line += Array((flag ? "true" : "false").utf8)
        case .integer(let number): line += Array(String(number).utf8)
        case .double(let number): append(number, to: &line)
        case .date(let date): append(date.timeIntervalSince1970, to: &line)
        case .string(let text): append(text, to: &line)
        case .data(let bytes): append(bytes.base64EncodedString(), to: &line)
        }
    }

    // JSON has no infinities, so they are written as strings.
    private static func append(_ number: Double, to line: inout [UInt8]) {
        if number.isFinite {
            line += Array(String(number).utf8)
        } else {
            append(number < 0 ? "-inf" : "inf", to: &line)
        }
    }
}

extension AttributeDescription {
    /// Converts a JSON value to a value of this attribute.
    func value(of text: JSONLineValue) throws -> AttributeValue {
        switch (type, text.kind) {
        case (_, .null): return .null
        case (.boolean, .boolean(let flag)): return .boolean(flag)
        case (.integer, .number(let digits)):
            if let number = Int64(digits) { return .integer(number) }
        case (.double, .number(let digits)), (.date, .number(let digits)):
            if let number = Double(digits), number.isFinite { return number.value(type) }
        case (.double, .string("inf")), (.date, .string("inf")): return Double.infinity.value(type)
        case (.double, .string("-inf")), (.date, .string("-inf")): return (-Double.infinity).value(type)
        case (.string, .string(let string)): return .string(string)
        case (.data, .string(let string)):
            if let bytes = Data(base64Encoded: string) { return .data(bytes) }
        default: break
        }
        throw JSONLineError(
            text.column,
            "\(MessageText.quoted(name)) is a \(type.rawValue), not \(text.kind.name)"
        )
    }
}

extension Double {
    fileprivate func value(_ type: AttributeType) -> AttributeValue {
        type == .date ? .date(Date(timeIntervalSince1970: self)) : .double(self)
    }
}
