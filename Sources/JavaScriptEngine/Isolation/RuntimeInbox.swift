internal import Synchronization

/// A queue of jobs for a runtime.
///
/// Any thread may add jobs.
final class RuntimeInbox: Sendable {
    struct Job: Sendable {
        let operation: ExecutionBudget?
        let body: @Sendable (JSContext) -> Void
        /// The replacement that runs outside a turn if the job gets no turn: the operation has ended, the context was
        /// retired or closed, or the runtime was closed.
        let otherwise: (@Sendable (JSContext) -> Void)?
    }

    private struct State {
        var jobs: [Job] = []
        var isScheduled = false
        var timersChanged = false
        var waiterCount = 0
        var busyCheck: (@Sendable () -> Bool)?
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.jobs.isEmpty && !$0.isScheduled } }

    /// Adds a job.
    ///
    /// Returns true if the caller must schedule the drain.
    func add(_ job: Job) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    func take() -> [Job] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    /// Ends a drain.
    ///
    /// Returns true if the caller must schedule another one.
    func finish() -> Bool {
        state.withLock { state in
            state.isScheduled = !state.jobs.isEmpty
            return state.isScheduled
        }
    }

    /// A Boolean value that indicates whether callers wait for the runtime to be idle.
    var isAwaited: Bool { state.withLock { $0.waiterCount > 0 } }

    /// Adds to the number of callers that wait; a negative number once they have stopped.
    func addWaiters(_ count: Int) { state.withLock { $0.waiterCount += count } }

    var isBusy: Bool { state.withLock { $0.busyCheck }?() ?? false }

    func setBusyCheck(_ isBusy: @escaping @Sendable () -> Bool) { state.withLock { $0.busyCheck = isBusy } }

    func timersChanged() { state.withLock { $0.timersChanged = true } }

    func takeTimersChanged() -> Bool {
        state.withLock { state in
            defer { state.timersChanged = false }
            return state.timersChanged
        }
    }
}
