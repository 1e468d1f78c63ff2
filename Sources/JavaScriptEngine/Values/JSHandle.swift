package import BridgeValues
internal import CJavaScriptCore

/// A handle that retains a value but not its context.
///
/// Values that a context itself owns need such a handle. Otherwise the two would keep each other alive.
package final class JSHandle {
    let ref: JSValueRef
    private let releases: DeferredReleaseQueue

    /// Retains a value.
    package init(_ value: JSValue) {
        ref = value.ref
        releases = value.context.virtualMachine.releases
        JSValueProtect(value.context.ref, ref)
    }

    deinit { releases.enqueueRelease(ref) }
}

extension JSContext {
    /// Returns the value of a handle of this context.
    package func value(of handle: JSHandle) -> JSValue { JSValue(handle.ref, in: self) }

    /// Calls the function of a handle with numbers and ignores the result.
    ///
    /// A turn must be open.
    ///
    /// - Throws: The error of the function; ``JSException`` if the turn was stopped.
    package func call(_ handle: JSHandle, withNumbers numbers: [Double]) throws {
        try checkTermination()
        try withReferences(
            numbers.count,
            making: { JSValueMakeNumber(ref, numbers[$0]) },
            { _ = try call(handle.ref, this: nil, $0) }
        )
    }

    /// Calls the function of a handle with data, followed by a value of this context if there is one.
    ///
    /// It ignores the result.
    ///
    /// A turn must be open. If an argument cannot be created from the data, the error is passed to `onConversionError` and
    /// the function is not called. An error of the function is thrown.
    package func call(
        _ handle: JSHandle,
        with values: [Value],
        _ last: JSValue? = nil,
        onConversionError: (any Error) -> Void
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
            onConversionError(error)
        }
    }
}
