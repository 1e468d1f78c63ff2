internal import Foundation

extension Value {
    /// Makes a string.
    public init(_ text: some StringProtocol) { self = .string(String(text)) }

    /// Makes a boolean.
    public init(_ flag: Bool) { self = .bool(flag) }

    /// Makes a number in its canonical form.
    public init(_ number: some BinaryFloatingPoint) { self = .number(Double(number)) }

    /// Makes a whole number of any size; one that a `Double` does not hold exactly is a `BigInt` in JavaScript.
    public init(_ number: some BinaryInteger) {
        self = Int64(exactly: number).map(Value.integer) ?? .bigInt(String(number))
    }

    /// Makes an array.
    public init(_ elements: [Value]) { self = .array(elements) }

    /// Makes an object, with its members in the order of their keys.
    public init(_ members: [String: Value]) {
        self = .object(ValueObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    /// Makes a value of what is known at run time only, such as a `[String: Any]`.
    ///
    /// Strings, numbers, booleans, dates, bytes, arrays, dictionaries with strings for keys, `NSNull`, the Foundation classes
    /// of all these, values and whatever is `Encodable` become what `Documentation/ValueMapping.md` says. `nil` is `null`.
    /// Members of dictionaries are in the order of their keys.
    ///
    /// - Precondition: No collection of Foundation contains itself: Foundation ends the process where it hands out
    ///   an element of such a one.
    /// - Throws: ``BridgeError`` with the code `encodeFailed` for anything else, `limitExceeded` for what nests deeper than
    ///   ``BridgeLimits/maximumDepth``. The message names the type and where it is, as `data.items[2]`.
    public init(any: Any?) throws {
        self = try AnyReader(maximumDepth: BridgeLimits().maximumDepth).value(of: any)
    }

    /// The value as Swift's and Foundation's own types: for code that was written for `[String: Any]`.
    ///
    /// `Bool`, `Int`, `Double`, `String`, `Date`, `Data`, `[Any]` and `[String: Any]`; `nil` for `null` and `undefined`, which
    /// are `NSNull` inside arrays and objects. A `BigInt` beyond `Int` and a string with lone surrogates are a `String`, and a
    /// reference is itself.
    public var anyValue: Any? {
        switch self {
        case .undefined, .null: nil
        case .bool(let flag): flag
        case .integer(let number): Int(exactly: number) ?? Double(number)
        case .double(let number): number
        case .bigInt(let digits): digits
        case .string(let text): text
        case .illFormedString(let units): String(decoding: units, as: UTF16.self)
        case .date(let date): date
        case .bytes(let data): data
        case .array(let elements): elements.map { $0.anyValue ?? NSNull() }
        case .object(let object):
            Dictionary(object.members.map { ($0.key, $0.value.anyValue ?? NSNull()) }) { $1 }
        case .reference(let reference): reference
        }
    }
}

/// Reads values whose types are known at run time only.
private struct AnyReader {
    let maximumDepth: Int
    /// The keys and indices that lead to what is read.
    private var path: [String] = []

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    func value(of any: Any?) throws -> Value {
        guard let any else { return .null }
        // An optional inside an `Any`.
        if let optional = any as? any OptionalValue { return try value(of: optional.wrapped) }
        switch any {
        case let value as Value: return value
        case is NSNull: return .null
        // Before the casts to Swift's types, which a number of Foundation may pass too.
        case let number as NSNumber where type(of: any) is NSNumber.Type: return value(of: number)
        case let text as NSString where type(of: any) is NSString.Type: return .string(text as String)
        // Also a part of one.
        case let text as any StringProtocol: return Value(text)
        case let date as Date:
            guard date.timeIntervalSince1970.isFinite else { throw error("is not a valid date") }
            return .date(date)
        case let date as NSDate: return try value(of: date as Date)
        case let data as NSData where type(of: any) is NSData.Type: return .bytes(data as Data)
        case let elements as [Any]: return try array(elements)
        case let elements as NSArray: return try array(elements.map(\.self))
        case let members as [String: Any]: return try object(members.map { ($0.key, $0.value) })
        // Also those of Foundation; cast to its own dictionary, a Swift one would lose the types of its keys.
        case let members as [AnyHashable: Any]:
            return try object(members.map { (try key($0.key.base), $0.value) })
        case let encodable as any Encodable: return try encoded(encodable)
        default: throw error("is a \(type(of: any)), which is not data")
        }
    }

    private func value(of number: NSNumber) -> Value {
        switch UInt8(bitPattern: number.objCType.pointee) {
        // What a boolean says of itself; a small integer says it too, and is told apart by what it is.
        case UInt8(ascii: "c") where number == 0 || number == 1: .bool(number.boolValue)
        case UInt8(ascii: "f"), UInt8(ascii: "d"): .number(number.doubleValue)
        case UInt8(ascii: "Q"): Value(number.uint64Value)
        default: .integer(number.int64Value)
        }
    }

    private func array(_ elements: [Any]) throws -> Value {
        try .array(elements.enumerated().map { try nested("[\($0.offset)]").value(of: $0.element) })
    }

    private func object(_ members: [(String, Any)]) throws -> Value {
        try .object(
            ValueObject(
                members.sorted { $0.0 < $1.0 }.map { ($0.0, try nested(".\($0.0)").value(of: $0.1)) }
            )
        )
    }

    private func encoded(_ value: some Encodable) throws -> Value {
        do {
            return try ValueEncoder(maximumDepth: maximumDepth - path.count).encode(value)
        } catch let error as BridgeError where !path.isEmpty {
            var error = error
            error.message = "\(place): \(error.message)"
            throw error
        }
    }

    private func key(_ any: Any) throws -> String {
        if let text = any as? String { return text }
        if let text = any as? NSString { return text as String }
        throw error("has a key that is a \(type(of: any)), not a string")
    }

    private func nested(_ step: String) throws -> AnyReader {
        guard path.count < maximumDepth else {
            throw BridgeError(
                .limitExceeded,
                "\(place.prefix(80))... nests deeper than \(maximumDepth) levels"
            )
        }
        var reader = self
        reader.path.append(step)
        return reader
    }

    private var place: String { "data" + path.joined() }

    private func error(_ text: String) -> BridgeError { BridgeError(.encodeFailed, "\(place) \(text)") }
}

/// An optional whose type is known at run time only.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
