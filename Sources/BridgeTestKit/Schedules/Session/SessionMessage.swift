/// A message as the explorer sees it: what both ends must agree about, and nothing of how a session keeps it.
public struct SessionMessage: Sendable, Hashable {
    /// What a message says beside its payload.
    public enum Body: Sendable, Hashable {
        /// Run a handler; without an id no answer is wanted.
        case request(name: String, id: SessionIdentifier?, wishes: SessionWishes, deadline: Duration?)
        /// The answer to a request.
        case response(SessionIdentifier, SessionResponse)
        /// What the ends tell each other beside calls and replies.
        case control(SessionControl, SessionIdentifier, number: UInt64, code: String?)
    }

    /// What it says.
    public var body: Body
    /// The number of its payload, if it has one.
    public var payload: Int?

    /// Makes a message.
    public init(_ body: Body, payload: Int? = nil) {
        self.body = body
        self.payload = payload
    }
}

/// What a message calls a call, a stream or a topic.
public enum SessionIdentifier: Sendable, Hashable {
    /// A text, as on a wire.
    case text(String)
    /// A number that does not leave the process.
    case number(UInt64)
}

/// What the answer to a call is.
public enum SessionResponse: Sendable, Hashable {
    /// A result; its payload is the message's.
    case result
    /// A stream that begins under an id.
    case stream(SessionIdentifier)
    /// An error with this code.
    case failure(String)
}

/// What the maker of a call takes beside a result.
public struct SessionWishes: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// An error instead of a result.
    public static let errors = Self(rawValue: 1)
    /// A stream instead of a result.
    public static let streams = Self(rawValue: 2)
    /// News of how far the call has come.
    public static let progress = Self(rawValue: 4)
}

/// What the ends tell each other beside calls and replies.
public enum SessionControl: String, Sendable, Hashable {
    /// The caller gave up.
    case cancel
    /// How far a call has come.
    case progress
    /// An item of a stream, by its number from 0.
    case next
    /// A stream has ended after so many items.
    case end
    /// So many more items may be sent.
    case more
    /// The reader of a stream gave up.
    case stop
    /// Somebody listens to a topic.
    case subscribe
    /// Nobody listens to a topic any more.
    case unsubscribe
    /// An event of a topic, by its number from 0.
    case event
    /// The sender knows extensions.
    case hello
    /// References are held no longer.
    case release
}

extension SessionIdentifier: CustomStringConvertible {
    /// The id as it would be written into a log.
    public var description: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let number): "#\(number)"
        }
    }
}

extension SessionMessage: CustomStringConvertible {
    /// The message in one line.
    public var description: String {
        let data = payload.map { " payload \($0)" } ?? ""
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
