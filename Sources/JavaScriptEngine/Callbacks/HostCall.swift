package import BridgeValues
internal import CJavaScriptCore

/// One call of a function made by ``JSContext/makeHostFunction(_:)``, as long as it
/// lasts.
package struct HostCall {
    let arguments: CallArguments

    /// The context that the caller runs in.
    package var context: JSContext { arguments.context }
    /// How many arguments were given.
    package var count: Int { arguments.count }

    /// A number; 0 where the argument is none.
    package func double(at index: Int) -> Double { arguments.double(at: index) }

    /// Text with lone surrogates replaced; `nil` where the argument is no text.
    package func string(at index: Int) -> String? { context.text(of: arguments.ref(at: index)) }

    /// An argument as data.
    ///
    /// Runs getters and `toJSON` of the script, once.
    package func value(at index: Int) throws -> Value {
        guard let ref = arguments.ref(at: index) else { return .undefined }
        return try context.readValue(ref)
    }

    /// An argument as the engine's value.
    package func jsValue(at index: Int) -> JSValue {
        JSValue(arguments.ref(at: index) ?? JSValueMakeUndefined(context.ref), in: context)
    }

    /// Data that ``take`` in the package's own script put into the slab; its first argument is at `index`.
    ///
    /// - Parameters:
    ///   - index: Where it is.
    ///   - repairsKeys: Asked once there is a key with a lone surrogate: whether it may become one with U+FFFD, as nobody
    ///     asks for it.
    /// - Returns: The data.
    /// - Throws: `encodeFailed` for such a key that may not.
    package func takenValue(at index: Int, repairingKeys repairsKeys: () -> Bool = { false }) throws -> Value
    {
        try context.readSlab(arguments.dropFirst(index), repairingKeys: repairsKeys)
    }
}
