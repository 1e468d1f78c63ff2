internal import BridgeValues
internal import CJavaScriptCore
public import Foundation

/// Conversions to Swift.
///
/// They follow JavaScript's rules, so `valueOf`, `toString` and getters of a script may run. None of them traps: a
/// value that does not fit is an error.
extension JSValue {
    /// Converts the value to a boolean, as `Boolean(value)` does.
    ///
    /// This runs no script.
    public func toBool() -> Bool { JSValueToBoolean(context.ref, ref) }

    /// Converts the value to a number, as `Number(value)` does, or to the nearest number for a `BigInt`.
    ///
    /// The result is NaN if the value does not represent a number.
    ///
    /// - Throws: ``JSException`` for a symbol, or with the error of a `valueOf`.
    public func toDouble() throws -> Double {
        if isNumber { return JSValueToNumber(context.ref, ref, nil) }
        return try context.withTurn {
            var exception: JSValueRef?
            let number = JSValueToNumber(context.ref, ref, &exception)
            guard exception == nil else { throw context.exception(from: exception) }
            return number
        }
    }

    /// Converts the value to a number; another name of ``toDouble()``.
    public func toNumber() throws -> Double { try toDouble() }

    /// Converts the value to a 32-bit integer, as `value | 0` does: without its fraction and modulo 2^32.
    ///
    /// NaN and infinities become 0, whereas ``toInt64()`` throws.
    ///
    /// - Throws: ``JSException`` for a symbol, or with the error of a `valueOf`.
    public func toInt32() throws -> Int32 { Int32(bitPattern: try toUInt32()) }

    /// Converts the value to an unsigned 32-bit integer, as `value >>> 0` does: without its fraction and modulo
    /// 2^32.
    ///
    /// - Throws: ``JSException`` for a symbol, or with the error of a `valueOf`.
    public func toUInt32() throws -> UInt32 {
        let number = try toDouble()
        guard number.isFinite else { return 0 }
        let modulus = 4_294_967_296.0
        let rest = number.rounded(.towardZero).truncatingRemainder(dividingBy: modulus)
        return UInt32(rest < 0 ? rest + modulus : rest)
    }

    /// Converts the value to a 64-bit integer, without its fraction; a `BigInt` exactly.
    ///
    /// - Throws: ``JSException`` with the name `RangeError` for a number that does not fit, such as NaN; the errors of
    ///   ``toDouble()``.
    public func toInt64() throws -> Int64 { try toInteger() }

    /// Converts the value to an unsigned 64-bit integer, without its fraction; a `BigInt` exactly.
    ///
    /// - Throws: ``JSException`` with the name `RangeError` for a number that does not fit, such as NaN or a negative
    ///   number; the errors of ``toDouble()``.
    public func toUInt64() throws -> UInt64 { try toInteger() }

    private func toInteger<Integer: FixedWidthInteger>() throws -> Integer {
        if isBigInt {
            let digits = try toString()
            if let integer = Integer(digits) { return integer }
            throw JSException(
                name: "RangeError",
                message: "\(digits.prefix(40)) is not from \(Integer.min) to \(Integer.max)"
            )
        }
        let number = try toDouble()
        guard let integer = Integer(exactly: number.rounded(.towardZero)) else {
            throw JSException(
                name: "RangeError",
                message: "\(JSNumberString(number).text) is not from \(Integer.min) to \(Integer.max)"
            )
        }
        return integer
    }

    /// Converts the value to a string, as `String(value)` does.
    ///
    /// Each lone surrogate becomes U+FFFD; NUL is kept.
    ///
    /// - Throws: ``JSException`` for a symbol, or with the error of a `toString`.
    public func toString() throws -> String {
        if let text = context.text(of: ref) { return text }
        return try context.withTurn {
            var exception: JSValueRef?
            guard let string = JSValueToStringCopy(context.ref, ref, &exception) else {
                throw context.exception(from: exception)
            }
            defer { JSStringRelease(string) }
            return EngineString.withUnits(of: string, EngineString.repaired)
        }
    }

    /// Converts a `Date`, or a number of milliseconds since 1970, to a point in time.
    ///
    /// - Throws: ``JSException`` with the name `RangeError` for an invalid date, and for a number that
    ///   no JavaScript `Date` holds (beyond 8.64e15 milliseconds); the errors of ``toDouble()``.
    public func toDate() throws -> Date {
        let date: Date =
            if isDate, case .date(let date) = try toValue() { date } else {
                Date(javaScriptMilliseconds: try toDouble())
            }
        guard date != .invalid else { throw JSException(name: "RangeError", message: "Invalid Date") }
        return date
    }

    /// Returns the elements of an array.
    ///
    /// This runs getters. A hole is `undefined`.
    ///
    /// - Throws: ``JSException`` if the value is not an array, or with the error of a getter; `limitExceeded` if
    ///   there are more elements than ``ExecutionLimits/maximumNodes``.
    public func toArray() throws -> [JSValue] {
        try context.withTurn {
            guard isArray else {
                throw JSException(name: "TypeError", message: "not an array")
            }
            return try context.elements(of: self) { JSValue($0, in: context) }
        }
    }

    /// Returns the own enumerable properties of an object by their names.
    ///
    /// This runs getters, once each.
    ///
    /// - Throws: ``JSException`` if the value is not an object, or with the error of a getter.
    public func toDictionary() throws -> [String: JSValue] {
        try context.withTurn {
            try propertyNames().reduce(into: [:]) { $0[$1] = try forProperty($1) }
        }
    }

    /// Converts the value to the corresponding Swift value.
    ///
    /// The result is a `Bool`, `Int64` or `Double`, `String`, `Date`, `Data`, `[Any?]` or `[String: Any?]`. It is `nil`
    /// for `undefined` and `null`, a `String` of digits for a `BigInt` beyond 64 bits, and the object itself for one
    /// that ``init(object:in:)`` wrapped. ``toValue()`` keeps more distinctions, and ``decode(_:)`` decodes a type of
    /// your own.
    ///
    /// - Throws: The errors of ``toValue()``.
    public func toObject() throws -> Any? {
        if let object = wrappedObject { return object }
        return try toValue().anyObject
    }

    /// Returns the object that ``init(object:in:)`` wrapped; `nil` if the value is not such an object or has another
    /// type.
    public func toObject<Object>(of type: Object.Type) -> Object? { wrappedObject as? Object }

    /// Returns the string form of a symbol, such as `Symbol(name)`.
    func symbolText() throws -> String {
        try context.withTurn {
            try JSValue(context.call(context.primordial("String"), [ref]), in: context).toString()
        }
    }
}

extension Value {
    fileprivate var anyObject: Any? {
        switch self {
        case .undefined, .null: nil
        case .bool(let flag): flag
        case .integer(let number): number
        case .double(let number): number
        case .bigInt(let digits): digits
        case .string(let text): text
        case .illFormedString(let units): String(decoding: units, as: UTF16.self)
        case .date(let date): date
        case .bytes(let data): data
        case .array(let elements): elements.map(\.anyObject)
        case .object(let object):
            object.reduce(into: [String: Any?]()) { $0.updateValue($1.value.anyObject, forKey: $1.key) }
        case .reference(let reference): reference
        }
    }
}
