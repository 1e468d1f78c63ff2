public import Foundation

/// An error of the bridge: a code for programs, a message for people, and its origin.
///
/// The same five parts exist in Swift, on the wire (`x.err`) and in JavaScript (`BridgeError`). An error therefore
/// keeps its code, message, data and cause each time it crosses the boundary.
public struct BridgeError: Error, Sendable, Hashable {
    /// The kind of the error: a code of the closed set of ``BridgeErrorCode``, or a user's own code with a dot.
    public var code: BridgeErrorCode
    /// A sentence that describes the error to the person who reads the log.
    public var message: String
    /// Data that the thrower adds for its caller, if any.
    public var data: Value?
    /// The stack frames of both languages, innermost first, of every call on the way (``StackFrame``).
    ///
    /// At most ``maximumFrameCount`` of them cross the boundary.
    public var frames: [StackFrame]
    /// The Swift error that this one was created from, as it was thrown; `nil` where there is none.
    ///
    /// It stays in the process. An error that was thrown into a script and caught in Swift again still has it; an error
    /// that crossed a text wire does not. Two errors that differ in this alone are equal.
    public var underlyingError: (any Error)?
    // An array because a struct cannot hold itself; it has at most one element.
    private var causes: [BridgeError]

    /// The error that caused this one.
    public var cause: BridgeError? {
        get { causes.first }
        set { causes = newValue.map { [$0] } ?? [] }
    }

    /// Creates an error.
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

    /// Returns whether two errors are equal; ``underlyingError`` is ignored, because errors cannot be compared.
    public static func == (left: BridgeError, right: BridgeError) -> Bool {
        left.code == right.code && left.message == right.message && left.data == right.data
            && left.frames == right.frames && left.causes == right.causes
    }

    /// Hashes the properties that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(data)
        hasher.combine(frames)
        hasher.combine(causes)
    }
}

extension BridgeError: CustomStringConvertible {
    /// The code, message, frames and causes, each on a line of its own.
    public var description: String {
        var lines = ["\(code): \(message)"]
        lines += frames.map { "    at \($0)" }
        if let cause { lines.append("caused by \(cause)") }
        return lines.joined(separator: "\n")
    }
}

extension BridgeError: LocalizedError {
    /// The code and the message, for programs that log `localizedDescription`.
    public var errorDescription: String? { "\(code): \(message)" }
}
