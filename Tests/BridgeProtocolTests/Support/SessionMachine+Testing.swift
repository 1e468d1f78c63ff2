import BridgeValues

@testable import BridgeProtocol

extension SessionMachine {
    /// Returns a live session whose random bits are always the same.
    static func live(
        limits: BridgeLimits = BridgeLimits(),
        identifierForm: IdentifierForm = .legacy,
        handlers: [String] = []
    ) throws -> SessionMachine {
        var machine = SessionMachine.idle(limits: limits, identifierForm: identifierForm)
        machine.peerReady()
        for (index, name) in handlers.enumerated() {
            try machine.registerHandler(name, as: HandlerID(index))
        }
        return machine
    }

    static func idle(
        limits: BridgeLimits = BridgeLimits(),
        identifierForm: IdentifierForm = .legacy
    ) -> SessionMachine {
        SessionMachine(
            configuration: Configuration(
                limits: limits,
                identifierForm: identifierForm,
                randomBits: { 0x0123_4567_89AB_CDEF }
            )
        )
    }

    /// Removes and returns all actions; handlers begin immediately.
    mutating func drain() -> [SessionAction] {
        var all: [SessionAction] = []
        while let action = nextAction() {
            all.append(action)
            if let request = action.dispatched { noteBegun(request.order) }
        }
        return all
    }

    /// The number of arrivals that wait for handlers to begin.
    var waitingArrivalCount: Int { order.count }

    mutating func receiveRequest(
        _ name: String,
        id: String? = nil,
        payload: PayloadToken? = nil,
        acceptsErrors: Bool = false
    ) {
        receive(
            .request(
                BridgeMessage.Request(
                    handlerName: name,
                    callbackID: id.map(MessageID.text),
                    payload: payload,
                    accepts: acceptsErrors ? .errors : []
                )
            )
        )
    }

    mutating func receiveResponse(_ id: MessageID, _ outcome: CallOutcome = .payload(nil)) {
        receive(.response(BridgeMessage.Response(responseID: id, outcome: outcome)))
    }
}

extension SessionAction {
    var sentRequest: BridgeMessage.Request? {
        guard case .send(.request(let request)) = self else { return nil }
        return request
    }

    var sentResponse: BridgeMessage.Response? {
        guard case .send(.response(let response)) = self else { return nil }
        return response
    }

    var dispatched: IncomingRequest? {
        guard case .dispatch(_, let request) = self else { return nil }
        return request
    }

    var settled: (call: OutgoingCallID, outcome: CallOutcome)? {
        guard case .settle(let call, let outcome) = self else { return nil }
        return (call, outcome)
    }

    var reported: SessionDiagnostic? {
        guard case .report(let diagnostic) = self else { return nil }
        return diagnostic
    }

    var discarded: PayloadToken? {
        guard case .discard(let token) = self else { return nil }
        return token
    }
}

extension [SessionAction] {
    var sentNames: [String] { compactMap { $0.sentRequest?.handlerName } }
    var settledCodes: [BridgeErrorCode] { compactMap { $0.settled?.outcome.error?.code } }
}

/// Returns a token that no slab created, for tests that only follow it.
func token(_ number: UInt32) -> PayloadToken {
    PayloadToken(key: SlabKey(slot: number, generation: 0))
}
