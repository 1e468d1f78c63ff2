/// The code of a ``BridgeError``: one vocabulary in Swift, on the wire and in JavaScript.
///
/// The codes without a dot are this package's closed set. A handler may throw a code of its own, which has a
/// dot (`shop.outOfStock`), so that the two can never meet.
public struct BridgeErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The code as it stands on the wire.
    public let rawValue: String

    /// Makes a code from its text.
    ///
    /// A text without a dot that is not of the set is kept, for peers newer than this one.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code as it stands on the wire.
    public var description: String { rawValue }

    /// Whether this is a user's own code: one with a dot.
    public var isUserDefined: Bool { rawValue.contains(".") }

    /// No handler has the name that was called.
    public static let handlerNotFound = BridgeErrorCode(rawValue: "handlerNotFound")
    /// The handler threw an error without a code of its own.
    public static let handlerFailed = BridgeErrorCode(rawValue: "handlerFailed")
    /// The call itself was wrong: a name that is no string, an option out of range.
    public static let invalidArgument = BridgeErrorCode(rawValue: "invalidArgument")
    /// A message is not of the protocol's form.
    public static let invalidMessage = BridgeErrorCode(rawValue: "invalidMessage")
    /// A payload cannot be put into a message: a cycle, a value that throws when read.
    public static let encodeFailed = BridgeErrorCode(rawValue: "encodeFailed")
    /// A payload is not of the type that its reader asked for.
    public static let decodeFailed = BridgeErrorCode(rawValue: "decodeFailed")
    /// The caller gave up.
    public static let cancelled = BridgeErrorCode(rawValue: "cancelled")
    /// The call's time was over.
    public static let deadlineExceeded = BridgeErrorCode(rawValue: "deadlineExceeded")
    /// The other side is gone: closed, reset or reloaded.
    public static let disconnected = BridgeErrorCode(rawValue: "disconnected")
    /// The caller has no grant for this.
    public static let denied = BridgeErrorCode(rawValue: "denied")
    /// The other side has more to do than it takes.
    public static let overloaded = BridgeErrorCode(rawValue: "overloaded")
    /// A limit was reached; the message has both numbers.
    public static let limitExceeded = BridgeErrorCode(rawValue: "limitExceeded")
    /// The transport or the peer cannot do this.
    public static let unsupported = BridgeErrorCode(rawValue: "unsupported")
    /// Waiting here would never end.
    public static let wouldDeadlock = BridgeErrorCode(rawValue: "wouldDeadlock")
    /// A script threw outside a handler, or could not be read.
    public static let scriptFailed = BridgeErrorCode(rawValue: "scriptFailed")
    /// The script was stopped at a limit or from outside.
    public static let terminated = BridgeErrorCode(rawValue: "terminated")
    /// A mistake in this package.
    public static let `internal` = BridgeErrorCode(rawValue: "internal")
}

extension BridgeErrorCode: ExpressibleByStringLiteral {
    /// Makes a code of one's own, which has a dot: `throw BridgeError("shop.outOfStock", "Sold out.")`.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
