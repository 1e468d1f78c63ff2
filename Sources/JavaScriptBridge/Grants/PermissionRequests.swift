internal import Dispatch
internal import Synchronization

/// The requests of scripts to the host for permissions that they do not have, one at a time.
final class PermissionRequests: Sendable {
    typealias Handler = @Sendable (ScriptPermissions.Request) async -> ScriptPermissions.Decision

    private let handler: Handler
    // A thread of its own, because a script may wait on the last of the threads that tasks share.
    private let executor = QueueExecutor(label: "JavaScriptBridge.permissions")
    /// A closure that waits for the last of the requests.
    private let wait = Mutex<@Sendable () async -> Void>({})

    init(_ handler: @escaping Handler) { self.handler = handler }

    /// Runs a closure that may call the handler, after those before it.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (Handler) async -> Result) -> Task<
        Result, Never
    > {
        wait.withLock { wait in
            let task = Task(executorPreference: executor) { [handler, wait] in
                await wait()
                return await body(handler)
            }
            wait = { _ = await task.value }
            return task
        }
    }

    /// Runs a closure that may call the handler, and blocks the calling thread until it returns.
    func performBlocking<Result: Sendable>(_ body: @escaping @Sendable (Handler) async -> Result) -> Result? {
        let result = Mutex<Result?>(nil)
        let end = DispatchSemaphore(value: 0)
        _ = perform { handler in
            let value = await body(handler)
            result.withLock { $0 = value }
            end.signal()
        }
        end.wait()
        return result.withLock { $0 }
    }
}

/// A task executor whose jobs run on a serial queue.
private final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
