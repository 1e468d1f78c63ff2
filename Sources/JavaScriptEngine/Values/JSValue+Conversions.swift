internal import BridgeValues
internal import CJavaScriptCore
public import Foundation

/// Conversions to Swift.
///
/// They follow JavaScript's rules, so `valueOf`, `toString` and getters of a script may run. None traps: what
/// does not fit is an error.
extension JSValue {
    /// The value as a boolean, as `Boolean(value)` gives it.
    ///
    /// Runs no script.
    public func toBool() -> Bool { JSValueToBoolean(context.ref, ref) }

    /// The value as a number, as `Number(value)` gives it: NaN where it is none, the nearest for a `BigInt`.
    ///
    /// - Throws: ``JSException`` for a symbol, and for what a `valueOf` throws.
    public func toDouble() throws -> Double {
        if isNumber { return JSValueToNumber(context.ref, ref, nil) }
        return try context.withTurn {
            var exception: JSValueRef?
            let number = JSValueToNumber(context.ref, ref, &exception)
            guard exception == nil else { throw context.exception(from: exception) }
            return number
        }
    }

    /// The value as a number; another name of ``toDouble()``.
    public func toNumber() throws -> Double { try toDouble() }

    /// The value as a 32-bit integer, as `value | 0` gives it: without its fraction and modulo 2^32.
    ///
    /// NaN and infinities give 0. ``toInt64()`` refuses instead.
    ///
    /// - Throws: ``JSException`` for a symbol, and for what a `valueOf` throws.
    public func toInt32() throws -> Int32 { Int32(bitPattern: try toUInt32()) }

    /// The value as an unsigned 32-bit integer, as `value >>> 0` gives it: without its fraction and modulo
    /// 2^32.
    ///
    /// - Throws: ``JSException`` for a symbol, and for what a `valueOf` throws.
    public func toUInt32() throws -> UInt32 {
        let number = try toDouble()
        guard number.isFinite else { return 0 }
        let modulus = 4_294_967_296.0
        let rest = number.rounded(.towardZero).truncatingRemainder(dividingBy: modulus)
        return UInt32(rest < 0 ? rest + modulus : rest)
    }

    /// The value as a 64-bit integer, without its fraction; a `BigInt` exactly.
    ///
    /// - Throws: ``JSException`` with the name `RangeError` for what does not fit, NaN among it; and what
    ///   ``toDouble()`` throws.
    public func toInt64() throws -> Int64 { try toInteger() }

    /// The value as an unsigned 64-bit integer, without its fraction; a `BigInt` exactly.
    ///
    /// - Throws: ``JSException`` with the name `RangeError` for what does not fit, NaN and negative numbers
    ///   among it; and what ``toDouble()`` throws.
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
                message: "\(JSNumberText(number).text) is not from \(Integer.min) to \(Integer.max)"
            )
        }
        return integer
    }

    /// The value as text, as `String(value)` gives it; each lone surrogate as U+FFFD, NUL as it is.
    ///
    /// - Throws: ``JSException`` for a symbol, and for what a `toString` throws.
    public func toString() throws -> String {
        if let text = context.text(of: ref) { return text }
        return try context.withTurn {
            var exception: JSValueRef?
            guard let string = JSValueToStringCopy(context.ref, ref, &exception) else {
                throw context.exception(from: exception)
            }
            defer { JSStringRelease(string) }
            return EngineText.withUnits(of: string, EngineText.repaired)
        }
    }

    /// The value as a point in time: a `Date`, or a number of milliseconds since 1970.
    ///
    /// - Throws: ``JSException`` with the name `RangeError` for an invalid date, and for a number that
    ///   no JavaScript `Date` holds (beyond 8.64e15 milliseconds); and what ``toDouble()``
    ///   throws.
    public func toDate() throws -> Date {
        let date: Date =
            if isDate, case .date(let date) = try toValue() { date } else {
                Date(javaScriptMilliseconds: try toDouble())
            }
        guard date != .invalid else { throw JSException(name: "RangeError", message: "Invalid Date") }
        return date
    }

    /// The elements of an array.
    ///
    /// Runs getters; a hole is `undefined`.
    ///
    /// - Throws: ``JSException`` where this is no array, and for what a getter throws; `limitExceeded` where
    ///   there are more elements than ``ExecutionLimits/maximumNodes``.
    public func toArray() throws -> [JSValue] {
        try context.withTurn {
            guard isArray else {
                throw JSException(name: "TypeError", message: "a value that is no array has no elements")
            }
            return try context.elements(of: self) { JSValue($0, in: context) }
        }
    }

    /// The own enumerable properties of an object by their names.
    ///
    /// Runs getters, once each.
    ///
    /// - Throws: ``JSException`` where this is no object, and for what a getter throws.
    public func toDictionary() throws -> [String: JSValue] {
        try context.withTurn {
            try propertyNames().reduce(into: [:]) { $0[$1] = try forProperty($1) }
        }
    }

    /// The value as what Swift has for it.
    ///
    /// `Bool`, `Int64` or `Double`, `String`, `Date`, `Data`, `[Any?]`, `[String: Any?]`; `nil` for
    /// `undefined` and `null`; digits as a `String` for a `BigInt` beyond 64 bits; and the object itself for
    /// one that ``init(object:in:)`` wrapped. To tell more apart take ``toValue()``, for a type of yours
    /// ``decode(_:)``.
    ///
    /// - Throws: What ``toValue()`` throws.
    public func toObject() throws -> Any? {
        if let object = wrappedObject { return object }
        return try toValue().anyObject
    }

    /// The object that ``init(object:in:)`` wrapped; `nil` where this is none, or one of another type.
    public func toObject<Object>(of type: Object.Type) -> Object? { wrappedObject as? Object }

    /// The text of a symbol, such as `Symbol(name)`.
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
