internal import BridgeJSON
internal import BridgeProtocol
internal import BridgeValues
internal import Synchronization

/// Requests of a script that refer to the results of its earlier ones (`$p`).
extension MessageTransport {
    /// Receives a request that refers to results: handles it now, or once they have arrived.
    ///
    /// Its grants are checked now; its limits are checked when it continues, with its complete payload. The engine's
    /// turn is open.
    func receive(_ request: BridgeMessage.Request, _ payload: JSONPayload, awaiting ids: [String]) {
        // A journal records each message completely on arrival, so scripts are not offered pipelining while it is
        // active.
        guard session.port == nil else {
            guard !session.crosses(.malformed(BridgeErrorCode.unsupported.rawValue)) else { return }
            let text = "A request cannot refer to pending results while the bridge is recorded."
            session.logTraffic(.request(request), nil, isSent: false)
            return session.update(isInTurn: true) {
                $0.machine.refuse(request, BridgeError(.unsupported, text))
            }
        }
        keepResult(of: request)
        guard session.admitsWaiting(request) else {
            return session.logTraffic(.request(request), nil, isSent: false)
        }
        let (waiting, readiness) = session.state.withLock { state in
            let waiting = PipelinedRequest(message: request, payload: payload, epoch: state.machine.epoch)
            let readiness = state.kept.find(
                for: waiting,
                knownAs: request.callbackID,
                awaiting: ids.map(ByteEqualString.init)
            )
            return (waiting, readiness)
        }
        waiting.proceed(readiness, in: session)
    }

    /// Retains the result of a call, if the script requests that.
    func keepResult(of request: BridgeMessage.Request) {
        guard request.keepsResult, request.accepts.contains(.errors), case .text(let id)? = request.callbackID
        else { return }
        let (isKept, limit) = session.state.withLock {
            ($0.kept.keep(ByteEqualString(id)), $0.kept.limits.results)
        }
        if !isKept {
            session.logWarning("A result is not retained for pipelining: too many (limit \(limit)).")
        }
    }
}

extension PipelinedRequest {
    /// Continues a request whose results have arrived, or will never arrive.
    ///
    /// Another thread may give up its context meanwhile: then it is dropped, and the next context gets no answer.
    func proceed(_ readiness: SessionResults.Readiness, in session: BridgeSession) {
        var request = message
        switch readiness {
        case .waits: break
        case .failed(let error):
            session.logTraffic(.request(request), nil, isSent: false)
            session.update { [request] in $0.machine.refuse(request, error, from: epoch) }
        case .ready(let results):
            do {
                var text = payload
                text.places?.results = try results.mapValues { try $0.value() }
                let complete = MessagePayload.text(text)
                session.logTraffic(.request(request), complete, isSent: false)
                // Grants may have changed meanwhile, and the size of the payload is known only now.
                var size = Result<Int, any Error>.success(0)
                let isAdmitted = session.admits(&request, from: epoch, isInTurn: false) {
                    size = Result { try complete.value().payloadBytes }
                    return (try? size.get()) ?? 0
                }
                guard isAdmitted else { return }
                _ = try size.get()
                let admitted = request
                session.update { state in
                    var request = admitted
                    request.payload = state.payloads.insert(complete)
                    state.machine.receive(.request(request), from: epoch)
                }
            } catch {
                let error = BridgeError(wrapping: error)
                session.update { [request] in $0.machine.refuse(request, error, from: epoch) }
            }
        }
    }
}
