internal import Synchronization

/// Where a task runs whose end somebody waits for that cannot await: on that one's thread, as long as it waits.
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

    /// Runs what there is to do.
    ///
    /// - Returns: Whether there was anything.
    func runJobs() -> Bool {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !jobs.isEmpty
    }

    /// Leaves what is still to be done to the threads that all tasks share.
    func leave() {
        let hasJobs = state.withLock { state in
            state.hasLeft = true
            return !state.jobs.isEmpty
        }
        if hasJobs { runElsewhere() }
    }

    private func runElsewhere() { Task.detached { _ = self.runJobs() } }
}
