internal import Synchronization

/// A task executor that runs a task's jobs on the thread that is blocked waiting for it.
final class TurnExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var hasLeft = false
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasLeft = state.withLock { state in
            state.jobs.append(job)
            return state.hasLeft
        }
        if hasLeft { runElsewhere() }
    }

    /// Runs the queued jobs.
    ///
    /// - Returns: Whether there were any.
    func runJobs() -> Bool {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !jobs.isEmpty
    }

    /// Leaves the remaining jobs to the threads that all tasks share.
    func leave() {
        let hasJobs = state.withLock { state in
            state.hasLeft = true
            return !state.jobs.isEmpty
        }
        if hasJobs { runElsewhere() }
    }

    private func runElsewhere() { Task.detached { _ = self.runJobs() } }
}
