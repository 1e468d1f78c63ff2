package import BridgeValues
internal import CJavaScriptCore

/// The part of a paused script's stack that the engine does not know.
package struct PausedTrace: Sendable {
    /// The operations that led to the running code, such as calls over a bridge, each with the frames that began it.
    ///
    /// Their positions are in the sources of scripts, if source maps have them.
    package let operations: [StackFrame]
}

extension JSContext {
    /// Returns the trace of the code that runs now.
    ///
    /// - Parameter trail: The package's own function that describes the operations.
    /// - Returns: The trace.
    func pausedTrace(_ trail: JSObjectRef?) -> PausedTrace {
        var exception: JSValueRef?
        let text = trail.flatMap { JSObjectCallAsFunction(ref, $0, nil, 0, nil, &exception) }
        let trace = ErrorTrace(stack: "", trail: self.text(of: text) ?? "", sources: traceSources)
        return PausedTrace(operations: trace.parts.frames)
    }
}
