internal import JavaScriptEngine

/// A function of a script, held by Swift.
// @unchecked Sendable because the handle is used only inside turns of its context, and may be released on any thread.
final class ScriptFunction: @unchecked Sendable {
    private let handle: JSHandle
    // Weak because the runtime's context may own the owner of this object.
    private weak let runtime: JavaScriptRuntime?
    private weak let context: JSContext?

    init(_ value: JSValue) {
        handle = JSHandle(value)
        runtime = value.context.runtime
        context = value.context
    }

    /// Returns the function as a value, in the context that it belongs to.
    func value(in context: JSContext) throws -> JSValue {
        guard context === self.context else {
            throw BridgeError(.unsupported, "The function belongs to another context.")
        }
        return context.value(of: handle)
    }

    /// Calls it, and reads its result in the turn in which the result arrives.
    func call<Result: Sendable>(
        _ arguments: [any Encodable & Sendable],
        reading read: @escaping @Sendable (JSValue) throws -> Result
    ) async throws -> Result {
        guard let runtime else { throw Self.goneError }
        do {
            return try await runtime.awaitPromise(
                from: { context in
                    guard context === self.context else { throw Self.goneError }
                    let values = try arguments.map { try JSValue(encoding: $0, in: context) }
                    return try context.value(of: self.handle).call(withArguments: values)
                },
                reading: read
            )
        } catch {
            throw BridgeError(wrapping: error)
        }
    }

    private static var goneError: BridgeError {
        BridgeError(.disconnected, "The context that the function belongs to is gone.")
    }
}
