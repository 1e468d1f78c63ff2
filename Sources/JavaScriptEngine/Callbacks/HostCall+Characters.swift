internal import CJavaScriptCore

extension HostCall {
    /// The kind of an argument, as far as row keys distinguish them.
    package enum Key {
        /// A number, which may be NaN.
        case number(Double)
        /// `true` or `false`.
        case bool(Bool)
        /// A string; ``HostCall/withUTF8(at:_:)`` reads it.
        case text
        /// `null`, `undefined`, or no argument.
        case none
        /// Anything else.
        case other
    }

    /// Returns the kind of an argument, without running any code of a script.
    package func key(at index: Int) -> Key {
        guard index < count else { return .none }
        let value = arguments[index]
        if let number = arguments.scalars.number(of: value) { return .number(number) }
        if let flag = arguments.scalars.bool(of: value) { return .bool(flag) }
        if arguments.scalars.isNil(value) { return .none }
        return JSValueIsString(context.ref, value.ref) ? .text : .other
    }

    /// Runs a body with the characters of a string as UTF-8; a lone surrogate becomes U+FFFD.
    ///
    /// The bytes are read in place if the engine stores the string as ASCII, and copied otherwise.
    package func withUTF8<Result>(
        at index: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        if arguments.scalars.isFast, case .latin1(let bytes)? = FastPath.characters(of: arguments[index]) {
            var seen: UInt8 = 0
            for byte in bytes { seen |= byte }
            if seen < 0x80 { return try body(bytes) }
        }
        var text = string(at: index) ?? ""
        return try text.withUTF8(body)
    }
}
