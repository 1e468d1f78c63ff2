internal import BridgeValues
internal import Dispatch

extension JavaScriptRuntime {
    /// Runs a body with the context as one turn and waits for it, for callers that are not asynchronous.
    ///
    /// From outside it waits until no other turn is open. With ``Isolation-swift.enum/actor`` the turn then runs on the
    /// calling thread, with ``Isolation-swift.enum/thread`` on the runtime's. Inside a turn of this runtime, such as in
    /// a function that its script has called, the body is part of that turn.
    ///
    /// No other thread has to be free for this. A call that would wait in a circle, over any number of runtimes, throws
    /// instead. A store's transaction counts as held in this check: a script that needs the store to which its caller
    /// is writing gets ``StoreError`` `wouldDeadlock` on its own thread. The check cannot detect a script whose Swift
    /// function waits for the caller by other means, such as a semaphore or `DispatchQueue.main.sync`: such a function
    /// must not wait.
    ///
    /// Cancelling the task that runs the caller has no effect. Tasks that need the runtime meanwhile are suspended, and
    /// do not block a thread.
    ///
    /// - Throws: The error of the body; ``BridgeError`` with the code `wouldDeadlock` if waiting would never end, or
    ///   `disconnected` after ``close()``; a ``JSException`` whose ``JSException/isTermination`` is true if the turn
    ///   was terminated.
    @available(*, noasync, message: "use withContext: a thread that waits here is missed by all other tasks")
    public nonisolated func withContextAndWait<Result: Sendable>(
        _ body: @Sendable (JSContext) throws -> Result
    ) throws -> Result {
        let core = sharedCore
        if core.isInTurn { return try core.context.withTurn { try body(core.context) } }
        // The task-local value is not visible on the runtime's thread.
        let operation = ExecutionBudget.current
        return try home.aloneAndWait { try core.perform(joining: operation, body) }
    }
}

extension JavaScriptRuntime {
    /// Runs a body as a turn on the calling thread if the engine is free, without waiting.
    ///
    /// Nothing runs if another turn is open, on this thread or another, or if the runtime has a dedicated thread.
    ///
    /// - Returns: Whether the body ran.
    /// - Throws: As ``withContextAndWait(_:)``.
    package nonisolated func performIfFree(_ body: (JSContext) throws -> Void) throws -> Bool {
        guard case .shared(_, let lock) = home else { return false }
        let core = sharedCore
        return try lock.withLockIfFree { try core.perform(joining: .current, body) }
    }
}

extension RuntimeHome {
    /// Runs a body with exclusive access from any thread, and waits for it.
    ///
    /// - Throws: ``BridgeError`` with the code `wouldDeadlock`; the error of the body.
    func aloneAndWait<Result>(_ body: () throws -> Result) throws -> Result {
        switch self {
        case .shared(_, let lock): return try lock.withLock(orThrow: BridgeError.circle, body)
        case .thread(let thread) where thread.isCurrent: return try body()
        case .thread(let thread): return try thread.performAndWait(body)
        }
    }

    /// Creates the runtime's core, before this home is shared.
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

    /// Runs the last work, when this home is no longer shared.
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
    /// - Throws: ``BridgeError`` with the code `wouldDeadlock` if this thread waits for the caller; the error of the
    ///   body.
    fileprivate func performAndWait<Result>(_ body: () throws -> Result) throws -> Result {
        try withoutActuallyEscaping(body) { body in
            let item = BlockingWorkItem(body)
            try BlockedThreads.wait(for: self, orThrow: BridgeError.circle) {
                perform { item.run() }
                item.wait()
            }
            return try item.result()
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

/// A blocking work item: another thread runs it while its creator waits.
// @unchecked Sendable because the waiting thread touches nothing before the other has signaled.
private final class BlockingWorkItem<Success>: @unchecked Sendable {
    private var body: (() throws -> Success)?
    private var outcome: Result<Success, any Error>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping () throws -> Success) { self.body = body }

    func run() {
        // The body is in the caller's frame, so no copy of it may remain when the caller continues.
        outcome = body.take().map { Result(catching: $0) }
        isDone.signal()
    }

    func wait() { isDone.wait() }

    func result() throws -> Success {
        guard let outcome else { preconditionFailure("the work on a runtime's thread left no outcome") }
        return try outcome.get()
    }
}
