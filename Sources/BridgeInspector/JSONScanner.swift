internal import Foundation

/// A reader of large JSON texts, which creates no tree of values.
///
/// A heap snapshot has millions of numbers in a few arrays. A `Value` for each would take ten times the text's memory.
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of the next byte.
    private(set) var position = 0

    // Bounds the recursion for a file that consists of brackets.
    private static let maximumDepth = 256
    private var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Reads a whole text.
    ///
    /// - Throws: ``ProfilerError`` with the offset of what is not JSON, and the errors of the closure.
    static func read<Result>(
        _ text: [UInt8],
        _ body: (inout JSONScanner) throws -> Result
    ) throws -> Result {
        try text.withUnsafeBufferPointer { try read($0, body) }
    }

    /// Reads a whole text.
    static func read<Result>(_ text: String, _ body: (inout JSONScanner) throws -> Result) throws -> Result {
        var text = text
        return try text.withUTF8 { try read($0, body) }
    }

    private static func read<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (inout JSONScanner) throws -> Result
    ) throws -> Result {
        var scanner = JSONScanner(bytes)
        let result = try body(&scanner)
        guard scanner.next() == nil else { throw scanner.unexpected("the end of the text") }
        return result
    }

    // MARK: - Containers

    /// Reads an object; the closure reads or skips the value of each member.
    mutating func object(_ member: (inout JSONScanner, String) throws -> Void) throws {
        try open("{", "an object")
        defer { depth -= 1 }
        if take("}") { return }
        repeat {
            guard next() == UInt8(ascii: "\"") else { throw unexpected("the name of a member") }
            let name = try string()
            guard take(":") else { throw unexpected("':'") }
            try member(&self, name)
        } while take(",")
        guard take("}") else { throw unexpected("',' or '}'") }
    }

    /// Reads an array; the closure reads or skips each element.
    mutating func array(_ element: (inout JSONScanner) throws -> Void) throws {
        try open("[", "an array")
        defer { depth -= 1 }
        if take("]") { return }
        repeat { try element(&self) } while take(",")
        guard take("]") else { throw unexpected("',' or ']'") }
    }

    private mutating func open(_ bracket: Unicode.Scalar, _ name: String) throws {
        guard take(bracket) else { throw unexpected(name) }
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw ProfilerError("byte \(position): too many nested values (limit \(Self.maximumDepth))")
        }
    }

    /// Reads an array of integers.
    mutating func integers() throws -> [Int] {
        var numbers: [Int] = []
        try array { numbers.append(try $0.integer()) }
        return numbers
    }

    /// Reads an array of strings.
    mutating func strings() throws -> [String] {
        var strings: [String] = []
        try array { strings.append(try $0.string()) }
        return strings
    }

    /// Skips a value.
    mutating func skip() throws {
        switch next() {
        case UInt8(ascii: "{"): try object { scanner, _ in try scanner.skip() }
        case UInt8(ascii: "["): try array { try $0.skip() }
        case UInt8(ascii: "\""): _ = try stringBytes()
        case UInt8(ascii: "t"): try skip(word: "true")
        case UInt8(ascii: "f"): try skip(word: "false")
        case UInt8(ascii: "n"): try skip(word: "null")
        default: _ = try number()
        }
    }

    private mutating func skip(word: StaticString) throws {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count,
            (0..<count).allSatisfy({ bytes[position + $0] == word.utf8Start[$0] })
        else { throw unexpected("a value") }
        position += count
    }

    // MARK: - Numbers

    /// Reads an integer.
    mutating func integer() throws -> Int {
        skipSpace()
        let start = position
        let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var value = 0
        let digits = position
        while position < bytes.count {
            let digit = bytes[position] &- 0x30
            // 18 digits always fit.
            guard digit <= 9, position - digits < 18 else { break }
            value = value &* 10 &+ Int(digit)
            position += 1
        }
        guard position > digits else {
            position = start
            throw unexpected("an integer")
        }
        if position < bytes.count, continuesNumber(bytes[position]) {
            position = start
            let number = try number()
            guard let exact = Int(exactly: number) else { throw unexpected("an integer") }
            return exact
        }
        return isNegative ? -value : value
    }

    /// Reads a number.
    mutating func number() throws -> Double {
        skipSpace()
        let start = position
        while position < bytes.count, continuesNumber(bytes[position]) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            position = start
            throw unexpected("a number")
        }
        return number
    }

    // Digits, signs, the point and the exponent.
    private func continuesNumber(_ byte: UInt8) -> Bool {
        byte &- 0x30 <= 9 || byte == 0x2B || byte == 0x2D || byte == 0x2E || byte | 0x20 == 0x65
    }

    // MARK: - Strings

    /// Reads a string.
    mutating func string() throws -> String { String(decoding: try stringBytes(), as: UTF8.self) }

    /// Reads a string as its bytes in UTF-8; surrogates without a partner are replaced.
    mutating func stringBytes() throws -> [UInt8] {
        guard take("\"") else { throw unexpected("a string") }
        var result: [UInt8] = []
        while true {
            let start = position
            while position < bytes.count, bytes[position] != 0x22, bytes[position] != 0x5C { position += 1 }
            guard position < bytes.count else { throw unexpected("the end of a string") }
            result.append(contentsOf: bytes[start..<position])
            position += 1
            if bytes[position - 1] == 0x22 { return result }
            try readEscape(into: &result)
        }
    }

    private mutating func readEscape(into result: inout [UInt8]) throws {
        guard position < bytes.count else { throw unexpected("the end of a string") }
        position += 1
        switch bytes[position - 1] {
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "u"):
            var units = [try hexadecimal()]
            if UTF16.isLeadSurrogate(units[0]), position + 1 < bytes.count, bytes[position] == 0x5C,
                bytes[position + 1] == UInt8(ascii: "u")
            {
                let start = position
                position += 2
                let unit = try hexadecimal()
                if UTF16.isTrailSurrogate(unit) { units.append(unit) } else { position = start }
            }
            result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        case let byte where [0x22, 0x2F, 0x5C].contains(byte): result.append(byte)
        default:
            position -= 1
            throw unexpected("an escape")
        }
    }

    private mutating func hexadecimal() throws -> UInt16 {
        guard position + 4 <= bytes.count,
            let unit = UInt16(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw unexpected("four hexadecimal digits") }
        position += 4
        return unit
    }

    // MARK: - Bytes

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    /// Returns the next byte that is not white space, without reading it; `nil` at the end.
    mutating func next() -> UInt8? {
        skipSpace()
        return position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private func unexpected(_ expected: String) -> ProfilerError {
        guard position < bytes.count else {
            return ProfilerError("the text ends where \(expected) is expected")
        }
        return ProfilerError("byte \(position): \(expected) is expected")
    }
}
