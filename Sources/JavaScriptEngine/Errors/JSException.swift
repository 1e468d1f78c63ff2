public import BridgeValues
public import Foundation

/// An error that a script threw, as data: it outlives the context and crosses threads.
///
/// Anything can be thrown in JavaScript. Of an `Error` this keeps its parts; of any other value the value
/// itself (``thrownValue``) and its text as the message.
///
/// **Identity.** Thrown on into the same virtual machine, by a function that
/// ``JSContext/makeFunction(named:parameterCount:fileID:line:_:)`` made, it is the very object again that was
/// thrown first (`===`), with its own stack; after a change of a part of it, or in another virtual machine,
/// an `Error` made of the parts. Until it goes it keeps that object alive, as a ``JSValue`` does, but not
/// its context. An error of Swift that a script let through is ``underlyingError``.
///
/// **Cost.** The parts are taken in one crossing; frames, place and code frame are made of the text when they
/// are first asked for, source maps included.
public struct JSException: Error, Sendable {
    /// The error's name, such as `TypeError`; empty where no `Error` was thrown.
    public var name: String { didSet { isChanged = true } }
    /// The error's message, or the text of what was thrown.
    public var message: String { didSet { isChanged = true } }
    /// The error's `code`, where it has one that is text, as a `BridgeError` does.
    public var code: String? { didSet { isChanged = true } }
    /// The error's `data`, where it has any.
    public var data: Value? { didSet { isChanged = true } }
    /// What was thrown, where it was no `Error`.
    public var thrownValue: Value? { didSet { isChanged = true } }
    /// The error's own members beside these, and the errors of an `AggregateError`, as `console` shows them:
    /// `{ shop: 7 }`; `nil` where it has none.
    public internal(set) var details: String?
    /// Whether the script was stopped, at a limit or from outside, instead of throwing.
    ///
    /// The frames are then those of the moment at which it was stopped.
    public var isTermination: Bool
    /// Which limit stopped the script, or who did; `nil` where it threw by itself.
    public var termination: TerminationReason?
    /// The error of Swift that was thrown into a script and came out again; `nil` where a script threw first.
    ///
    /// Two exceptions that differ in this alone are equal.
    public var underlyingError: (any Error)?
    private var causes: [JSException] = []
    /// The frames and what is made of them, and what was thrown.
    var trace: ErrorTrace
    /// Whether this says something else than what was thrown.
    var isChanged = false

    /// What the error names as its cause.
    ///
    /// Of a chain of more than ``/BridgeValues/BridgeError/maximumCauseCount`` the last says that it goes on.
    public internal(set) var cause: JSException? {
        get { causes.first }
        set { causes = newValue.map { [$0] } ?? [] }
    }

    init(
        name: String,
        message: String,
        code: String? = nil,
        trace: ErrorTrace = ErrorTrace(),
        isTermination: Bool = false
    ) {
        self.name = name
        self.message = message
        self.code = code
        self.trace = trace
        self.isTermination = isTermination
    }

    /// Makes an error of the package's own side of the script, which nothing has thrown there.
    package init(code: String, message: String) {
        self.init(name: "BridgeError", message: message, code: code)
    }

    /// Makes the error for a turn that was stopped.
    init(termination: TerminationReason?, trace: ErrorTrace = ErrorTrace()) {
        self.init(
            name: "Terminated",
            message: "the script was stopped \(termination.map(String.init(describing:)) ?? "at a limit")",
            trace: trace,
            isTermination: true
        )
        self.termination = termination
    }
}

extension JSException {
    /// The functions that were running, innermost first, and over every hop whoever had asked for it
    /// (``/BridgeValues/StackFrame``).
    ///
    /// A `SyntaxError` has none. Where the script came with a source map, these are the frames of the source.
    public var frames: [StackFrame] {
        get { trace.parts.frames }
        set { trace = trace.changing { $0.frames = newValue } }
    }

    /// The source's name as given to ``JSContext/evaluate(_:sourceURL:startingLine:sourceMaps:)``, or as its
    /// source map has it.
    public var sourceURL: String? {
        get { trace.parts.sourceURL }
        set { trace = trace.changing { $0.sourceURL = newValue } }
    }

    /// The line, from 1.
    public var line: Int? {
        get { trace.parts.line }
        set { trace = trace.changing { $0.line = newValue } }
    }

    /// The column, from 1, in UTF-16 code units.
    public var column: Int? {
        get { trace.parts.column }
        set { trace = trace.changing { $0.column = newValue } }
    }

    /// The source around the place, with a mark under it; `nil` where the source or the line is not known.
    public var codeFrame: String? {
        get { trace.parts.codeFrame }
        set { trace = trace.changing { $0.codeFrame = newValue } }
    }

    /// What was wrong with the source maps of the scripts in the frames; the frames are then as the engine
    /// has them.
    public var sourceMapProblems: [String] { trace.parts.sourceMapProblems }
}

extension JSException {
    /// Whether another exception is of the very value that was thrown here, thrown on in the same machine.
    package func isThrownAgain(by other: JSException, in context: JSContext) -> Bool {
        guard let thrown = trace.thrown(in: context) else { return false }
        return thrown == other.trace.thrown(in: context)
    }
}

extension JSException: Hashable {
    /// Whether both say the same.
    public static func == (left: JSException, right: JSException) -> Bool {
        left.name == right.name && left.message == right.message && left.code == right.code
            && left.data == right.data && left.details == right.details
            && left.thrownValue == right.thrownValue
            && left.isTermination == right.isTermination && left.termination == right.termination
            && left.causes == right.causes
            && (left.trace === right.trace || left.trace.parts == right.trace.parts)
    }

    /// Hashes what tells most errors apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(message)
        hasher.combine(code)
    }
}

extension JSException: CustomStringConvertible {
    /// Place, name, message and code; the source around the place; the stack; the error's own members; the causes.
    public var description: String {
        place + (name.isEmpty ? "uncaught \(message)" : title) + rest
    }

    private var place: String {
        let parts = [sourceURL, line.map(String.init), column.map(String.init)].compactMap { $0 }
        return parts.isEmpty ? "" : "\(parts.joined(separator: ":")): "
    }

    private var title: String {
        let text = name.isEmpty ? message : message.isEmpty ? name : "\(name): \(message)"
        return code.map { "\(text) (\($0))" } ?? text
    }

    private var rest: String {
        var lines = [""]
        if let codeFrame { lines.append(codeFrame) }
        lines += frames.map { "    at \($0)" }
        if let details { lines.append("    " + details.replacing("\n", with: "\n    ")) }
        if let cause { lines.append("caused by " + cause.place + cause.title + cause.rest) }
        return lines.joined(separator: "\n")
    }
}

extension JSException: LocalizedError {
    /// Place, name, message and code in one line, for programs that log `localizedDescription`.
    public var errorDescription: String? { place + (name.isEmpty ? "uncaught \(message)" : title) }
}
