public import BridgeValues

/// A message of the protocol with its payload, as a journal stores it.
public struct JournalMessage: Sendable, Hashable {
    /// The kind of a message.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A call, or a notification where it has no id.
        case request
        /// The reply to a call.
        case response
        /// A message of the protocol itself, beside calls and replies.
        case control
    }

    /// The kind of the message.
    public var kind: Kind
    /// The name of the handler that a request calls.
    public var handlerName: String?
    /// The id of the call, the stream or the topic: a number in process, a string on a wire.
    public var id: Value?
    /// The payload; `nil` where the message has none, which is not the same as `null`.
    public var payload: Value?
    /// The record of its error.
    public var error: Value?
    /// The id of the stream that a response opens.
    public var stream: Value?
    /// The kind of a control message: `cancel`, `next`, `more` and so on.
    public var control: String?
    /// The number of an item or an event, the length of a stream, a credit.
    public var number: UInt64 = 0
    /// The remaining time of the caller in milliseconds; `nil` means no deadline.
    ///
    /// In a message from a script it is rounded, and two messages that differ in it alone are equal.
    public var timeout: Double?
    /// The capabilities of its sender, by their names on the wire.
    public var accepts: [String] = []
    /// The trace that it belongs to, and its parent.
    public var trace: BridgeTrace?
    /// A Boolean value that indicates whether a journal without secrets replaces the whole payload by a mark (R38).
    package var hidesPayload = false

    /// Creates an empty message.
    public init(_ kind: Kind) { self.kind = kind }
}

extension JournalMessage {
    /// Creates the journal's form of a message.
    package init(_ message: BridgeMessage, payload: Value?, now: Duration) {
        switch message {
        case .request(let request):
            self.init(.request)
            handlerName = request.handlerName
            id = request.callbackID.map(Value.init)
            self.payload = payload
            timeout = request.deadline.map { max(($0 - now).inMicroseconds, 0) / 1_000 }
            accepts = request.accepts.names
            trace = request.trace
        case .response(let response):
            self.init(.response)
            id = Value(response.responseID)
            switch response.outcome {
            case .payload: self.payload = payload
            case .stream(let stream): self.stream = Value(stream)
            case .failure(let error): self.error = error.record
            }
            accepts = response.accepts.names
        case .control(let control):
            self.init(.control)
            self.control = "\(control.kind)"
            id = Value(control.id)
            number = control.number
            self.payload = payload
            error = control.error?.record
        }
    }

    /// Creates the message of the protocol again.
    ///
    /// - Parameter now: The time on the clock of its deadline.
    /// - Returns: The message, and its payload.
    /// - Throws: `invalidMessage` for an incomplete message.
    package func message(now: Duration) throws(BridgeError) -> (message: BridgeMessage, payload: Value?) {
        switch kind {
        case .request:
            guard let handlerName else { throw Self.incomplete("a request needs the name of a handler") }
            var request = BridgeMessage.Request(
                handlerName: handlerName,
                accepts: CallerCapabilities(names: accepts)
            )
            request.callbackID = try id.map { value throws(BridgeError) in try MessageID(value) }
            // Whole microseconds, as they were sent, so that the script receives exactly the same number.
            request.deadline = timeout.map {
                now + .microseconds(Int64((min(max($0, 0), 1e12) * 1_000).rounded()))
            }
            request.trace = trace
            return (.request(request), payload)
        case .response:
            guard let id else { throw Self.incomplete("a response needs an id") }
            let outcome: CallOutcome
            if let error {
                outcome = .failure(BridgeError(record: error))
            } else if let stream {
                outcome = .stream(try MessageID(stream))
            } else {
                outcome = .payload(nil)
            }
            let response = BridgeMessage.Response(
                responseID: try MessageID(id),
                outcome: outcome,
                accepts: CallerCapabilities(names: accepts)
            )
            return (.response(response), payload)
        case .control:
            guard let control, let kind = Control.Kind(named: control) else {
                throw Self.incomplete("a control message needs a known kind")
            }
            guard let id else { throw Self.incomplete("a control message needs an id") }
            let message = Control(
                kind,
                try MessageID(id, mayBeEmpty: true),
                number: number,
                error: error.map { BridgeError(record: $0) }
            )
            return (.control(message), payload)
        }
    }

    private static func incomplete(_ rule: String) -> BridgeError {
        BridgeError(.invalidMessage, "A message of the journal is incomplete: \(rule).")
    }
}

extension Value {
    fileprivate init(_ id: MessageID) {
        switch id {
        case .text(let text): self = .string(text)
        case .number(let number): self = .integer(Int64(clamping: number))
        }
    }
}

extension MessageID {
    fileprivate init(_ value: Value, mayBeEmpty: Bool = false) throws(BridgeError) {
        switch value {
        case .integer(let number) where number > 0: self = .number(UInt64(number))
        case .string(let text) where mayBeEmpty || !text.isEmpty: self = .text(text)
        default:
            throw BridgeError(.invalidMessage, "A message of the journal has an invalid id.")
        }
    }
}

extension Control.Kind {
    fileprivate static let all: [Control.Kind] = (1...UInt8.max).compactMap(Control.Kind.init(rawValue:))

    init?(named name: String) {
        guard let kind = Self.all.first(where: { "\($0)" == name }) else { return nil }
        self = kind
    }
}

extension Duration {
    /// The time in whole microseconds.
    fileprivate var inMicroseconds: Double {
        (Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12).rounded()
    }
}
