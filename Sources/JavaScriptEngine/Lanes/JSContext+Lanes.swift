internal import CJavaScriptCore

/// Leaves across the border, by the lane that serves. A turn must be open, and nothing here runs a script.
extension JSContext {
    /// The number, if this is one.
    @inlinable @inline(__always)
    func number(of value: EncodedValue) -> Double? { isFast ? value.number : plainNumber(of: value) }

    /// The boolean, if this is one.
    @inlinable @inline(__always)
    func bool(of value: EncodedValue) -> Bool? { isFast ? value.bool : plainBool(of: value) }

    /// Whether this is `null` or `undefined`.
    @inlinable @inline(__always)
    func isNil(_ value: EncodedValue) -> Bool { isFast ? value.isNil : plainIsNil(value) }

    /// Encodes a number.
    @inlinable @inline(__always)
    func encode(_ number: Double) -> EncodedValue {
        isFast ? EncodedValue(number: number) : plainEncode(number)
    }

    /// Encodes a boolean.
    @inlinable @inline(__always)
    func encode(_ flag: Bool) -> EncodedValue { isFast ? EncodedValue(bool: flag) : plainEncode(flag) }

    @usableFromInline
    func plainNumber(of value: EncodedValue) -> Double? {
        JSValueIsNumber(ref, value.ref) ? JSValueToNumber(ref, value.ref, nil) : nil
    }

    @usableFromInline
    func plainBool(of value: EncodedValue) -> Bool? {
        JSValueIsBoolean(ref, value.ref) ? JSValueToBoolean(ref, value.ref) : nil
    }

    @usableFromInline
    func plainIsNil(_ value: EncodedValue) -> Bool {
        JSValueIsUndefined(ref, value.ref) || JSValueIsNull(ref, value.ref)
    }

    @usableFromInline
    func plainEncode(_ number: Double) -> EncodedValue { EncodedValue(JSValueMakeNumber(ref, number)) }

    @usableFromInline
    func plainEncode(_ flag: Bool) -> EncodedValue { EncodedValue(JSValueMakeBoolean(ref, flag)) }

    /// The text, if this is one without lone surrogates.
    @usableFromInline
    func string(of value: EncodedValue) -> String? {
        if isFast, let characters = FastLane.characters(of: value) {
            switch characters {
            case .latin1(let bytes): return EngineText.string(latin1: bytes)
            case .utf16(let units): return EngineText.narrow(units)
            }
        }
        guard JSValueIsString(ref, value.ref), let string = JSValueToStringCopy(ref, value.ref, nil) else {
            return nil
        }
        defer { JSStringRelease(string) }
        return EngineText.withUnits(of: string) { EngineText.narrow($0) }
    }

    /// Encodes a text.
    ///
    /// Only the stack or a frame may hold the result until the engine does.
    @usableFromInline
    func encode(_ text: String) -> EncodedValue { EncodedValue(makeText(text)) }
}
