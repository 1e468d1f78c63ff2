internal import BridgeProtocol

/// The asynchronous handlers that run, and the order in which handlers begin.
struct HandlerRuns {
    /// The request for which an asynchronous handler runs.
    enum Key: Hashable, Sendable {
        case call(IncomingCallID)
        case notification(Int)
    }

    /// The tasks, each from before its handler begins until the handler has returned.
    ///
    /// A task records itself, because nothing else can cancel it before its first suspension.
    private var tasks: [Key: HandlerTask] = [:]
    /// The calls that no table has, and their tasks.
    ///
    /// Each has begun in the turn of the one before it, so there are few.
    private var beginning: [(run: HandlerRun, task: HandlerTask)] = []
    private var lastNotification = 0
    /// The request whose handler the engine's turn is running, until the turn takes the next work.
    var runningRequest: UInt64 = 0
    /// Tasks that wait until the handlers of all requests before them have begun.
    private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var lastPoint: UInt64 = 0
    /// The error of the last synchronous request, until the script has fetched it.
    var synchronousError: BridgeError?

    /// A Boolean value that indicates whether no handler runs.
    var isEmpty: Bool { tasks.isEmpty && beginning.isEmpty }

    var allTasks: [HandlerTask] { tasks.values + beginning.map(\.task) }

    mutating func newNotification() -> Key {
        lastNotification += 1
        return .notification(lastNotification)
    }

    /// Records a task that will run a handler.
    mutating func begin(_ run: Key, _ task: HandlerTask) { tasks[run] = task }

    /// Records that a run has ended.
    mutating func end(_ run: Key) { tasks[run] = nil }

    /// Returns the task of a call; `nil` if its handler has not begun, or has returned.
    func task(of call: IncomingCallID) -> HandlerTask? { tasks[.call(call)] }

    // MARK: - Calls without an entry in the tables

    /// The earliest deadline of a call that no table has.
    var earliestDeadline: Duration? { beginning.lazy.compactMap(\.run.deadline).min() }

    /// Records a task that will run the handler of a call that no table has.
    mutating func begin(_ run: HandlerRun, _ task: HandlerTask) { beginning.append((run, task)) }

    /// Records that the tables have the call now.
    mutating func enter(_ run: HandlerRun, as call: IncomingCallID) { tasks[.call(call)] = remove(run) }

    /// Records that the handler of a call that no table has returned, or that its context is gone.
    mutating func end(_ run: HandlerRun) { _ = remove(run) }

    /// Returns the calls that no table has, and whose deadlines have passed.
    func overdue(now: Duration) -> [HandlerRun] {
        beginning.map(\.run).filter { run in run.deadline.map { $0 <= now } ?? false }
    }

    private mutating func remove(_ run: HandlerRun) -> HandlerTask? {
        guard let index = beginning.lastIndex(where: { $0.run === run }) else { return nil }
        return beginning.remove(at: index).task
    }

    /// Records that the handler that the turn was running has returned, or has suspended.
    ///
    /// - Returns: Its request, if there was one.
    mutating func endRunningRequest() -> UInt64? {
        guard runningRequest > 0 else { return nil }
        defer { runningRequest = 0 }
        return runningRequest
    }

    /// Adds a task that waits for a point in the order of the requests.
    mutating func addPoint(_ waiter: CheckedContinuation<Void, Never>) -> UInt64 {
        lastPoint += 1
        waiters[lastPoint] = waiter
        return lastPoint
    }

    mutating func removePoint(_ point: UInt64) -> CheckedContinuation<Void, Never>? {
        waiters.removeValue(forKey: point)
    }
}
