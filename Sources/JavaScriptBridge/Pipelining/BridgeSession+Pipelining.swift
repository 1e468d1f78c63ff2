internal import BridgeJSON
internal import BridgeProtocol
internal import BridgeValues
internal import Synchronization

/// Requests of a script that refer to the results of its earlier ones (`$p`).
extension BridgeSession {
    /// Receives a request that refers to results: handles it now, or once they have arrived.
    ///
    /// Its grants are checked now; its limits are checked when it continues, with its complete payload. The engine's
    /// turn is open.
    func receive(_ request: BridgeMessage.Request, _ payload: JSONPayload, awaiting ids: [String]) {
        // A journal records each message completely on arrival, so scripts are not offered pipelining while it is
        // active.
        guard port == nil else {
            guard !crosses(.malformed(BridgeErrorCode.unsupported.rawValue)) else { return }
            let text = "A request cannot refer to pending results while the bridge is recorded."
            logTraffic(.request(request), nil, isSent: false)
            return update(isInTurn: true) { $0.machine.refuse(request, BridgeError(.unsupported, text)) }
        }
        keepResult(of: request)
        guard admitsWaiting(request) else { return logTraffic(.request(request), nil, isSent: false) }
        let waiting = RetainedResults.Waiting(
            message: request,
            payload: payload,
            ids: ids.map(ByteEqualString.init)
        )
        let readiness = state.withLock { $0.kept.find(for: waiting) }
        proceed(waiting, readiness)
    }

    /// Continues a request whose results have arrived, or will never arrive.
    func proceed(_ waiting: RetainedResults.Waiting, _ readiness: RetainedResults.Readiness) {
        var request = waiting.message
        switch readiness {
        case .waits: break
        case .failed(let error):
            logTraffic(.request(request), nil, isSent: false)
            update { [request] in $0.machine.refuse(request, error) }
        case .ready(let results):
            do {
                var text = waiting.payload
                text.places?.results = try results.mapValues { try $0.value() }
                let payload = MessagePayload.text(text)
                logTraffic(.request(request), payload, isSent: false)
                // Grants may have changed meanwhile, and the size of the payload is known only now.
                var size = Result<Int, any Error>.success(0)
                let isAdmitted = admits(&request, isInTurn: false) {
                    size = Result { try payload.value().payloadBytes }
                    return (try? size.get()) ?? 0
                }
                guard isAdmitted else { return }
                _ = try size.get()
                let admitted = request
                update { state in
                    var request = admitted
                    request.payload = state.payloads.insert(payload)
                    state.machine.receive(.request(request))
                }
            } catch {
                let error = BridgeError(wrapping: error)
                update { [request] in $0.machine.refuse(request, error) }
            }
        }
    }

    /// Retains the result of a call, if the script requests that.
    func keepResult(of request: BridgeMessage.Request) {
        guard request.keepsResult, request.accepts.contains(.errors), case .text(let id)? = request.callbackID
        else { return }
        if !state.withLock({ $0.kept.keep(ByteEqualString(id)) }) {
            logWarning(
                "A result is not retained for pipelining: too many (limit \(RetainedResults.maximumKept))."
            )
        }
    }
}

extension BridgeSession.State {
    /// Records an outgoing reply, for the requests that wait for it.
    mutating func settleKept(_ message: BridgeMessage, _ payload: MessagePayload?) -> [(
        RetainedResults.Waiting, RetainedResults.Readiness
    )] {
        guard !kept.isEmpty, case .response(let response) = message,
            case .text(let text) = response.responseID
        else { return [] }
        let id = ByteEqualString(text)
        switch response.outcome {
        case .payload: return kept.settle(id, .success(payload ?? .value(.null)))
        case .failure(let error): return kept.settle(id, .failure(error))
        case .stream:
            return kept.settle(id, .failure(BridgeError(.unsupported, "The result of the call is a stream.")))
        }
    }
}
