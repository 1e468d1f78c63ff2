internal import BridgeValues

/// Where a runtime's turns run, and what keeps two of them apart.
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

    /// Runs a body of the runtime's own executor, alone.
    ///
    /// The thread of a runtime is alone by itself, and who is elsewhere has made a mistake that must not go
    /// on: in a release build the optimiser drops the hop of an actor's method that touches no isolated state.
    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        switch self {
        case .shared(_, let lock): return try lock.withLock(body)
        case .thread(let thread):
            thread.checkIsolated()
            return try body()
        }
    }

    /// Runs a body of the runtime's own executor, alone; the task is suspended while another thread has the engine for
    /// longer than a moment.
    ///
    /// - Throws: `CancellationError` where the task is cancelled before the body begins; what the body throws.
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

    /// Whether the current thread has the engine in its hand: inside a turn, or where one may be opened at once.
    var isCurrent: Bool {
        switch self {
        case .shared(_, let lock): lock.isHeldByCurrentThread
        case .thread(let thread): thread.isCurrent
        }
    }
}

/// The executor of an actor without one of its own: the threads that all actors share, one job at a time.
///
/// A runtime whose executor this is keeps what the language does for such actors: a task enters one that is
/// free without a change of threads.
actor SharedExecutor {}
