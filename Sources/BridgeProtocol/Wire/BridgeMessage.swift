package import BridgeValues

/// One message of the protocol, its payload by token.
package enum BridgeMessage: Sendable, Hashable {
    /// A call, or a notification if it has no id.
    case request(Request)
    /// The answer to a call.
    case response(Response)
    /// What the sides tell each other beside calls and replies.
    case control(Control)

    /// A message that asks the other side to run a handler.
    package struct Request: Sendable, Hashable {
        /// The name of the handler: any text at all.
        package var handlerName: String
        /// What the reply must carry, or `nil` if no reply is wanted.
        package var callbackID: MessageID?
        /// The payload, or `nil` where the message has none (which is not the same as `null`).
        package var payload: PayloadToken?
        /// What the sender takes in return (`x.acc`).
        package var accepts: Acceptance
        /// When the sender stops waiting, on this side's clock.
        ///
        /// A text wire carries it as what is left (`x.ttl`).
        package var deadline: Duration?
        /// The calls that it belongs to (`x.t`).
        package var trace: BridgeTrace?
        /// Whether its result may be referred to by requests that come after it (`x.keep`).
        package var keepsResult = false
        /// What the work on it counts for; no part of the message.
        package var account: WorkAccount?
        /// That the grants have let it in; never said by a message itself.
        var admission: Admission?

        /// Makes a request.
        package init(
            handlerName: String,
            callbackID: MessageID? = nil,
            payload: PayloadToken? = nil,
            accepts: Acceptance = [],
            deadline: Duration? = nil
        ) {
            self.handlerName = handlerName
            self.callbackID = callbackID
            self.payload = payload
            self.accepts = accepts
            self.deadline = deadline
        }
    }

    /// A message that answers a request.
    package struct Response: Sendable, Hashable {
        /// The id that the request carried.
        package var responseID: MessageID
        /// The handler's result, or why there is none.
        package var outcome: CallOutcome
        /// What its request took in return; no part of the message.
        package var accepts: Acceptance
        /// What the work on it counts for; no part of the message.
        package var account: WorkAccount?

        /// Makes a response.
        package init(
            responseID: MessageID,
            outcome: CallOutcome,
            accepts: Acceptance = [],
            account: WorkAccount? = nil
        ) {
            self.responseID = responseID
            self.outcome = outcome
            self.accepts = accepts
            self.account = account
        }
    }
}

/// How a call ended: with a payload, with a stream that begins, or with an error.
package enum CallOutcome: Sendable, Hashable {
    /// The handler's result, or `nil` where the reply has none.
    case payload(PayloadToken?)
    /// What follows comes under this id, which the producer gave (`x.st.sid`).
    case stream(MessageID)
    /// Why there is no result. Indirect, so that the common case stays small.
    indirect case failure(BridgeError)
}

extension BridgeMessage {
    /// The token that the message carries, if it carries one.
    package var payload: PayloadToken? {
        switch self {
        case .request(let request): request.payload
        case .response(let response): response.outcome.payload
        case .control(let control): control.payload
        }
    }
}

extension BridgeMessage {
    /// What the work on it counts for.
    package var account: WorkAccount? {
        switch self {
        case .request(let request): request.account
        case .response(let response): response.account
        case .control(let control): control.account
        }
    }
}

extension CallOutcome {
    /// The token that the outcome carries, if it carries one.
    package var payload: PayloadToken? {
        guard case .payload(let token) = self else { return nil }
        return token
    }

    /// The error that the outcome is, if it is one.
    package var error: BridgeError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
