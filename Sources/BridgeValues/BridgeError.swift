/// An error of the bridge: a code for programs, a message for people, and where it came from.
///
/// The same five parts exist in Swift, on the wire (`x.err`) and in JavaScript (`BridgeError`), so that an
/// error keeps its code, message, data and cause over any number of crossings.
public struct BridgeError: Error, Sendable, Hashable {
    /// What went wrong, from the closed set of ``BridgeErrorCode`` or a user's own code with a dot.
    public var code: BridgeErrorCode
    /// What went wrong, in a sentence for the person who reads the log.
    public var message: String
    /// What the thrower wants its caller to have, if anything.
    public var data: Value?
    /// The frames of both languages, innermost first.
    public var frames: [StackFrame]
    // An array because a struct cannot hold itself; it has at most one element.
    private var causes: [BridgeError]

    /// The error that led to this one.
    public var cause: BridgeError? {
        get { causes.first }
        set { causes = newValue.map { [$0] } ?? [] }
    }

    /// Makes an error.
    public init(
        _ code: BridgeErrorCode,
        _ message: String,
        data: Value? = nil,
        cause: BridgeError? = nil,
        frames: [StackFrame] = []
    ) {
        self.code = code
        self.message = message
        self.data = data
        self.frames = frames
        causes = cause.map { [$0] } ?? []
    }
}

extension BridgeError: CustomStringConvertible {
    /// Code, message, frames and causes, one a line.
    public var description: String {
        var lines = ["\(code): \(message)"]
        lines += frames.map { "    at \($0)" }
        if let cause { lines.append("caused by \(cause)") }
        return lines.joined(separator: "\n")
    }
}

/// One function of a call stack, of either language.
public struct StackFrame: Sendable, Hashable, CustomStringConvertible {
    /// The function's name, empty where it has none.
    public var function: String
    /// The source's name as given when it was loaded, or the Swift file.
    public var sourceURL: String?
    /// The line, from 1.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?

    /// Makes a frame.
    public init(function: String, sourceURL: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.function = function
        self.sourceURL = sourceURL
        self.line = line
        self.column = column
    }

    /// The frame as `function (source:line:column)`.
    public var description: String {
        let place = [sourceURL, line.map(String.init), column.map(String.init)].compactMap { $0 }
        let name = function.isEmpty ? "<anonymous>" : function
        return place.isEmpty ? name : "\(name) (\(place.joined(separator: ":")))"
    }
}
