internal import BridgeValues
internal import CJavaScriptCore
internal import CJavaScriptCoreSPI
internal import Synchronization

/// The frames of an error, made of the engine's text when somebody asks, and what was thrown, in the engine.
///
/// Most errors are caught for their code or message; to parse a stack costs as much as the throw itself.
// @unchecked Sendable because the text never changes, the parts are locked, and the address of what was thrown
// is set before anybody else has the object and only followed by the owner of the engine, in a turn.
final class ErrorTrace: @unchecked Sendable {
    /// What is made of the text.
    struct Parts: Sendable, Hashable {
        var frames: [StackFrame] = []
        var sourceURL: String?
        var line: Int?
        var column: Int?
        var codeFrame: String?
        var sourceMapProblems: [String] = []
    }

    /// The place that an error itself names: that of a syntax error, which has no frames.
    struct Place: Sendable {
        var sourceURL: String?
        var line: Int?
        var column: Int?
    }

    /// The stack as the engine writes it.
    private let stack: String
    /// The hops that led to what ran, in the same form.
    private let trail: String
    /// The frames that the error had before it was thrown into the script.
    private let innerFrames: [StackFrame]
    private let own: Place?
    private let sources: TraceSources?
    private let read: Mutex<Parts?>
    private var thrown: JSValueRef?
    private var releases: Graveyard?
    /// The trace that this is a changed copy of, which keeps what was thrown.
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

    /// The parts; read once, by whoever asks first.
    var parts: Parts {
        read.withLock { parts in
            if let parts { return parts }
            let made = makeParts()
            parts = made
            return made
        }
    }

    /// A trace with other parts.
    func changing(_ change: (inout Parts) -> Void) -> ErrorTrace {
        var parts = self.parts
        change(&parts)
        return ErrorTrace(parts, changedFrom: self)
    }

    // MARK: - What was thrown

    /// Keeps what was thrown alive as long as this.
    ///
    /// It does not keep the context, as the exception may be anywhere.
    func keep(_ thrown: JSValueRef, in context: JSContext) {
        self.thrown = thrown
        releases = context.virtualMachine.releases
        JSValueProtect(context.ref, thrown)
    }

    /// What was thrown, if it lives in the heap of this context.
    func thrown(in context: JSContext) -> JSValueRef? {
        if let original { return original.thrown(in: context) }
        return context.virtualMachine.releases === releases ? thrown : nil
    }

    deinit {
        guard let thrown, let releases else { return }
        // Most go in the turn that threw them, on its thread: a loop that throws a million times in one turn
        // must not keep them all until its end.
        if let pointer = jsb_current_machine() {
            let machine = Unmanaged<JSVirtualMachine>.fromOpaque(pointer).takeUnretainedValue()
            if machine.releases === releases, let context = machine.turnContext {
                JSValueUnprotect(context, thrown)
                return
            }
        }
        releases.bury(thrown)
    }

    // MARK: - Reading

    private func makeParts() -> Parts {
        var parts = Parts()
        guard let sources else { return parts }
        var generated = innerFrames + StackFrame.parse(stack, hostFunctions: sources.hostFunctions)
        // Told apart from a stack, which a script can set to any text.
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

    /// The place that the error names, where it is better than that of its frames.
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

/// What it takes to read a trace: the scripts of a context and its functions of Swift, as they were.
final class TraceSources: Sendable {
    let texts: SourceTexts
    let hostFunctions: [String: StackFrame]

    init(texts: SourceTexts, hostFunctions: [String: StackFrame]) {
        self.texts = texts
        self.hostFunctions = hostFunctions
    }
}
