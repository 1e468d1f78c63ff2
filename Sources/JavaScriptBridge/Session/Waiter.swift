internal import BridgeProtocol
internal import Synchronization

/// Who waits for a call's outcome.
enum Waiter: Sendable {
    case continuation(CheckedContinuation<MessagePayload, any Error>)
    /// Who runs the engine's turn meanwhile.
    case slot(ReplySlot)
    /// Who opens a stream; a plain result is a stream of one item.
    case stream(CheckedContinuation<StreamReader, any Error>, StreamReader)
    /// Whoever refers to the result.
    case pipelined(PipelinedCall)
    /// A callback of the ancestor's form, which never sees an error (W3); the bridge's log does.
    case callback(@Sendable (Value) -> Void, onError: @Sendable (BridgeError) -> Void)
    /// Nobody, of a notification; the bridge's log hears of errors.
    case nobody(onError: @Sendable (BridgeError) -> Void)

    var pipelined: PipelinedCall? {
        if case .pipelined(let call) = self { call } else { nil }
    }

    func settle(_ outcome: Result<MessagePayload, BridgeError>) {
        switch (self, outcome) {
        case (.continuation(let continuation), .success(let payload)): continuation.resume(returning: payload)
        case (.continuation(let continuation), .failure(let error)): continuation.resume(throwing: error)
        case (.slot(let slot), _): slot.settle(outcome)
        case (.pipelined(let call), _): call.settle(outcome)
        case (.stream(let continuation, let reader), .success(let payload)):
            reader.finish(with: payload)
            continuation.resume(returning: reader)
        case (.stream(let continuation, _), .failure(let error)): continuation.resume(throwing: error)
        case (.callback(let callback, let onError), .success(let payload)):
            do { callback(try payload.value()) } catch { onError(BridgeError(wrapping: error)) }
        case (.callback(_, let onError), .failure(let error)): onError(error)
        case (.nobody, .success): break
        case (.nobody(let onError), .failure(let error)): onError(error)
        }
    }
}

/// Where the outcome of a call is put down for a caller that looks for it itself, on the engine's thread, or waits for it
/// later.
///
/// A deadline may put it down from another thread.
final class ReplySlot: Sendable {
    private struct State {
        var outcome: Result<MessagePayload, BridgeError>?
        var continuation: CheckedContinuation<MessagePayload, any Error>?
        var call: OutgoingCallID?
    }

    private let state = Mutex(State())

    /// The outcome, once it is there.
    var outcome: Result<MessagePayload, BridgeError>? { state.withLock { $0.outcome } }

    /// The call, once it is known.
    var call: OutgoingCallID? {
        get { state.withLock { $0.call } }
        set { state.withLock { $0.call = newValue } }
    }

    /// Puts the outcome down.
    func settle(_ outcome: Result<MessagePayload, BridgeError>) {
        let continuation = state.withLock { state in
            state.outcome = outcome
            return state.continuation.take()
        }
        continuation?.resume(with: outcome.mapError { $0 })
    }

    /// Resumes somebody with the outcome, now or when it is there.
    func resume(_ continuation: CheckedContinuation<MessagePayload, any Error>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(with: outcome.mapError { $0 }) }
    }
}
