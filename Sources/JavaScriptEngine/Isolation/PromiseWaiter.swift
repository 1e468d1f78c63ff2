internal import CJavaScriptCore
internal import Synchronization

/// One task that waits for a promise: it goes on once, with whatever comes first of the promise's outcome,
/// the task's cancellation and the end of the runtime.
///
/// It is not generic, as looking up the types of a generic class at run time would cost a fifth of an await.
final class PromiseWaiter: PromiseWaiting {
    private enum State {
        case begun
        case suspended(CheckedContinuation<Void, any Error>)
        case settled(Result<Void, any Error>)
    }

    private let state = Mutex<State?>(.begun)
    private let storedNumber = Atomic(0)
    private let read: @Sendable (JSValue) throws -> Void
    let operation: JSOperation?

    /// - Parameters:
    ///   - operation: The operation that the task waits inside of.
    ///   - read: Takes the promise's value, inside the turn in which it settled.
    init(in operation: JSOperation?, _ read: @escaping @Sendable (JSValue) throws -> Void) {
        self.operation = operation
        self.read = read
    }

    func settle(isFulfilled: Bool, _ value: JSValueRef?, in context: JSContext) {
        guard isFulfilled else { return finish(.failure(context.exception(from: value)), in: context) }
        // The caller's frame keeps it alive, unless the reader keeps it longer.
        var value = JSValue(unprotected: value, in: context)
        let result = Result { try read(value) }
        if !isKnownUniquelyReferenced(&value) { value.protect() }
        finish(result, in: context)
    }

    func fail(with error: any Error) { finish(.failure(error)) }

    /// Lets the task go on; with a context after its turn, together with others, so that the threads on which
    /// they go on do not take turns with this one.
    private func finish(_ result: Result<Void, any Error>, in context: JSContext? = nil) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
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
        guard let continuation else { return }
        guard let context else { return continuation.resume(with: result) }
        context.resumptions.append((continuation, result))
    }

    /// The waiter's number in ``PromiseWaiters``; `nil` before it hears of a promise.
    var number: Int? {
        let number = storedNumber.load(ordering: .acquiring)
        return number == 0 ? nil : number
    }

    func setNumber(_ number: Int) { storedNumber.store(number, ordering: .releasing) }

    /// Whether nothing has come yet.
    var isWaiting: Bool {
        state.withLock { state in
            switch state {
            case .begun, .suspended: true
            case .settled, nil: false
            }
        }
    }

    /// The outcome, if it has come.
    func takeResult() -> Result<Void, any Error>? {
        state.withLock { state in
            guard case .settled(let result) = state else { return nil }
            state = nil
            return result
        }
    }

    /// Goes on with the outcome when it comes.
    func suspend(_ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state -> Result<Void, any Error>? in
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

/// Where the reader of a promise's value leaves what it has read.
// @unchecked Sendable because the reader writes once before the waiter is settled, and the task reads after
// that.
final class Slot<Output: Sendable>: @unchecked Sendable {
    private var output: Output?

    func put(_ output: Output) { self.output = output }

    func take() -> Output {
        guard let output else { preconditionFailure("a promise was settled without its reader") }
        return output
    }
}
