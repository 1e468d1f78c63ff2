internal import BridgeProtocol
internal import Synchronization

/// The outcome of a call whose handler was released without an answer.
struct NoReply: Error {}

/// The way of one call through its interceptors.
final class InterceptedRun: Sendable {
    private struct State {
        // A result that interceptors derive from a secret is a secret too (R38).
        var isSecret = false
        var source: (any ItemSource)?
        var isOver = false
    }

    private let state = Mutex(State())

    var isSecret: Bool { state.withLock { $0.isSecret } }

    /// A Boolean value that indicates whether the interceptors have returned, so that no handler may begin any more.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Records that the interceptors have returned.
    func finish() { state.withLock { $0.isOver = true } }

    /// Returns the data of a handler's result.
    func value(of reply: MessagePayload?) throws -> Value {
        if reply?.isSecret == true { state.withLock { $0.isSecret = true } }
        return try reply?.value() ?? .undefined
    }

    /// Keeps the items with which the handler answers.
    func keep(_ source: any ItemSource) { state.withLock { $0.source = source } }

    func takeSource() -> (any ItemSource)? { state.withLock { $0.source.take() } }
}

/// A reference to a reply that does not keep its caller waiting.
struct WeakReply {
    weak var reply: SingleReply<Value>?
}

/// A continuation that is resumed once: by the first outcome, or with an error when its last reference is released.
final class SingleReply<Success: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Success, any Error>?>
    private let otherwise: any Error

    init(_ continuation: CheckedContinuation<Success, any Error>, otherwise: any Error) {
        self.continuation = Mutex(continuation)
        self.otherwise = otherwise
    }

    deinit { settle(.failure(otherwise)) }

    /// Settles it; returns false if it was settled before.
    @discardableResult
    func settle(_ outcome: Result<Success, any Error>) -> Bool {
        let continuation = continuation.withLock { $0.take() }
        continuation?.resume(with: outcome)
        return continuation != nil
    }
}
