internal import CJavaScriptCore

/// A reader and encoder of scalars (numbers, strings and booleans) at the boundary of one context.
///
/// A plain value without a reference count, because every call uses it. It is valid for as long as its context
/// lives. A turn must be open whenever it is used, and none of its functions runs a script.
@frozen @usableFromInline struct ScalarConverter {
    /// A Boolean value that indicates whether the fast path is used.
    @usableFromInline let isFast: Bool
    @usableFromInline let ref: OpaquePointer
    /// The meter of the payload that is being decoded; `nil` outside a payload.
    @usableFromInline let meter: UnsafeMutablePointer<DecodeMeter>?

    init(isFast: Bool, ref: JSGlobalContextRef, meter: UnsafeMutablePointer<DecodeMeter>? = nil) {
        self.isFast = isFast
        self.ref = ref
        self.meter = meter
    }

    /// Returns the number, or `nil` if the value is not a number.
    @inlinable @inline(__always)
    func number(of value: EncodedValue) -> Double? { isFast ? value.number : plainNumber(of: value) }

    /// Returns the integer, or `nil` if the value is not an integer up to 2^53 - 1.
    @inlinable @inline(__always)
    func wholeNumber(of value: EncodedValue) -> Int? {
        isFast ? value.wholeNumber : plainNumber(of: value).flatMap { EncodedValue(number: $0).wholeNumber }
    }

    /// Returns the boolean, or `nil` if the value is not a boolean.
    @inlinable @inline(__always)
    func bool(of value: EncodedValue) -> Bool? { isFast ? value.bool : plainBool(of: value) }

    /// Returns whether the value is `null` or `undefined`.
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

    /// Returns the string; `nil` if the value is not a string, has lone surrogates, or exceeds the payload's limit.
    @usableFromInline
    @inline(__always)
    func string(of value: EncodedValue) -> String? {
        // Most strings are short and flat. The rest is out of line, so that decoders contain only this.
        guard isFast, let characters = FastPath.characters(of: value),
            characters.count < SlabReader.longLength
        else { return longString(of: value) }
        return mayTake(characters.count) ? characters.string : nil
    }

    @inline(never)
    private func longString(of value: EncodedValue) -> String? {
        withCharacters(of: value) { characters in
            guard mayTake(characters.count) else { return nil }
            let text = characters.string
            guard characters.count >= SlabReader.longLength, let meter, meter.pointee.depth > 0, let text,
                let start = characters.start
            else { return text }
            return meter.pointee.shared(text, at: start)
        } ?? nil
    }

    /// Calls a closure with the characters of a string as the engine stores them; `nil` where the value is not a string.
    ///
    /// A rope is flattened first. The C API has UTF-16 alone and widens what the engine stores narrow, which costs three
    /// times as much as reading it (388 us against 98 for 1 MiB on 2.50.6).
    @inline(__always)
    func withCharacters<Result>(
        of value: EncodedValue,
        _ body: (FastPath.Characters) throws -> Result
    ) rethrows -> Result? {
        if isFast, let characters = FastPath.characters(of: value) { return try body(characters) }
        guard JSValueIsString(ref, value.ref), let string = JSValueToStringCopy(ref, value.ref, nil) else {
            return nil
        }
        defer { JSStringRelease(string) }
        if isFast, let characters = FastPath.characters(of: value) { return try body(characters) }
        return try EngineString.withUnits(of: string) { try body(.utf16($0)) }
    }

    /// Counts the units of a string against the limit of the payload around it, if any.
    ///
    /// - Returns: Whether the string may be read. If not, the step-by-step decoding reports the reason.
    @inline(__always)
    func mayTake(_ count: Int) -> Bool { meter?.pointee.mayTake(count * 2) ?? true }

    /// Encodes a string.
    ///
    /// The caller must keep the result on the stack or in a frame until the engine holds it.
    @usableFromInline
    func encode(_ text: String) -> EncodedValue {
        EncodedValue(EngineString.with(text) { JSValueMakeString(ref, $0) })
    }
}
