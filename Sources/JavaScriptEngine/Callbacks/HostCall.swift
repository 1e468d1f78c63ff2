package import BridgeValues
internal import CJavaScriptCore

/// One call of a function made by ``JSContext/makeHostFunction(_:)``.
///
/// It is valid only during the call.
package struct HostCall {
    let arguments: CallArguments

    /// The context that the caller runs in.
    package var context: JSContext { arguments.context }
    /// The number of arguments.
    package var count: Int { arguments.count }

    /// Returns the argument as a number, or 0 if it is not a number.
    package func double(at index: Int) -> Double { arguments.double(at: index) }

    /// Returns the argument as a string with lone surrogates replaced, or `nil` if it is not a string.
    package func string(at index: Int) -> String? { context.text(of: arguments.ref(at: index)) }

    /// Returns an argument as data.
    ///
    /// Runs getters and `toJSON` of the script, once.
    package func value(at index: Int) throws -> Value {
        guard let ref = arguments.ref(at: index) else { return .undefined }
        return try context.readValue(ref)
    }

    /// Returns an argument as a value of the engine.
    package func jsValue(at index: Int) -> JSValue {
        JSValue(arguments.ref(at: index) ?? JSValueMakeUndefined(context.ref), in: context)
    }

    /// Returns the data that `take` in the package's script wrote to the slab.
    ///
    /// Three arguments from `index` on describe the data: the start, the text and the buffers.
    ///
    /// - Parameters:
    ///   - index: The position of the first of these arguments.
    ///   - repairsKeys: Called at the first key with a lone surrogate. Returns whether U+FFFD may replace the
    ///     surrogate, because nothing looks the key up.
    /// - Returns: The data.
    /// - Throws: `encodeFailed` for such a key that may not be repaired.
    package func takenValue(at index: Int, repairingKeys repairsKeys: () -> Bool = { false }) throws -> Value
    {
        try context.readSlab(arguments.dropFirst(index), repairingKeys: repairsKeys)
    }
}
