package import BridgeValues
internal import CJavaScriptCore

extension JSContext {
    // Bounds the table, so that a host that keeps creating functions under new names does not exhaust memory.
    private static let maximumHostFunctionCount = 4096

    /// Records the source position at which a Swift function was created, for stacks.
    ///
    /// If two positions share a name, neither is shown.
    func noteHostFunction(_ name: String, fileID: String, line: Int) {
        let frame = StackFrame.swift(name, fileID: fileID, line: line)
        guard let known = stacks.hostFunctions[name] else {
            if stacks.hostFunctions.count < Self.maximumHostFunctionCount {
                stacks.hostFunctions[name] = frame
            }
            return
        }
        if known != frame { stacks.hostFunctions[name] = StackFrame(function: name, language: .swift) }
    }

    /// Ends the asynchronous origin: the code that runs next was not scheduled by a script.
    func leaveOrigin() {
        errors.mayHaveOrigin = false
        var exception: JSValueRef?
        let nothing: [JSValueRef?] = [JSValueMakeNull(ref)]
        JSObjectCallAsFunction(ref, script.enterOrigin, nil, 1, nothing, &exception)
    }

    /// The sources and functions for parsing the errors that are thrown now.
    var traceSources: TraceSources { stacks.shared }

    /// Returns the frames in the original sources of this context's scripts, if source maps have them.
    package func original(of frames: [StackFrame]) -> [StackFrame] {
        var problems: [String] = []
        return stacks.sources.withoutAsyncWrappers(frames).map { stacks.sources.original(of: $0, &problems) }
    }

    /// Runs a body without an asynchronous origin, whatever this turn has run before, and restores the origin
    /// afterwards.
    ///
    /// A turn must be open.
    package func withoutOrigin<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard errors.mayHaveOrigin else { return try body() }
        var exception: JSValueRef?
        var origin: [JSValueRef?] = [JSValueMakeNull(ref)]
        let outer = JSObjectCallAsFunction(ref, script.enterOrigin, nil, 1, origin, &exception)
        if let outer {
            origin = [outer]
            JSValueProtect(ref, outer)
        }
        errors.mayHaveOrigin = false
        defer {
            JSObjectCallAsFunction(ref, script.enterOrigin, nil, 1, origin, &exception)
            if let outer { JSValueUnprotect(ref, outer) }
            errors.mayHaveOrigin = true
        }
        return try body()
    }

    /// Records that code which a script has scheduled earlier runs in this turn.
    package func willEnterOrigin() { errors.mayHaveOrigin = true }

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
