internal import BridgeValues
internal import Dispatch

extension JavaScriptRuntime {
    /// Runs a body with the context as one turn and waits for that, for callers that are not asynchronous.
    ///
    /// From outside it waits until no other turn is open; with ``Isolation-swift.enum/actor`` the turn then
    /// runs on the calling thread, with ``Isolation-swift.enum/thread`` on the runtime's. Inside a turn of this
    /// runtime, such as in a function that its script has called, the body is part of that turn. Nothing of
    /// this needs another thread to be free, and who would wait in a circle, over any number of runtimes, is
    /// refused; a store's transaction counts as held too, so that a script which wants the store that its caller
    /// is writing to gets ``StoreError`` `wouldDeadlock` on its own thread. What cannot be seen is a script whose Swift function waits for the caller by other means, such
    /// as a semaphore or `DispatchQueue.main.sync`: such a function must not wait.
    ///
    /// A cancelled task that runs the caller changes nothing. Tasks that want the runtime meanwhile are suspended, and hold
    /// no thread.
    ///
    /// - Throws: What the body throws; ``BridgeError`` with the code `wouldDeadlock` where waiting would
    ///   never end, with `disconnected` after ``close()``; a ``JSException`` whose
    ///   ``JSException/isTermination`` is true where the turn was stopped.
    @available(*, noasync, message: "use withContext: a thread that waits here is missed by all other tasks")
    public nonisolated func withContextAndWait<Result: Sendable>(
        _ body: @Sendable (JSContext) throws -> Result
    ) throws -> Result {
        let core = sharedCore
        if core.isInTurn { return try core.context.withTurn { try body(core.context) } }
        // The runtime's thread knows nothing of the caller's task.
        let operation = JSOperation.current
        return try home.aloneAndWait { try core.perform(joining: operation, body) }
    }
}

extension JavaScriptRuntime {
    /// Runs a body as a turn on the calling thread if nobody else has the engine, without waiting.
    ///
    /// Nothing is done where another turn is open, on this thread or another, or the runtime has a thread of its own.
    ///
    /// - Returns: Whether it was done.
    /// - Throws: As ``withContextAndWait(_:)``.
    package nonisolated func performIfFree(_ body: (JSContext) throws -> Void) throws -> Bool {
        guard case .shared(_, let lock) = home else { return false }
        let core = sharedCore
        return try lock.withLockIfFree { try core.perform(joining: .current, body) }
    }
}

extension RuntimeHome {
    /// Runs a body of a thread that may be any, alone, and waits for it.
    ///
    /// - Throws: ``BridgeError`` with the code `wouldDeadlock`; what the body throws.
    func aloneAndWait<Result>(_ body: () throws -> Result) throws -> Result {
        switch self {
        case .shared(_, let lock): return try lock.withLock(orThrow: BridgeError.circle, body)
        case .thread(let thread) where thread.isCurrent: return try body()
        case .thread(let thread): return try thread.performAndWait(body)
        }
    }

    /// Makes what lives here, before anybody else knows of this home.
    func make<Result>(_ body: () throws -> Result) throws -> Result {
        switch self {
        case .shared: return try body()
        case .thread(let thread):
            do {
                return try thread.performAndWait(body)
            } catch {
                thread.end {}
                throw error
            }
        }
    }

    /// Does the last work; nobody else knows of this home any more.
    func end(_ lastWork: @escaping @Sendable () -> Void) {
        switch self {
        case .shared: lastWork()
        case .thread(let thread): thread.end(lastWork)
        }
    }
}

extension RuntimeThread {
    /// Runs a body on this thread and waits for it.
    ///
    /// - Throws: ``BridgeError`` with the code `wouldDeadlock` where this thread waits for the caller; what
    ///   the body throws.
    fileprivate func performAndWait<Result>(_ body: () throws -> Result) throws -> Result {
        try withoutActuallyEscaping(body) { body in
            let errand = Errand(body)
            try BlockedThreads.wait(for: self, orThrow: BridgeError.circle) {
                perform { errand.run() }
                errand.wait()
            }
            return try errand.result()
        }
    }
}

extension RuntimeThread: Occupied {
    var occupant: ThreadID { id }
}

extension BridgeError {
    fileprivate static var circle: BridgeError {
        BridgeError(
            .wouldDeadlock,
            "The runtime is held by a thread that waits for this one: a synchronous entry would wait for ever."
        )
    }
}

/// Work of one thread that another does meanwhile.
// @unchecked Sendable because the thread that waits touches nothing before the other has signalled.
private final class Errand<Success>: @unchecked Sendable {
    private var body: (() throws -> Success)?
    private var outcome: Result<Success, any Error>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping () throws -> Success) { self.body = body }

    func run() {
        // The body lives in the caller's frame: no copy of it may be left when the caller goes on.
        outcome = body.take().map { Result(catching: $0) }
        isDone.signal()
    }

    func wait() { isDone.wait() }

    func result() throws -> Success {
        guard let outcome else { preconditionFailure("the work on a runtime's thread left no outcome") }
        return try outcome.get()
    }
}
