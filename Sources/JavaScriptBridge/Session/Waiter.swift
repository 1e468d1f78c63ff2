internal import BridgeProtocol

/// Who waits for a call's outcome.
enum Waiter: Sendable {
    case continuation(CheckedContinuation<Value, any Error>)
    /// Who opens a stream; a plain result is a stream of one item.
    case stream(CheckedContinuation<StreamReader, any Error>, StreamReader)
    /// A callback of the ancestor's form, which never sees an error (W3); the bridge's log does.
    case callback(@Sendable (Value) -> Void, onError: @Sendable (BridgeError) -> Void)

    func settle(_ outcome: Result<Value, BridgeError>) {
        switch (self, outcome) {
        case (.continuation(let continuation), .success(let value)): continuation.resume(returning: value)
        case (.continuation(let continuation), .failure(let error)): continuation.resume(throwing: error)
        case (.stream(let continuation, let reader), .success(let value)):
            reader.finish(with: value)
            continuation.resume(returning: reader)
        case (.stream(let continuation, _), .failure(let error)): continuation.resume(throwing: error)
        case (.callback(let callback, _), .success(let value)): callback(value)
        case (.callback(_, let onError), .failure(let error)): onError(error)
        }
    }
}
