public import BridgeValues
public import Foundation

/// An error that a script threw, as data.
///
/// It outlives the context and can be sent to other threads.
///
/// A script can throw any value. From an `Error`, the exception stores the parts; from any other value, the value
/// itself (``thrownValue``) and its string as the message.
///
/// **Identity.** A function that ``JSContext/makeFunction(named:parameterCount:fileID:line:_:)`` made can throw the
/// exception back into the same virtual machine. The script then gets the very object that was thrown first (`===`),
/// with its own stack. After a change of a part, or in another virtual machine, it gets an `Error` made of the parts.
/// The exception retains that object, as a ``JSValue`` does, but not its context. ``underlyingError`` is the Swift
/// error that a script did not catch.
///
/// **Cost.** The parts are read in one call. Frames, position and code frame are parsed on first use, source maps
/// included.
public struct JSException: Error, Sendable {
    /// The error's name, such as `TypeError`; empty if the thrown value was not an `Error`.
    public var name: String { didSet { isChanged = true } }
    /// The error's message, or the thrown value as a string.
    public var message: String { didSet { isChanged = true } }
    /// The error's `code` if it is a string, as that of a `BridgeError` is.
    public var code: String? { didSet { isChanged = true } }
    /// The error's `data`, if any.
    public var data: Value? { didSet { isChanged = true } }
    /// The thrown value, if it was not an `Error`.
    public var thrownValue: Value? { didSet { isChanged = true } }
    /// The error's own further properties, and the errors of an `AggregateError`, as `console` shows them: `{ shop: 7
    /// }`; `nil` if there are none.
    public internal(set) var details: String?
    /// A Boolean value that indicates whether the script was terminated, by a limit or from outside, instead of
    /// throwing.
    ///
    /// The frames are then those at the moment of the termination.
    public var isTermination: Bool
    /// The limit or the request that terminated the script; `nil` if the script threw by itself.
    public var termination: TerminationReason?
    /// The Swift error that was thrown into a script and that the script did not catch; `nil` if a script threw first.
    ///
    /// Two exceptions that differ only in this are equal.
    public var underlyingError: (any Error)?
    private var causes: [JSException] = []
    /// The frames with the data parsed from them, and the thrown value.
    var trace: ErrorTrace
    /// A Boolean value that indicates whether a part differs from the thrown value.
    var isChanged = false

    /// The error's cause.
    ///
    /// If the chain is longer than ``/BridgeValues/BridgeError/maximumCauseCount``, its last error says that it
    /// continues.
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

    /// Creates an error of the package itself, which no script has thrown.
    package init(code: String, message: String) {
        self.init(name: "BridgeError", message: message, code: code)
    }

    /// Creates the error for a turn that was terminated.
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
    /// The functions that were running, innermost first.
    ///
    /// Beyond each asynchronous hop follow the functions that had scheduled it (``/BridgeValues/StackFrame``).
    ///
    /// A `SyntaxError` has none. If the script has a source map, these are the frames in the original source.
    public var frames: [StackFrame] {
        get { trace.parts.frames }
        set { trace = trace.changing { $0.frames = newValue } }
    }

    /// The name of the source as given to ``JSContext/evaluate(_:sourceURL:startingLine:sourceMaps:)``, or as in its
    /// source map.
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

    /// The source around the position, with a caret under it; `nil` if the source or the line is not known.
    public var codeFrame: String? {
        get { trace.parts.codeFrame }
        set { trace = trace.changing { $0.codeFrame = newValue } }
    }

    /// The problems with the source maps of the scripts in the frames.
    ///
    /// The affected frames are then as the engine reports them.
    public var sourceMapProblems: [String] { trace.parts.sourceMapProblems }
}

extension JSException {
    /// Returns the thrown value, if it is in the heap of this context.
    package func thrownValue(in context: JSContext) -> JSValue? {
        trace.thrown(in: context).map { JSValue($0, in: context) }
    }

    /// Returns whether another exception is of the same thrown value, thrown again in the same machine.
    package func isThrownAgain(by other: JSException, in context: JSContext) -> Bool {
        guard let thrown = trace.thrown(in: context) else { return false }
        return thrown == other.trace.thrown(in: context)
    }
}

extension JSException: Hashable {
    /// Returns whether all parts are equal.
    public static func == (left: JSException, right: JSException) -> Bool {
        left.name == right.name && left.message == right.message && left.code == right.code
            && left.data == right.data && left.details == right.details
            && left.thrownValue == right.thrownValue
            && left.isTermination == right.isTermination && left.termination == right.termination
            && left.causes == right.causes
            && (left.trace === right.trace || left.trace.parts == right.trace.parts)
    }

    /// Hashes the parts in which most errors differ.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(message)
        hasher.combine(code)
    }
}

extension JSException: CustomStringConvertible {
    /// The position, name, message and code; the source around the position; the stack; the error's own properties; the
    /// causes.
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
    /// The position, name, message and code in one line, for programs that log `localizedDescription`.
    public var errorDescription: String? { place + (name.isEmpty ? "uncaught \(message)" : title) }
}
