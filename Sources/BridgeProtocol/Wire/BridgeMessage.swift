package import BridgeValues

/// A message of the protocol, with its payload as a token.
package enum BridgeMessage: Sendable, Hashable {
    /// A call, or a notification if it has no id.
    case request(Request)
    /// The reply to a call.
    case response(Response)
    /// A message of the protocol itself, beside calls and replies.
    case control(Control)

    /// A message that calls a handler of the other side.
    package struct Request: Sendable, Hashable {
        /// The name of the handler: any string.
        package var handlerName: String
        /// The id for the reply; `nil` if no reply is expected.
        package var callbackID: MessageID?
        /// The payload; `nil` where the message has none, which is not the same as `null`.
        package var payload: PayloadToken?
        /// The capabilities of the sender (`x.acc`).
        package var accepts: CallerCapabilities
        /// The time at which the sender stops waiting, on this side's clock.
        ///
        /// A text wire carries the remaining time (`x.ttl`).
        package var deadline: Duration?
        /// The trace that it belongs to (`x.t`).
        package var trace: BridgeTrace?
        /// A Boolean value that indicates whether later requests may refer to its result (`x.keep`).
        package var keepsResult = false
        /// The budget that the work on it is charged to; not a part of the message.
        package var account: WorkBudget?
        /// The admission by the grants; never read from a message.
        var admission: Admission?

        /// Creates a request.
        package init(
            handlerName: String,
            callbackID: MessageID? = nil,
            payload: PayloadToken? = nil,
            accepts: CallerCapabilities = [],
            deadline: Duration? = nil
        ) {
            self.handlerName = handlerName
            self.callbackID = callbackID
            self.payload = payload
            self.accepts = accepts
            self.deadline = deadline
        }
    }

    /// A message that replies to a request.
    package struct Response: Sendable, Hashable {
        /// The id of the request.
        package var responseID: MessageID
        /// The handler's result, or the error.
        package var outcome: CallOutcome
        /// The capabilities that its request stated; not a part of the message.
        package var accepts: CallerCapabilities
        /// The budget that the work on it is charged to; not a part of the message.
        package var account: WorkBudget?

        /// Creates a response.
        package init(
            responseID: MessageID,
            outcome: CallOutcome,
            accepts: CallerCapabilities = [],
            account: WorkBudget? = nil
        ) {
            self.responseID = responseID
            self.outcome = outcome
            self.accepts = accepts
            self.account = account
        }
    }
}

/// The outcome of a call: a payload, a stream that begins, or an error.
package enum CallOutcome: Sendable, Hashable {
    /// The handler's result, or `nil` where the reply has none.
    case payload(PayloadToken?)
    /// A stream, by the id that its producer chose for it (`x.st.sid`).
    case stream(MessageID)
    /// The error.
    ///
    /// Indirect, so that the common case stays small.
    indirect case failure(BridgeError)
}

extension BridgeMessage {
    /// The token of the message's payload, if it has one.
    package var payload: PayloadToken? {
        switch self {
        case .request(let request): request.payload
        case .response(let response): response.outcome.payload
        case .control(let control): control.payload
        }
    }
}

extension BridgeMessage {
    /// The budget that the work on it is charged to.
    package var account: WorkBudget? {
        switch self {
        case .request(let request): request.account
        case .response(let response): response.account
        case .control(let control): control.account
        }
    }
}

extension CallOutcome {
    /// The token of the outcome's payload, if it has one.
    package var payload: PayloadToken? {
        guard case .payload(let token) = self else { return nil }
        return token
    }

    /// The error, if the outcome is one.
    package var error: BridgeError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
