internal import BridgeProtocol

/// The asynchronous handlers that run, and the order in which handlers begin.
struct HandlerRuns {
    /// The request for which an asynchronous handler runs.
    enum Key: Hashable, Sendable {
        case call(IncomingCallID)
        case notification(Int)
    }

    private var tasks: [Key: Task<Void, Never>] = [:]
    /// Runs that ended before their task was recorded.
    private var ended: Set<Key> = []
    /// Runs whose tasks are about to begin, and those of them whose callers have given up meanwhile.
    private var starting: Set<Key> = []
    private var abandoned: Set<Key> = []
    private var lastNotification = 0
    /// The request whose handler the engine's turn is running, until the turn takes the next work.
    var runningRequest: UInt64 = 0
    /// Tasks that wait until the handlers of all requests before them have begun.
    private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var lastPoint: UInt64 = 0
    /// The error of the last synchronous request, until the script has fetched it.
    var synchronousError: BridgeError?

    /// A Boolean value that indicates whether no handler runs or is about to.
    var isEmpty: Bool { tasks.isEmpty && starting.isEmpty }

    var allTasks: [Task<Void, Never>] { Array(tasks.values) }

    mutating func newNotification() -> Key {
        lastNotification += 1
        return .notification(lastNotification)
    }

    /// Records that a task is about to begin, for a caller that may have given up already.
    mutating func willStart(_ run: Key, isWanted: Bool) {
        starting.insert(run)
        if !isWanted { abandoned.insert(run) }
    }

    /// Records the task of a run.
    ///
    /// - Returns: Whether its caller still wants it.
    mutating func start(_ run: Key, _ task: Task<Void, Never>) -> Bool {
        starting.remove(run)
        if ended.remove(run) == nil { tasks[run] = task }
        return abandoned.remove(run) == nil
    }

    /// Records that a run has ended, possibly before its starter could record its task.
    mutating func end(_ run: Key) {
        if tasks.removeValue(forKey: run) == nil { ended.insert(run) }
    }

    /// Returns the task of a call that is not wanted any more; a task that is about to begin will be cancelled then.
    mutating func abandon(_ call: IncomingCallID) -> Task<Void, Never>? {
        if let task = tasks[.call(call)] { return task }
        if starting.contains(.call(call)) { abandoned.insert(.call(call)) }
        return nil
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
