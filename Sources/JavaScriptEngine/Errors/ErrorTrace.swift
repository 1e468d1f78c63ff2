internal import BridgeValues
internal import Synchronization

/// The frames of an error, made of the engine's text when somebody asks.
///
/// Most errors are caught for their code or message; to parse a stack costs as much as the throw itself.
final class ErrorTrace: Sendable {
    /// What is made of the text.
    struct Parts: Sendable, Hashable {
        var frames: [StackFrame] = []
        var sourceURL: String?
        var line: Int?
        var column: Int?
        var codeFrame: String?
        var sourceMapProblems: [String] = []
    }

    /// The text, and what it takes to read it.
    struct Source: Sendable {
        /// The stack as the engine writes it.
        var stack = ""
        /// The hops that led to what ran, in the same form.
        var trail = ""
        /// The frames that the error had before it was thrown into the script.
        var innerFrames: [StackFrame] = []
        /// The place that the error itself names: that of a syntax error, which has no frames.
        var sourceURL: String?
        var line: Int?
        var column: Int?
        var texts = SourceTexts()
        var hostFunctions: [String: StackFrame] = [:]
    }

    private enum State {
        case unread(Source)
        case read(Parts)
    }

    private let state: Mutex<State>

    init(_ parts: Parts = Parts()) { state = Mutex(.read(parts)) }

    init(_ source: Source) { state = Mutex(.unread(source)) }

    /// The parts; read once, by whoever asks first.
    var parts: Parts {
        state.withLock { state in
            switch state {
            case .read(let parts): return parts
            case .unread(let source):
                let parts = source.read()
                state = .read(parts)
                return parts
            }
        }
    }

    /// A trace with other parts.
    func changing(_ change: (inout Parts) -> Void) -> ErrorTrace {
        var parts = self.parts
        change(&parts)
        return ErrorTrace(parts)
    }
}

extension ErrorTrace.Source {
    fileprivate func read() -> ErrorTrace.Parts {
        var parts = ErrorTrace.Parts()
        var generated = innerFrames + StackFrame.parse(stack, hostFunctions: hostFunctions)
        // Told apart from a stack, which a script can set to any text.
        generated += StackFrame.parse(trail)
        generated = generated.stitched
        parts.frames = generated.map { texts.original(of: $0, &parts.sourceMapProblems) }
        let isOwn = sourceURL != nil && sourceURL != StackFrame.internalSourceURL
        if isOwn || parts.frames.allSatisfy({ $0.line == nil }) {
            let own = StackFrame(
                function: "",
                sourceURL: isOwn ? sourceURL : nil,
                line: isOwn || sourceURL == nil ? line : nil,
                column: isOwn || sourceURL == nil ? column : nil
            )
            let place = texts.original(of: own, &parts.sourceMapProblems)
            (parts.sourceURL, parts.line, parts.column) = (place.sourceURL, place.line, place.column)
            parts.codeFrame = texts.codeFrame(of: own)
        } else if let index = parts.frames.firstIndex(where: { $0.line != nil && $0.language == .javaScript })
        {
            let place = parts.frames[index]
            (parts.sourceURL, parts.line, parts.column) = (place.sourceURL, place.line, place.column)
            parts.codeFrame = texts.codeFrame(of: generated[index])
        }
        parts.frames = parts.frames.bounded
        return parts
    }
}
