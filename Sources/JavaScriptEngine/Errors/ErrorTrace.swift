internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// The frames of an error, parsed from the engine's stack string on first use, and the thrown value in the engine.
///
/// Most errors are caught only for their code or message, and parsing a stack costs as much as the throw itself.
// @unchecked Sendable because the strings never change and a lock protects the parts. The address of the thrown value
// is set before the object is shared, and only the engine's owner dereferences it, in a turn.
final class ErrorTrace: @unchecked Sendable {
    /// The data that is parsed from the stack string.
    struct Parts: Sendable, Hashable {
        var frames: [StackFrame] = []
        var sourceURL: String?
        var line: Int?
        var column: Int?
        var codeFrame: String?
        var sourceMapProblems: [String] = []
    }

    /// The position that an error itself names, such as that of a syntax error, which has no frames.
    struct Place: Sendable {
        var sourceURL: String?
        var line: Int?
        var column: Int?
    }

    /// The stack in the engine's format.
    private let stack: String
    /// The stacks of the asynchronous hops before it, in the same format.
    private let trail: String
    /// The frames that the error had before it was thrown into the script.
    private let innerFrames: [StackFrame]
    private let own: Place?
    private let sources: TraceSources?
    private let read: Mutex<Parts?>
    private var thrown: JSValueRef?
    private var releases: DeferredReleaseQueue?
    /// The trace that this one is a changed copy of.
    ///
    /// It retains the thrown value.
    private let original: ErrorTrace?

    init(_ parts: Parts = Parts(), changedFrom original: ErrorTrace? = nil) {
        self.original = original
        stack = ""
        trail = ""
        innerFrames = []
        own = nil
        sources = nil
        read = Mutex(parts)
    }

    init(
        stack: String,
        trail: String = "",
        innerFrames: [StackFrame] = [],
        own: Place? = nil,
        sources: TraceSources
    ) {
        self.stack = stack
        self.trail = trail
        self.innerFrames = innerFrames
        self.own = own
        self.sources = sources
        read = Mutex(nil)
        original = nil
    }

    /// The parsed data.
    ///
    /// It is computed on first use.
    var parts: Parts {
        read.withLock { parts in
            if let parts { return parts }
            let made = makeParts()
            parts = made
            return made
        }
    }

    /// Returns a copy with changed parts.
    func changing(_ change: (inout Parts) -> Void) -> ErrorTrace {
        var parts = self.parts
        change(&parts)
        return ErrorTrace(parts, changedFrom: self)
    }

    // MARK: - What was thrown

    /// Protects the thrown value for the life of this object.
    ///
    /// It does not retain the context, because the exception may be on any thread.
    func keep(_ thrown: JSValueRef, in context: JSContext) {
        self.thrown = thrown
        releases = context.virtualMachine.releases
        JSValueProtect(context.ref, thrown)
    }

    /// Returns the thrown value if it is in the heap of this context.
    func thrown(in context: JSContext) -> JSValueRef? {
        if let original { return original.thrown(in: context) }
        return context.virtualMachine.releases === releases ? thrown : nil
    }

    deinit {
        guard let thrown, let releases else { return }
        // Most traces are released in the turn that threw them, on its thread. A loop that throws a million times in
        // one turn must not retain them all until its end.
        if let pointer = jsb_current_machine() {
            let machine = Unmanaged<JSVirtualMachine>.fromOpaque(pointer).takeUnretainedValue()
            if machine.releases === releases, let context = machine.turnContext {
                JSValueUnprotect(context, thrown)
                return
            }
        }
        releases.enqueueRelease(thrown)
    }

    // MARK: - Reading

    private func makeParts() -> Parts {
        var parts = Parts()
        guard let sources else { return parts }
        var generated = innerFrames + StackFrame.parse(stack, hostFunctions: sources.hostFunctions)
        // Parsed separately from the stack, which a script can set to any string.
        generated += StackFrame.parse(trail)
        generated = sources.texts.withoutAsyncWrappers(generated).stitched
        parts.frames = generated.map { sources.texts.original(of: $0, &parts.sourceMapProblems) }
        if let own = ownPlace(besides: parts.frames) {
            let place = sources.texts.original(of: own, &parts.sourceMapProblems)
            (parts.sourceURL, parts.line, parts.column) = (place.sourceURL, place.line, place.column)
            parts.codeFrame = sources.texts.codeFrame(of: own)
        } else if let index = parts.frames.firstIndex(where: {
            $0.line != nil && $0.language == .javaScript
        }) {
            let place = parts.frames[index]
            (parts.sourceURL, parts.line, parts.column) = (place.sourceURL, place.line, place.column)
            parts.codeFrame = sources.texts.codeFrame(of: generated[index])
        }
        parts.frames = parts.frames.bounded
        return parts
    }

    /// Returns the position that the error names if it is better than that of its frames.
    private func ownPlace(besides frames: [StackFrame]) -> StackFrame? {
        guard let own, own.sourceURL != StackFrame.internalSourceURL else { return nil }
        guard own.sourceURL != nil || frames.allSatisfy({ $0.line == nil }) else { return nil }
        return StackFrame(
            function: "",
            sourceURL: own.sourceURL,
            line: own.line,
            column: own.column
        )
    }
}

/// The data needed to parse a trace: a snapshot of a context's scripts and its Swift functions.
final class TraceSources: Sendable {
    let texts: ScriptSources
    let hostFunctions: [String: StackFrame]

    init(texts: ScriptSources, hostFunctions: [String: StackFrame]) {
        self.texts = texts
        self.hostFunctions = hostFunctions
    }
}
