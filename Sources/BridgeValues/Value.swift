public import Foundation

/// A JavaScript value as inert data: the one dynamic type that crosses threads, transports and stores.
///
/// A `Value` holds no engine handle, so that it is `Sendable` and outlives the context from which it was read.
/// <doc:ValueMapping> has the mapping of types in both directions.
///
/// Numbers have one canonical form, so that `==` compares as expected. A number without a fraction whose magnitude is
/// at most 2^53 - 1 is an ``integer(_:)``. Every other number (fractions, negative zero, infinities, NaN) is a
/// ``double(_:)``. An ``integer(_:)`` beyond that range crosses as a `BigInt`, never rounded.
///
/// - Precondition: A value nests at most 10,000 arrays and objects deep. Messages and scripts cannot create a deeper
///   one. Swift can, and must not: releasing it uses the native stack for each level, and ends the process when that is
///   exhausted.
public enum Value: Sendable, Hashable {
    /// JavaScript's `undefined`: a value that is absent.
    case undefined
    /// JavaScript's `null`: a value that is present and empty.
    case null
    /// A boolean.
    ///
    /// Never equal to a number.
    case bool(Bool)
    /// A whole number.
    ///
    /// Beyond 2^53 - 1 it represents a JavaScript `BigInt`.
    case integer(Int64)
    /// A number that is not whole, or whole and too large for ``integer(_:)``.
    case double(Double)
    /// A `BigInt` that ``integer(_:)`` does not represent, as decimal digits with an optional leading minus.
    case bigInt(String)
    /// A string without lone surrogates.
    case string(String)
    /// A string with at least one lone surrogate, as UTF-16 code units, because `String` cannot hold it.
    case illFormedString([UInt16])
    /// A point in time, to the millisecond as in JavaScript.
    ///
    /// JavaScript's invalid date, `new Date(NaN)`, arrives as ``invalidDate``.
    case date(Date)
    /// The bytes of an `ArrayBuffer` or of a view on one.
    case bytes(Data)
    /// An array of values.
    ///
    /// A hole reads as ``undefined``.
    case array([Value])
    /// The own enumerable string-keyed properties of an object, in their order.
    case object(ValueObject)
    /// A function or an object that stays on its side, and is called from the other.
    case reference(Reference)

    /// The largest magnitude of a whole number that a JavaScript number holds exactly: 2^53 - 1.
    public static let maximumSafeInteger: Int64 = 9_007_199_254_740_991

    /// JavaScript's invalid date: a ``date(_:)`` infinitely far in the future.
    ///
    /// It is not a date of NaN, whose `description` traps in Foundation. It is safe to print, equals itself, and
    /// becomes `new Date(NaN)` again in a script.
    public static let invalidDate = Value.date(.invalid)

    /// Returns the canonical value of a JavaScript number.
    ///
    /// - Parameter number: Any double, including NaN, infinities and negative zero.
    /// - Returns: An ``integer(_:)`` if the number is whole and safe, otherwise a ``double(_:)``.
    public static func number(_ number: Double) -> Value {
        guard abs(number) <= Double(maximumSafeInteger), number == number.rounded(.towardZero) else {
            return .double(number)
        }
        return number == 0 && number.sign == .minus ? .double(number) : .integer(Int64(number))
    }

    /// Returns the canonical value of a whole number of any size, given as decimal digits.
    ///
    /// - Parameter digits: An optional minus and at least one digit, as `BigInt.prototype.toString` writes them.
    /// - Returns: An ``integer(_:)`` between 2^53 and the limits of `Int64`, otherwise a ``bigInt(_:)``.
    public static func bigInteger(digits: String) -> Value {
        guard let small = Int64(digits), small.magnitude > UInt64(maximumSafeInteger) else {
            return .bigInt(digits)
        }
        return .integer(small)
    }
}

extension Value {
    /// Returns whether two values are the same data.
    ///
    /// Strings are compared by their UTF-8 bytes, as JavaScript distinguishes them. NaN is not equal to any number,
    /// itself included.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.undefined, .undefined), (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.bigInt(let left), .bigInt(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.illFormedString(let left), .illFormedString(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.array, .array), (.object, .object): isEqualNested(left, right)
        case (.reference(let left), .reference(let right)): left == right
        default: false
        }
    }

    /// Hashes the data that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .undefined, .null: hasher.combine(self.kind)
        case .bool(let flag): hasher.combine(flag)
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number)
        case .bigInt(let digits): hasher.combine(digits)
        case .string(let text):
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .illFormedString(let units): hasher.combine(units)
        case .date(let date): hasher.combine(date)
        case .bytes(let data): hasher.combine(data)
        case .array, .object: hashNested(into: &hasher, depth: 0)
        case .reference(let reference): hasher.combine(reference)
        }
    }

    /// Returns the member with a key, or ``undefined`` if this is not an object or has no such member.
    public subscript(key: String) -> Value {
        guard case .object(let object) = self else { return .undefined }
        return object[key] ?? .undefined
    }

    /// Returns the element at an index, or ``undefined`` if this is not an array or the index is out of range.
    public subscript(index: Int) -> Value {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return .undefined }
        return elements[index]
    }

    /// The string, if this is a well-formed string.
    public var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if this is a number; a whole one beyond 2^53 is rounded.
    public var doubleValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The whole number, if this is one.
    public var integerValue: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The boolean, if this is one.
    ///
    /// Numbers are not booleans.
    public var boolValue: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// The elements, if this is an array.
    public var arrayValue: [Value]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members, if this is an object.
    public var objectValue: ValueObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// A Boolean value that indicates whether this is `null` or `undefined`, both of which decode as a Swift `nil`.
    public var isNil: Bool {
        self == .null || self == .undefined
    }

    /// The kind of the value in JavaScript's words, for messages: `string`, `number`, `array` and so on.
    public var kind: String {
        switch self {
        case .undefined: "undefined"
        case .null: "null"
        case .bool: "boolean"
        case .integer(let number): number.magnitude > UInt64(Self.maximumSafeInteger) ? "bigint" : "number"
        case .double: "number"
        case .bigInt: "bigint"
        case .string, .illFormedString: "string"
        case .date: "Date"
        case .bytes: "bytes"
        case .array: "array"
        case .object: "object"
        case .reference(let reference): reference.target.record.kind == .object ? "object" : "function"
        }
    }
}

// No `nil` literal: in a `Value?` it would be `null` where a reader expects no value.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a number in its canonical form.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    public init(arrayLiteral elements: Value...) { self = .array(elements) }

    /// Creates an object; of several members with the same key the last one counts, as in JavaScript.
    public init(dictionaryLiteral elements: (String, Value)...) { self = .object(ValueObject(elements)) }
}
