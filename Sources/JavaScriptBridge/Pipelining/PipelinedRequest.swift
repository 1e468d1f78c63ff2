internal import BridgeJSON
internal import BridgeProtocol
internal import BridgeValues

/// A request of a script that refers to the results of its earlier ones (`$p`).
struct PipelinedRequest: Sendable {
    let message: BridgeMessage.Request
    let payload: JSONPayload
    /// The epoch in which it arrived: a lost context has no requests.
    let epoch: UInt64
}

/// The retained results of a session's script.
typealias SessionResults = RetainedResults<PipelinedRequest, MessagePayload>

extension SessionResults {
    /// Records an outgoing reply, for the requests that wait for it.
    mutating func settle(
        _ message: BridgeMessage,
        _ payload: MessagePayload?
    ) -> [(PipelinedRequest, Readiness)] {
        guard !isEmpty, case .response(let response) = message, case .text(let text) = response.responseID
        else { return [] }
        let id = ByteEqualString(text)
        switch response.outcome {
        case .payload: return settle(id, .success(payload ?? .value(.null)))
        case .failure(let error): return settle(id, .failure(error))
        case .stream:
            return settle(id, .failure(BridgeError(.unsupported, "The result of the call is a stream.")))
        }
    }
}
