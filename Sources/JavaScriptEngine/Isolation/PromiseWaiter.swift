internal import CJavaScriptCore
internal import Synchronization

/// One task that waits for a promise: it goes on once, with whatever comes first of the promise's outcome,
/// the task's cancellation and the end of the runtime.
///
/// It is not generic, as looking up the types of a generic class at run time would cost a fifth of an await; its state is
/// two words and no enumeration behind a lock, and its continuation is not checked, for the same reason: it resumes
/// once because only who claims the waiter settles it.
// @unchecked Sendable because the outcome is written by who has claimed the waiter, before the phase says `settled`, and
// the continuation by the task that waits, before the phase says `suspended`; each is read after that was seen.
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
    let operation: JSOperation?

    /// Takes the promise's value, inside the turn in which it settled and while the caller's frame keeps it alive.
    typealias Reader = @Sendable (JSContext, JSValueRef?) throws -> Void

    /// - Parameters:
    ///   - operation: The operation that the task waits inside of.
    ///   - read: Takes the promise's value.
    init(in operation: JSOperation?, _ read: @escaping Reader) {
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

    /// Lets the task go on; with a context after its turn, together with others, so that the threads on which
    /// they go on do not take turns with this one.
    private func finish(_ failure: (any Error)?, in context: JSContext? = nil) {
        guard !isClaimed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        self.failure = failure
        let before = phase.exchange(Phase.settled, ordering: .acquiringAndReleasing)
        guard before == Phase.suspended, let continuation else { return }
        guard let context else { return continuation.resume(with: failure) }
        context.resumptions.append((continuation, failure))
    }

    /// The waiter's number in ``PromiseWaiters``; `nil` before it hears of a promise.
    var number: Int? {
        let number = storedNumber.load(ordering: .sequentiallyConsistent)
        return number == 0 ? nil : number
    }

    /// Notes the number.
    ///
    /// Whoever does, and then finds that nobody waits, takes the waiter out; who claims the waiter does so by the
    /// number that is there. In one order for all threads, or both could miss what the other has done.
    func setNumber(_ number: Int) { storedNumber.store(number, ordering: .sequentiallyConsistent) }

    /// Whether nothing has come yet.
    var isWaiting: Bool { !isClaimed.load(ordering: .sequentiallyConsistent) }

    /// Whether the outcome has come.
    ///
    /// - Throws: The outcome, where it is an error.
    func isSettled() throws -> Bool {
        guard phase.load(ordering: .acquiring) == Phase.settled else { return false }
        if let failure { throw failure }
        return true
    }

    /// Goes on with the outcome when it comes.
    ///
    /// Called once, by the task that waits.
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
    /// Lets the task go on, with an error where there is one.
    func resume(with failure: (any Error)?) {
        if let failure { resume(throwing: failure) } else { resume() }
    }
}

extension PromiseWaiter {
    /// A reader that takes an object for the value, and may keep it.
    static func reader(_ read: @escaping @Sendable (JSValue) throws -> Void) -> Reader {
        { context, ref in
            var value = JSValue(unprotected: ref, in: context)
            defer { if !isKnownUniquelyReferenced(&value) { value.protect() } }
            try read(value)
        }
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
