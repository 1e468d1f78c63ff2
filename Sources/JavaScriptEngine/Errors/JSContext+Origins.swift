package import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    // A host that makes functions for ever under new names does not grow for ever.
    private static let maximumHostFunctionCount = 4096

    /// Notes where a function of Swift was made, for stacks.
    ///
    /// Of two places under one name neither is shown.
    func noteHostFunction(_ name: String, fileID: String, line: Int) {
        let frame = StackFrame.swift(name, fileID: fileID, line: line)
        guard let known = hostFunctions[name] else {
            if hostFunctions.count < Self.maximumHostFunctionCount { hostFunctions[name] = frame }
            return
        }
        if known != frame { hostFunctions[name] = StackFrame(function: name, language: .swift) }
    }

    /// Ends what a script asked for earlier: what comes next nobody in a script has asked for.
    func leaveOrigin() {
        mayHaveOrigin = false
        var exception: JSValueRef?
        let nothing: [JSValueRef?] = [JSValueMakeNull(ref)]
        JSObjectCallAsFunction(ref, script.enterOrigin, nil, 1, nothing, &exception)
    }

    /// What errors that are thrown now are read with.
    var traceSources: TraceSources {
        if let knownTraceSources { return knownTraceSources }
        let made = TraceSources(texts: sources, hostFunctions: hostFunctions)
        knownTraceSources = made
        return made
    }

    /// The frames of the sources that the scripts of this context were made of, where source maps tell.
    package func original(of frames: [StackFrame]) -> [StackFrame] {
        var problems: [String] = []
        return sources.withoutAsyncWrappers(frames).map { sources.original(of: $0, &problems) }
    }

    /// Runs a body as what nobody in a script has asked for, whatever this turn has run so far; then that goes on.
    ///
    /// A turn must be open.
    package func withoutOrigin<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard mayHaveOrigin else { return try body() }
        var exception: JSValueRef?
        var origin: [JSValueRef?] = [JSValueMakeNull(ref)]
        let outer = JSObjectCallAsFunction(ref, script.enterOrigin, nil, 1, origin, &exception)
        if let outer {
            origin = [outer]
            JSValueProtect(ref, outer)
        }
        mayHaveOrigin = false
        defer {
            JSObjectCallAsFunction(ref, script.enterOrigin, nil, 1, origin, &exception)
            if let outer { JSValueUnprotect(ref, outer) }
            mayHaveOrigin = true
        }
        return try body()
    }

    /// Marks that something which a script asked for earlier runs in this turn.
    package func willEnterOrigin() { mayHaveOrigin = true }

    func shareCapturesAsyncStacks() {
        guard let shared = script.internalObject else { return }
        try? withTurn {
            try setInternal(
                "capturesAsyncStacks",
                to: JSValueMakeBoolean(ref, capturesAsyncStacks),
                on: shared
            )
        }
    }
}
