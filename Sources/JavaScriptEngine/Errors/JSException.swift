public import BridgeValues

/// An error that a script threw, as data: it outlives the context and crosses threads.
///
/// Anything can be thrown in JavaScript. Of an `Error` this keeps its parts; of any other value the value
/// itself (``thrownValue``) and its text as the message.
public struct JSException: Error, Sendable, Hashable {
    /// The error's name, such as `TypeError`; empty where no `Error` was thrown.
    public var name: String
    /// The error's message, or the text of what was thrown.
    public var message: String
    /// The functions that were running, innermost first.
    ///
    /// A `SyntaxError` has none.
    public var frames: [StackFrame]
    /// The source's name as given to ``JSContext/evaluate(_:sourceURL:startingLine:)``.
    public var sourceURL: String?
    /// The line, from 1.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?
    /// The error's `code`, where it has one that is text, as a `BridgeError` does.
    public var code: String?
    /// The error's `data`, where it has any.
    public var data: Value?
    /// What was thrown, where it was no `Error`.
    public var thrownValue: Value?
    /// Whether the script was stopped, at a limit or from outside, instead of throwing.
    ///
    /// The frames are then those of the moment at which it was stopped.
    public var isTermination: Bool
    /// Which limit stopped the script, or who did; `nil` where it threw by itself.
    public var termination: TerminationReason?
    /// The source around the place, with a mark under it; `nil` where the source or the line is not known.
    public var codeFrame: String?
    private var causes: [JSException] = []

    /// What the error names as its cause.
    public var cause: JSException? { causes.first }

    init(name: String, message: String, stack: String = "", isTermination: Bool = false) {
        self.name = name
        self.message = message
        self.isTermination = isTermination
        frames = StackFrame.parse(stack)
        sourceURL = frames.first?.sourceURL
        line = frames.first?.line
        column = frames.first?.column
    }

    /// Makes the error for a turn that was stopped.
    init(termination: TerminationReason?, stack: String = "") {
        self.init(
            name: "Terminated",
            message: "the script was stopped \(termination.map(String.init(describing:)) ?? "at a limit")",
            stack: stack,
            isTermination: true
        )
        self.termination = termination
    }

    /// Makes an error of the record that the package's own script makes of what was thrown.
    init(record: Value, sources: SourceTexts) {
        self.init(name: record["name"].stringValue ?? "", message: record["message"].text ?? "")
        frames = StackFrame.parse(record["stack"].text ?? "")
        // The engine gives an error's own place only where it made the error; the stack knows it always.
        let place = frames.first { $0.line != nil }
        let isOwn =
            record["sourceURL"].stringValue.map { $0 != JSContext.internalSourceURL } ?? (place == nil)
        sourceURL = isOwn ? record["sourceURL"].stringValue : place?.sourceURL
        line = isOwn ? record["line"].integerValue.map(Int.init) : place?.line
        column = isOwn ? record["column"].integerValue.map(Int.init) : place?.column
        code = record["code"].stringValue
        data = record["data"] == .undefined ? nil : record["data"]
        thrownValue = record["thrown"] == .undefined ? nil : record["thrown"]
        codeFrame = sources.codeFrame(sourceURL: sourceURL, line: line, column: column)
        if record["cause"] != .undefined { causes = [JSException(record: record["cause"], sources: sources)] }
    }
}

extension Value {
    /// Text, lone surrogates replaced.
    var text: String? {
        guard case .illFormedString(let units) = self else { return stringValue }
        return String(decoding: units, as: UTF16.self)
    }
}

extension JSException: CustomStringConvertible {
    /// Place, name and message; the source around the place; the stack; the causes.
    public var description: String {
        var lines = [headline]
        if let codeFrame { lines.append(codeFrame) }
        lines += frames.map { "    at \($0)" }
        if let cause { lines.append("caused by " + cause.description) }
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        let place = [sourceURL, line.map(String.init), column.map(String.init)].compactMap { $0 }
        let text = name.isEmpty ? "uncaught \(message)" : "\(name): \(message)"
        return place.isEmpty ? text : "\(place.joined(separator: ":")): \(text)"
    }
}

extension BridgeError {
    /// Makes an error of this vocabulary of any Swift error: a ``JSException`` keeps its code, data, frames
    /// and causes.
    public init(wrapping error: any Error, defaultCode: BridgeErrorCode = .handlerFailed) {
        switch error {
        case let error as BridgeError: self = error
        case let error as JSException: self.init(error, defaultCode: defaultCode)
        case is CancellationError: self.init(.cancelled, "the call was cancelled")
        default: self.init(defaultCode, String(describing: error))
        }
    }

    /// Makes an error of what a script threw.
    public init(_ exception: JSException, defaultCode: BridgeErrorCode = .scriptFailed) {
        let code =
            exception.isTermination ? .terminated : exception.code.map(BridgeErrorCode.init) ?? defaultCode
        let isPlain = exception.name.isEmpty || exception.name == "Error" || exception.name == "BridgeError"
        self.init(
            code,
            isPlain || exception.isTermination
                ? exception.message : "\(exception.name): \(exception.message)",
            data: exception.data ?? exception.thrownValue,
            cause: exception.cause.map { BridgeError($0, defaultCode: defaultCode) },
            frames: exception.frames
        )
    }
}
