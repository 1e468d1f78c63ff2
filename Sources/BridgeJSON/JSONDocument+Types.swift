internal import BridgeValues
internal import Foundation

extension JSONDocument {
    /// Decodes a value as a type; `place` is the token whose path errors report.
    func decode<Decoded: Decodable>(_ type: Decoded.Type, at index: UInt32, _ place: UInt32) throws -> Decoded
    {
        // Types that have their own case in ``Value``, or whose own coding is made for other formats. Comparing
        // metatypes costs a tenth of a cast.
        if type == String.self { return cast(try string(at: index, place)) }
        if type == Value.self { return cast(value(at: index)) }
        if type == Date.self { return cast(try date(at: index, place)) }
        if type == Data.self { return cast(try data(at: index, place)) }
        if type == URL.self {
            guard let url = URL(string: try string(at: index, place)) else {
                throw mismatch("a URL", at: place, index)
            }
            return cast(url)
        }
        if type == Decimal.self { return cast(try decimal(at: index, place)) }
        return try Decoded(from: JSONTokenDecoder(document: self, index: index, place: place))
    }

    /// Casts a value to its own type, which the compiler cannot prove to be the same.
    @inline(__always)
    private func cast<Special, Decoded>(_ value: Special) -> Decoded {
        unsafeBitCast(value, to: Decoded.self)
    }

    // MARK: Scalars

    func isNil(_ index: UInt32) -> Bool { tokens[Int(index)].kind == .null }

    @inline(__always)
    func bool(at index: UInt32, _ place: UInt32) throws -> Bool {
        switch tokens[Int(index)].kind {
        case .yes: return true
        case .no: return false
        default: throw mismatch("a boolean", at: place, index)
        }
    }

    @inline(__always)
    func string(at index: UInt32, _ place: UInt32) throws -> String {
        let token = tokens[Int(index)]
        guard token.kind == .text else { throw mismatch("a string", at: place, index) }
        if token.traits.contains(.illFormed), configuration.illFormedText == .fail {
            throw mismatch("a well-formed string: it has a lone surrogate", at: place, index)
        }
        return string(token)
    }

    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at index: UInt32, _ place: UInt32) throws
        -> Integer
    {
        let token = tokens[Int(index)]
        guard token.kind == .number else { throw mismatch(ExpectedNumber.whole, at: place, index) }
        guard let result = number(token).integer(type) else { throw misfit(type, at: place, index) }
        return result
    }

    @inline(__always)
    func double(at index: UInt32, _ place: UInt32) throws -> Double {
        let token = tokens[Int(index)]
        guard token.kind == .number else { throw mismatch("a number", at: place, index) }
        guard let result = number(token).exactDouble else {
            let isSmall = number(token).integer(Int64.self) != nil
            throw mismatch(isSmall ? ExpectedNumber.exact : "a number", at: place, index)
        }
        return result
    }

    func float(at index: UInt32, _ place: UInt32) throws -> Float {
        let result = Float(try double(at: index, place))
        // Rounded, as any decimal fraction is, but a finite number never becomes an infinity.
        guard result.isFinite else { throw misfit(ExpectedNumber.single, at: place, index) }
        return result
    }

    // MARK: Foundation's types

    private func date(at index: UInt32, _ place: UInt32) throws -> Date {
        let token = tokens[Int(index)]
        switch (configuration.dateStrategy, token.kind) {
        case (.iso8601, .text):
            guard let date = JSONDate(parsing: string(token))?.date else {
                throw mismatch("a date", at: place, index)
            }
            return date
        case (.millisecondsSince1970, .number):
            let date = Date(javaScriptMilliseconds: try double(at: index, place))
            guard date != .invalid else { throw misfit("a date", at: place, index) }
            return date
        default: throw mismatch("a date", at: place, index)
        }
    }

    private func data(at index: UInt32, _ place: UInt32) throws -> Data {
        let token = tokens[Int(index)]
        switch token.kind {
        case .text:
            guard let data = Data(base64Encoded: string(token)) else {
                throw mismatch("bytes in base64", at: place, index)
            }
            return data
        case .array: return try bytes(in: index, place, isObject: false)
        case .object: return try bytes(in: index, place, isObject: true)
        default: throw mismatch("bytes", at: place, index)
        }
    }

    /// Decodes bytes from an array of numbers, or from the object that `JSON.stringify` makes of a `Uint8Array`, whose
    /// keys are the indexes in order.
    private func bytes(in container: UInt32, _ place: UInt32, isObject: Bool) throws -> Data {
        var data = Data(capacity: Int(tokens[Int(container)].count))
        var token = container + 1
        while token < tokens[Int(container)].next {
            if isObject {
                guard string(tokens[Int(token)]) == String(data.count) else {
                    throw mismatch("bytes", at: place, container)
                }
                token += 1
            }
            data.append(try integer(UInt8.self, at: token, token))
            token = tokens[Int(token)].next
        }
        return data
    }

    private func decimal(at index: UInt32, _ place: UInt32) throws -> Decimal {
        let token = tokens[Int(index)]
        guard token.kind == .text || token.kind == .number,
            let decimal = Decimal(exactly: string(token))
        else { throw mismatch("a decimal number", at: place, index) }
        return decimal
    }
}
