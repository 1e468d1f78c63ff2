internal import Dispatch

/// Asynchronous work for a thread that cannot suspend, such as that of a signal.
enum BlockingWork {
    /// Runs work in a task, and blocks the calling thread until it ends.
    ///
    /// - Parameters:
    ///   - seconds: The time after which the thread waits no longer; `nil` for none.
    ///   - work: The work, which continues after that time.
    static func run(atMost seconds: Double? = nil, _ work: @escaping @Sendable () async -> Void) {
        let end = DispatchSemaphore(value: 0)
        Task {
            await work()
            end.signal()
        }
        _ = end.wait(timeout: seconds.map { .now() + $0 } ?? .distantFuture)
    }
}
