package import BridgeValues
internal import CJavaScriptCore

/// A value that is kept without keeping its context: for what a context itself owns, or neither would ever
/// go.
package final class JSHandle {
    let ref: JSValueRef
    private let releases: Graveyard

    /// Keeps a value.
    package init(_ value: JSValue) {
        ref = value.ref
        releases = value.context.virtualMachine.releases
        JSValueProtect(value.context.ref, ref)
    }

    deinit { releases.bury(ref) }
}

extension JSContext {
    /// The value of a handle of this context.
    package func value(of handle: JSHandle) -> JSValue { JSValue(handle.ref, in: self) }

    /// Calls the function of a handle with data; what it returns is not read.
    ///
    /// A turn must be open. What cannot be made of the data is told to `onUnmakeable`, and nothing is called
    /// then; what the function throws is thrown.
    package func call(
        _ handle: JSHandle,
        with values: [Value],
        onUnmakeable: (any Error) -> Void
    ) throws {
        var isMade = false
        do {
            try withReferences(
                values.count,
                making: { try makeRef(values[$0]) },
                {
                    isMade = true
                    _ = try call(handle.ref, this: nil, $0)
                }
            )
        } catch {
            if isMade { throw error }
            onUnmakeable(error)
        }
    }
}
