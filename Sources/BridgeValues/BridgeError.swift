public import Foundation

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
    /// The frames of both languages, innermost first, over all crossings (``StackFrame``).
    ///
    /// At most ``maximumFrameCount`` cross the border.
    public var frames: [StackFrame]
    /// The error of Swift that this one was made of, as it was thrown; `nil` where this is the first.
    ///
    /// It stays in the process: an error that was thrown into a script and comes out again has it still, one
    /// that crossed a wire as text has not. Two errors that differ in this alone are equal.
    public var underlyingError: (any Error)?
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

    /// Whether both say the same; ``underlyingError`` does not count, as errors cannot be compared.
    public static func == (left: BridgeError, right: BridgeError) -> Bool {
        left.code == right.code && left.message == right.message && left.data == right.data
            && left.frames == right.frames && left.causes == right.causes
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(data)
        hasher.combine(frames)
        hasher.combine(causes)
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

extension BridgeError: LocalizedError {
    /// Code and message, for programs that log `localizedDescription`.
    public var errorDescription: String? { "\(code): \(message)" }
}
