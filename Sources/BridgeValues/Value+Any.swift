internal import Foundation

extension Value {
    /// Creates a string.
    public init(_ text: some StringProtocol) { self = .string(String(text)) }

    /// Creates a boolean.
    public init(_ flag: Bool) { self = .bool(flag) }

    /// Creates a number in its canonical form.
    public init(_ number: some BinaryFloatingPoint) { self = .number(Double(number)) }

    /// Creates a whole number of any size; one that a `Double` cannot hold exactly is a `BigInt` in JavaScript.
    public init(_ number: some BinaryInteger) {
        self = Int64(exactly: number).map(Value.integer) ?? .bigInt(String(number))
    }

    /// Creates an array.
    public init(_ elements: [Value]) { self = .array(elements) }

    /// Creates an object, with its members in the order of their keys.
    public init(_ members: [String: Value]) {
        self = .object(ValueObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    /// Creates a value from data whose types are known only at run time, such as a `[String: Any]`.
    ///
    /// Supported are strings, numbers, booleans, dates, bytes, arrays, dictionaries with string keys, `NSNull`, the
    /// Foundation classes of all these, ``Value``, and all `Encodable` types. <doc:ValueMapping> has the
    /// results. `nil` is `null`. Members of dictionaries are in the order of their keys.
    ///
    /// - Precondition: No Foundation collection contains itself: Foundation ends the process when it returns an element
    ///   of such a collection.
    /// - Throws: ``BridgeError`` with the code `encodeFailed` for any other type, `limitExceeded` beyond a nesting
    ///   depth of ``BridgeLimits/maximumDepth``. The message names the type and its path, as `data.items[2]`.
    public init(any: Any?) throws {
        self = try AnyReader(maximumDepth: BridgeLimits().maximumDepth).value(of: any)
    }

    /// The value as types of Swift and Foundation, for code that was written for `[String: Any]`.
    ///
    /// The types are `Bool`, `Int`, `Double`, `String`, `Date`, `Data`, `[Any]` and `[String: Any]`. `null` and
    /// `undefined` are `nil`, and `NSNull` inside arrays and objects. A `BigInt` beyond `Int` and a string with lone
    /// surrogates are a `String`. A reference is itself.
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

/// A reader of values whose types are known only at run time.
private struct AnyReader {
    let maximumDepth: Int
    /// The path of keys and indexes to the current value.
    private var path: [String] = []

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    func value(of any: Any?) throws -> Value {
        guard let any else { return .null }
        // An optional inside an `Any`.
        if let optional = any as? any OptionalValue { return try value(of: optional.wrapped) }
        switch any {
        case let value as Value: return value
        case is NSNull: return .null
        // Before the casts to Swift types, which also succeed for Foundation numbers.
        case let number as NSNumber where type(of: any) is NSNumber.Type: return value(of: number)
        case let text as NSString where type(of: any) is NSString.Type: return .string(text as String)
        // Also substrings.
        case let text as any StringProtocol: return Value(text)
        case let date as Date:
            guard date.timeIntervalSince1970.isFinite else { throw error("is not a valid date") }
            return .date(date)
        case let date as NSDate: return try value(of: date as Date)
        case let data as NSData where type(of: any) is NSData.Type: return .bytes(data as Data)
        case let elements as [Any]: return try array(elements)
        case let elements as NSArray: return try array(elements.map(\.self))
        case let members as [String: Any]: return try object(members.map { ($0.key, $0.value) })
        // Also Foundation dictionaries; a cast of a Swift dictionary to NSDictionary would lose the types of its keys.
        case let members as [AnyHashable: Any]:
            return try object(members.map { (try key($0.key.base), $0.value) })
        case let encodable as any Encodable: return try encoded(encodable)
        default: throw error("is a \(type(of: any)), which is not data")
        }
    }

    private func value(of number: NSNumber) -> Value {
        switch UInt8(bitPattern: number.objCType.pointee) {
        // The type code of a boolean, which small integers share; the numeric value distinguishes them.
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

/// An optional whose type is known only at run time.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
