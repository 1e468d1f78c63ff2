/// The code of a ``BridgeError``: one vocabulary in Swift, on the wire and in JavaScript.
///
/// The codes without a dot are this package's closed set. A handler may throw a code of its own, which has a dot
/// (`shop.outOfStock`), so that the two sets are disjoint.
public struct BridgeErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code as the wire has it.
    public let rawValue: String

    /// Creates a code from its string.
    ///
    /// A string without a dot that is not in the set is kept, because a newer peer may send it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code as the wire has it.
    public var description: String { rawValue }

    /// A Boolean value that indicates whether this is a user's own code, which has a dot.
    public var isUserDefined: Bool { rawValue.contains(".") }

    /// No handler is registered for the name.
    public static let handlerNotFound = BridgeErrorCode(rawValue: "handlerNotFound")
    /// The handler threw an error without a code of its own.
    public static let handlerFailed = BridgeErrorCode(rawValue: "handlerFailed")
    /// The call itself was wrong: a name that is not a string, or an option out of range.
    public static let invalidArgument = BridgeErrorCode(rawValue: "invalidArgument")
    /// A message does not have the form of the protocol.
    public static let invalidMessage = BridgeErrorCode(rawValue: "invalidMessage")
    /// A payload cannot be encoded into a message: it has a cycle, or a value that throws when it is read.
    public static let encodeFailed = BridgeErrorCode(rawValue: "encodeFailed")
    /// A payload does not have the type that its reader requested.
    public static let decodeFailed = BridgeErrorCode(rawValue: "decodeFailed")
    /// The caller cancelled the call.
    public static let cancelled = BridgeErrorCode(rawValue: "cancelled")
    /// The deadline of the call passed.
    public static let deadlineExceeded = BridgeErrorCode(rawValue: "deadlineExceeded")
    /// The other side no longer exists: it was closed, reset or reloaded.
    public static let disconnected = BridgeErrorCode(rawValue: "disconnected")
    /// The caller has no grant for the operation.
    public static let denied = BridgeErrorCode(rawValue: "denied")
    /// The other side has too much pending work to accept more.
    public static let overloaded = BridgeErrorCode(rawValue: "overloaded")
    /// A limit was reached; the message has both numbers.
    public static let limitExceeded = BridgeErrorCode(rawValue: "limitExceeded")
    /// The transport or the peer does not support the operation.
    public static let unsupported = BridgeErrorCode(rawValue: "unsupported")
    /// Waiting here would never end.
    public static let wouldDeadlock = BridgeErrorCode(rawValue: "wouldDeadlock")
    /// A script threw outside a handler, or could not be parsed.
    public static let scriptFailed = BridgeErrorCode(rawValue: "scriptFailed")
    /// The script was terminated by a limit or from outside.
    public static let terminated = BridgeErrorCode(rawValue: "terminated")
    /// A mistake in this package.
    public static let `internal` = BridgeErrorCode(rawValue: "internal")
}

extension BridgeErrorCode: ExpressibleByStringLiteral {
    /// Creates a user's own code, which has a dot: `throw BridgeError("shop.outOfStock", "Sold out.")`.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
