internal import CJavaScriptCore

/// The way of leaves across the border of one context: numbers, texts and booleans.
///
/// A plain value without a reference to count, since it stands in the middle of every call. It is good for as
/// long as its context lives; a turn must be open for all of it, and nothing here runs a script.
@frozen public struct Lane {
    /// Whether the fast lane serves.
    @usableFromInline let isFast: Bool
    @usableFromInline let ref: OpaquePointer
    /// Counts what a payload holds that is read.
    @usableFromInline let meter: UnsafeMutablePointer<DecodeMeter>?

    init(isFast: Bool, ref: JSGlobalContextRef, meter: UnsafeMutablePointer<DecodeMeter>? = nil) {
        self.isFast = isFast
        self.ref = ref
        self.meter = meter
    }

    /// The number, if this is one.
    @inlinable @inline(__always)
    func number(of value: EncodedValue) -> Double? { isFast ? value.number : plainNumber(of: value) }

    /// The whole number up to 2^53 - 1, if this is one.
    @inlinable @inline(__always)
    func wholeNumber(of value: EncodedValue) -> Int? {
        isFast ? value.wholeNumber : plainNumber(of: value).flatMap { EncodedValue(number: $0).wholeNumber }
    }

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

    /// `undefined`, encoded.
    @inlinable @inline(__always)
    var undefined: EncodedValue { isFast ? EncodedValue(bits: 10) : plainUndefined }

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

    @usableFromInline var plainUndefined: EncodedValue { EncodedValue(JSValueMakeUndefined(ref)) }

    /// The text, if this is one without lone surrogates, and the payload around it may hold it.
    @usableFromInline
    func string(of value: EncodedValue) -> String? {
        if isFast, let characters = FastLane.characters(of: value) { return string(of: characters) }
        guard JSValueIsString(ref, value.ref), let string = JSValueToStringCopy(ref, value.ref, nil) else {
            return nil
        }
        defer { JSStringRelease(string) }
        // What was a rope is put together now, and read without widening it.
        if isFast, let characters = FastLane.characters(of: value) { return self.string(of: characters) }
        guard mayTake(JSStringGetLength(string)) else { return nil }
        return EngineText.withUnits(of: string) { EngineText.narrow($0) }
    }

    private func string(of characters: FastLane.Characters) -> String? {
        let start: UnsafeRawPointer?
        let count: Int
        let text: String?
        switch characters {
        case .latin1(let bytes):
            guard mayTake(bytes.count) else { return nil }
            (start, count, text) = (
                UnsafeRawPointer(bytes.baseAddress), bytes.count, EngineText.string(latin1: bytes)
            )
        case .utf16(let units):
            guard mayTake(units.count) else { return nil }
            (start, count, text) = (
                UnsafeRawPointer(units.baseAddress), units.count, EngineText.narrow(units)
            )
        }
        guard count >= SlabReader.longLength, let meter, meter.pointee.depth > 0, let text, let start else {
            return text
        }
        return meter.pointee.shared(text, at: start)
    }

    /// Counts the units of a string where there is a payload around it.
    ///
    /// - Returns: Whether it may be read; the way in steps says why not.
    @inline(__always)
    private func mayTake(_ count: Int) -> Bool { meter?.pointee.mayTake(count * 2) ?? true }

    /// Encodes a text.
    ///
    /// Only the stack or a frame may hold the result until the engine does.
    @usableFromInline
    func encode(_ text: String) -> EncodedValue {
        EncodedValue(EngineText.with(text) { JSValueMakeString(ref, $0) })
    }
}
