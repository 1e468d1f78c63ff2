internal import CJavaScriptCore
internal import Synchronization

/// A task that waits for a promise.
///
/// It resumes once, with the first of the promise's outcome, the task's cancellation and the end of the runtime.
///
/// It is not generic, because looking up the metadata of a generic class would cost a fifth of an await. For the same
/// reason its state is two words instead of an enumeration behind a lock, and its continuation is unchecked. The
/// continuation resumes once because only the thread that claims the waiter settles it.
// @unchecked Sendable because the thread that has claimed the waiter writes the outcome before the phase is `settled`.
// The waiting task writes the continuation before the phase is `suspended`. Each is read only after that.
final class PromiseWaiter: PromiseWaiting, @unchecked Sendable {
    private enum Phase {
        static let begun: UInt8 = 0
        static let suspended: UInt8 = 1
        static let settled: UInt8 = 2
    }

    private let phase = Atomic(Phase.begun)
    private let isClaimed = Atomic(false)
    private let storedNumber = Atomic(0)
    private var failure: (any Error)?
    private var continuation: UnsafeContinuation<Void, any Error>?
    private let read: Reader
    let operation: ExecutionBudget?

    /// A function that receives the promise's value, inside the turn in which it settled and while the caller's frame
    /// keeps it alive.
    typealias Reader = @Sendable (JSContext, JSValueRef?) throws -> Void

    /// Creates a waiter.
    ///
    /// - Parameters:
    ///   - operation: The operation inside which the task waits.
    ///   - read: Receives the promise's value.
    init(in operation: ExecutionBudget?, _ read: @escaping Reader) {
        self.operation = operation
        self.read = read
    }

    func settle(isFulfilled: Bool, _ value: JSValueRef?, in context: JSContext) {
        guard isFulfilled else { return finish(context.exception(from: value), in: context) }
        var failure: (any Error)?
        do { try read(context, value) } catch { failure = error }
        finish(failure, in: context)
    }

    func fail(with error: any Error) { finish(error) }

    /// Resumes the task: immediately, or with a context after its turn.
    ///
    /// After a turn, tasks resume together with others, so that their threads do not alternate with this one.
    private func finish(_ failure: (any Error)?, in context: JSContext? = nil) {
        guard !isClaimed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        self.failure = failure
        let before = phase.exchange(Phase.settled, ordering: .acquiringAndReleasing)
        guard before == Phase.suspended, let continuation else { return }
        guard let context else { return continuation.resume(with: failure) }
        context.eventLoop.resumptions.append((continuation, failure))
    }

    /// The waiter's number in ``PromiseWaiters``; `nil` before it is registered for a promise.
    var number: Int? {
        let number = storedNumber.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Stores the number.
    ///
    /// A caller that stores it and then finds the waiter claimed removes the waiter. A thread that claims the waiter
    /// removes it by the stored number. Both use sequentially consistent order, or both could miss the other's write.
    func setNumber(_ number: Int) { storedNumber.store(number, ordering: .sequentiallyConsistent) }

    /// A Boolean value that indicates whether the waiter is not claimed yet.
    var isWaiting: Bool { !isClaimed.load(ordering: .sequentiallyConsistent) }

    /// Returns whether the waiter is settled.
    ///
    /// - Throws: The outcome, if it is an error.
    func isSettled() throws -> Bool {
        guard phase.load(ordering: .acquiring) == Phase.settled else { return false }
        if let failure { throw failure }
        return true
    }

    /// Stores the continuation, which is resumed with the outcome.
    ///
    /// The waiting task calls it once.
    func suspend(_ continuation: UnsafeContinuation<Void, any Error>) {
        self.continuation = continuation
        let (isSuspended, _) = phase.compareExchange(
            expected: Phase.begun,
            desired: Phase.suspended,
            ordering: .acquiringAndReleasing
        )
        if !isSuspended { continuation.resume(with: failure) }
    }
}

extension UnsafeContinuation<Void, any Error> {
    /// Resumes the task, with an error if there is one.
    func resume(with failure: (any Error)?) {
        if let failure { resume(throwing: failure) } else { resume() }
    }
}

extension PromiseWaiter {
    /// Returns a reader that receives the value as an object, which it may keep.
    static func reader(_ read: @escaping @Sendable (JSValue) throws -> Void) -> Reader {
        { context, ref in
            var value = JSValue(unprotected: ref, in: context)
            defer { if !isKnownUniquelyReferenced(&value) { value.protect() } }
            try read(value)
        }
    }
}

/// The storage for the result of a promise's reader.
// @unchecked Sendable because the reader writes once before the waiter is settled, and the task reads after that.
final class Slot<Output: Sendable>: @unchecked Sendable {
    private var output: Output?

    func put(_ output: Output) { self.output = output }

    func take() -> Output {
        guard let output else { preconditionFailure("a promise was settled without its reader") }
        return output
    }
}
