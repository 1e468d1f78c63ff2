/// A message in the explorer's form: what both ends must agree about, independent of a session's implementation.
public struct SessionMessage: Sendable, Hashable {
    /// The content of a message, beside its payload.
    public enum Body: Sendable, Hashable {
        /// A call of a handler; without an id no reply is expected.
        case request(name: String, id: SessionIdentifier?, wishes: SessionCapabilities, deadline: Duration?)
        /// The reply to a request.
        case response(SessionIdentifier, SessionResponse)
        /// A message of the protocol itself, beside calls and replies.
        case control(SessionControl, SessionIdentifier, number: UInt64, code: String?)
    }

    /// The content.
    public var body: Body
    /// The number of its payload, if it has one.
    public var payload: Int?
    /// The operation that it is charged to, which is the same at both ends.
    public var account: Int?

    /// Creates a message.
    public init(_ body: Body, payload: Int? = nil, account: Int? = nil) {
        self.body = body
        self.payload = payload
        self.account = account
    }
}

/// The id of a call or a stream, or the name of a topic.
public enum SessionIdentifier: Sendable, Hashable {
    /// A string, as on a wire.
    case text(String)
    /// A number that does not leave the process.
    case number(UInt64)
}

/// The outcome of a call.
public enum SessionResponse: Sendable, Hashable {
    /// A result; its payload is the message's.
    case result
    /// A stream, by its id.
    case stream(SessionIdentifier)
    /// An error with this code.
    case failure(String)
}

/// The capabilities of a caller, beside results.
public struct SessionCapabilities: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The reply may be an error instead of a result.
    public static let errors = Self(rawValue: 1)
    /// The reply may be a stream instead of a result.
    public static let streams = Self(rawValue: 2)
    /// Progress of the call may be reported.
    public static let progress = Self(rawValue: 4)
}

/// A kind of control message, beside calls and replies.
public enum SessionControl: String, Sendable, Hashable {
    /// The caller cancels a call.
    case cancel
    /// The progress of a call.
    case progress
    /// An item of a stream, with its number from 0.
    case next
    /// The end of a stream, with the number of its items.
    case end
    /// The number of additional items that may be sent.
    case more
    /// The reader cancels a stream.
    case stop
    /// The sender listens to a topic.
    case subscribe
    /// The sender stops listening to a topic.
    case unsubscribe
    /// An event of a topic, with its number from 0.
    case event
    /// The sender supports extensions.
    case hello
    /// The sender releases references.
    case release
}

extension SessionIdentifier: CustomStringConvertible {
    /// The id as in a log.
    public var description: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let number): "#\(number)"
        }
    }
}

extension SessionMessage: CustomStringConvertible {
    /// The message on one line.
    public var description: String {
        let charge = account.map { " operation \($0)" } ?? ""
        let data = (payload.map { " payload \($0)" } ?? "") + charge
        switch body {
        case .request(let name, let id, let wishes, let deadline):
            let id = id.map { " id \($0)" } ?? ""
            return
                "request \"\(name)\"\(id) wishes \(wishes.rawValue)\(deadline.map { " by \($0)" } ?? "")\(data)"
        case .response(let id, let response): return "response to \(id): \(response)\(data)"
        case .control(let kind, let id, let number, let code):
            return "\(kind.rawValue) \(id) \(number)\(code.map { " \($0)" } ?? "")\(data)"
        }
    }
}
