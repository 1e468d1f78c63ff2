internal import CJavaScriptCore
internal import Synchronization

/// One task that waits for a promise: it goes on once, with whatever comes first of the promise's outcome,
/// the task's cancellation and the end of the runtime.
final class PromiseWaiter<Output: Sendable>: PromiseWaiting {
    private enum State {
        case begun
        case suspended(CheckedContinuation<Output, any Error>)
        case settled(Result<Output, any Error>)
    }

    private let state = Mutex<State?>(.begun)
    private let read: @Sendable (JSValue) throws -> Output

    /// - Parameter read: Takes the promise's value, inside the turn in which it settled.
    init(_ read: @escaping @Sendable (JSValue) throws -> Output) { self.read = read }

    func settle(isFulfilled: Bool, _ value: JSValueRef?, in context: JSContext) {
        guard isFulfilled else { return finish(.failure(context.exception(from: value))) }
        // The caller's frame keeps it alive, unless the reader keeps it longer.
        var value = JSValue(unprotected: value, in: context)
        let output = Result { try read(value) }
        if !isKnownUniquelyReferenced(&value) { value.protect() }
        finish(output)
    }

    func fail(with error: any Error) { finish(.failure(error)) }

    private func finish(_ result: Result<Output, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Output, any Error>? in
            switch state {
            case .begun:
                state = .settled(result)
                return nil
            case .suspended(let continuation):
                state = nil
                return continuation
            case .settled, nil: return nil
            }
        }
        continuation?.resume(with: result)
    }

    /// The outcome, if it has come.
    func takeResult() -> Result<Output, any Error>? {
        state.withLock { state in
            guard case .settled(let result) = state else { return nil }
            state = nil
            return result
        }
    }

    /// Goes on with the outcome when it comes.
    func suspend(_ continuation: CheckedContinuation<Output, any Error>) {
        let result = state.withLock { state -> Result<Output, any Error>? in
            guard case .settled(let result) = state else {
                state = .suspended(continuation)
                return nil
            }
            state = nil
            return result
        }
        if let result { continuation.resume(with: result) }
    }
}
