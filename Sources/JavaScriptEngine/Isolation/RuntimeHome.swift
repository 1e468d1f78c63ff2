internal import BridgeValues

/// The threads of a runtime's turns, with the mutual exclusion between turns.
enum RuntimeHome: Sendable {
    case shared(SharedExecutor, OwnedLock)
    case thread(RuntimeThread)

    init(_ isolation: JavaScriptRuntime.Isolation) throws {
        switch isolation {
        case .actor: self = .shared(SharedExecutor(), OwnedLock())
        case .thread: self = .thread(try RuntimeThread())
        }
    }

    var isolation: JavaScriptRuntime.Isolation {
        switch self {
        case .shared: .actor
        case .thread: .thread
        }
    }

    /// The executor of the runtime's actor.
    var executor: UnownedSerialExecutor {
        switch self {
        case .shared(let executor, _): executor.unownedExecutor
        case .thread(let thread): thread.asUnownedSerialExecutor()
        }
    }

    /// Runs a body with exclusive access, on the runtime's own executor.
    ///
    /// A dedicated thread is exclusive by itself. Calling this on another thread is an error that must not go
    /// unnoticed. It can happen because in a release build the optimizer removes the hop of an actor's method that
    /// touches no isolated state.
    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        switch self {
        case .shared(_, let lock): return try lock.withLock(body)
        case .thread(let thread):
            thread.checkIsolated()
            return try body()
        }
    }

    /// Runs a body with exclusive access, on the runtime's own executor.
    ///
    /// The task is suspended if another thread uses the engine for longer than a moment.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before the body begins; the error of the body.
    nonisolated(nonsending) func whenAlone<Result>(_ body: () throws -> Result) async throws -> Result {
        switch self {
        case .shared(_, let lock):
            while true {
                var result: Result?
                if try lock.withLockSoon({ result = try body() }), let result { return result }
                await lock.waitForRelease()
                try Task.checkCancellation()
            }
        case .thread: return try alone(body)
        }
    }

    /// A Boolean value that indicates whether the current thread has exclusive access: inside a turn, or where it may
    /// open one immediately.
    var isCurrent: Bool {
        switch self {
        case .shared(_, let lock): lock.isHeldByCurrentThread
        case .thread(let thread): thread.isCurrent
        }
    }
}

/// The executor of an actor without one of its own: the threads that all actors share, one job at a time.
///
/// A runtime with this executor has the behavior of the language for such actors: a task enters a free one without a
/// change of threads.
actor SharedExecutor {}
