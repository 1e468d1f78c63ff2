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

    /// Calls the function of a handle with numbers; what it returns is not read.
    ///
    /// A turn must be open.
    ///
    /// - Throws: What the function throws; ``JSException`` where the turn was stopped.
    package func call(_ handle: JSHandle, withNumbers numbers: [Double]) throws {
        try checkTermination()
        try withReferences(
            numbers.count,
            making: { JSValueMakeNumber(ref, numbers[$0]) },
            { _ = try call(handle.ref, this: nil, $0) }
        )
    }

    /// Calls the function of a handle with data, and a value of this context behind it where there is one;
    /// what it returns is not read.
    ///
    /// A turn must be open. What cannot be made of the data is told to `onUnmakeable`, and nothing is called
    /// then; what the function throws is thrown.
    package func call(
        _ handle: JSHandle,
        with values: [Value],
        _ last: JSValue? = nil,
        onUnmakeable: (any Error) -> Void
    ) throws {
        var isMade = false
        do {
            try withReferences(
                last == nil ? values.count : values.count + 1,
                making: { $0 < values.count ? try makeRef(values[$0]) : last?.ref },
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
