internal import BridgeProtocol
internal import Synchronization

/// A waiter for the outcome of a call.
enum Waiter: Sendable {
    case continuation(CheckedContinuation<MessagePayload, any Error>)
    /// A caller that runs the engine's turn meanwhile.
    case slot(ReplySlot)
    /// A caller that opens a stream; a plain result becomes a stream of one item.
    case stream(CheckedContinuation<StreamReader, any Error>, StreamReader)
    /// A pipelined value that refers to the result.
    case pipelined(PipelinedCall)
    /// A callback of the legacy API, which never receives an error (W3); the bridge's log does.
    case callback(@Sendable (Value) -> Void, onError: @Sendable (BridgeError) -> Void)
    /// No waiter, for a notification; the bridge's log receives errors.
    case unawaited(onError: @Sendable (BridgeError) -> Void)

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
        case (.unawaited, .success): break
        case (.unawaited(let onError), .failure(let error)): onError(error)
        }
    }
}

/// A slot for the outcome of a call, for a caller that polls it on the engine's thread, or waits for it later.
///
/// A deadline may settle it from another thread.
final class ReplySlot: Sendable {
    private struct State {
        var outcome: Result<MessagePayload, BridgeError>?
        var continuation: CheckedContinuation<MessagePayload, any Error>?
        var call: OutgoingCallID?
    }

    private let state = Mutex(State())

    /// The outcome; `nil` while it is pending.
    var outcome: Result<MessagePayload, BridgeError>? { state.withLock { $0.outcome } }

    /// The call, once it is known.
    var call: OutgoingCallID? {
        get { state.withLock { $0.call } }
        set { state.withLock { $0.call = newValue } }
    }

    /// Stores the outcome, and resumes the waiting caller.
    func settle(_ outcome: Result<MessagePayload, BridgeError>) {
        let continuation = state.withLock { state in
            state.outcome = outcome
            return state.continuation.take()
        }
        continuation?.resume(with: outcome.mapError { $0 })
    }

    /// Resumes a continuation with the outcome, now or when it is settled.
    func resume(_ continuation: CheckedContinuation<MessagePayload, any Error>) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(with: outcome.mapError { $0 }) }
    }
}
