internal import BridgeValues
internal import Dispatch
internal import JavaScriptEngine
internal import Synchronization

/// A leak tracker of the engine and the bridge: it records the living virtual machines, contexts, values, closures and
/// pending calls, and their creators.
///
/// It sees objects that are created inside ``observe(_:)`` on the same thread, in the task of the caller and in its
/// child tasks. Child tasks may continue after ``observe(_:)``. It does not see objects of other threads or of detached
/// tasks, which can join by calling ``observe(_:)`` themselves.
///
/// ```swift
/// let tracker = LeakTracker()
/// try await tracker.observeTask { try await useABridge() }
/// print(await tracker.leftovers())
/// ```
///
/// `assertNoLeaks` does both and throws if anything is left.
public final class LeakTracker: Sendable {
    private struct State {
        var live: [Int: (kind: TrackedKind, label: String?, origin: Origin)] = [:]
        var lastNumber = 0
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private enum Waiter {
        case continuation(CheckedContinuation<Void, Never>)
        case semaphore(DispatchSemaphore)

        func wake() {
            switch self {
            case .continuation(let continuation): continuation.resume()
            case .semaphore(let semaphore): semaphore.signal()
            }
        }
    }

    private let state = Mutex(State())
    private let recorder = OriginRecorder()

    /// Creates a leak tracker without records.
    public init() {
        LeakTracking.begin()
        EngineLeakTracking.begin()
    }

    deinit {
        EngineLeakTracking.end()
        LeakTracking.end()
    }

    /// Runs a body and tracks the objects that it creates.
    @discardableResult
    public func observe<Result>(_ body: () throws -> Result) rethrows -> Result {
        try LeakTracking.$taker.withValue(Taker(self), operation: body)
    }

    /// Runs an asynchronous body and tracks the objects that it creates.
    @discardableResult
    public nonisolated(nonsending) func observeTask<Result>(_ body: () async throws -> Result) async rethrows
        -> Result
    {
        try await LeakTracking.$taker.withValue(Taker(self), operation: body)
    }

    /// The number of living objects.
    public var liveCount: Int { state.withLock { $0.live.count } }

    /// Returns the number of living objects of a kind, such as `pending call`.
    public func liveCount(of kind: String) -> Int {
        state.withLock { state in state.live.values.count { $0.kind.rawValue == kind } }
    }

    /// The living objects, with equal ones counted together.
    ///
    /// Finding a place in the source may take seconds, so that only the first 16 are found.
    public var report: LeakReport {
        let live = state.withLock { $0.live.sorted { $0.key < $1.key }.map(\.value) }
        return LeakReport(live.map { ($0.kind.rawValue, $0.label, $0.origin) })
    }

    /// Returns the remaining objects, after waiting for pending releases on other threads or at the end of a task.
    ///
    /// - Parameter timeLimit: The maximum time to wait. The function returns immediately if nothing remains.
    /// - Returns: The remaining objects.
    public nonisolated(nonsending) func leftovers(timeLimit: Duration = .seconds(5)) async -> LeakReport {
        await withCheckedContinuation { continuation in
            guard let number = addWaiter(.continuation(continuation)) else { return continuation.resume() }
            let deadline = DispatchTime.now() + timeLimit.interval
            DispatchQueue.global().asyncAfter(deadline: deadline) { self.takeWaiter(number)?.wake() }
        }
        return report
    }

    /// Returns the remaining objects, after blocking this thread for pending releases on other threads.
    ///
    /// - Parameter timeLimit: The maximum time to wait. The function returns immediately if nothing remains.
    /// - Returns: The remaining objects.
    @available(*, noasync, message: "it blocks the thread: await leftovers(timeLimit:) instead")
    public func leftoversAfterWaiting(timeLimit: Duration = .seconds(1)) -> LeakReport {
        let semaphore = DispatchSemaphore(value: 0)
        if let number = addWaiter(.semaphore(semaphore)) {
            _ = semaphore.wait(timeout: .now() + timeLimit.interval)
            _ = takeWaiter(number)
        }
        return report
    }

    private func addWaiter(_ waiter: sending Waiter) -> Int? {
        state.withLock { state in
            guard !state.live.isEmpty else { return nil }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = waiter
            return state.lastWaiter
        }
    }

    private func takeWaiter(_ number: Int) -> Waiter? {
        state.withLock { $0.waiters.removeValue(forKey: number) }
    }

    fileprivate func added(_ kind: TrackedKind, label: String?) -> Int {
        let origin = recorder.here(calledFrom: LeakTracking.caller as? Origin)
        return state.withLock { state in
            state.lastNumber += 1
            state.live[state.lastNumber] = (kind, label, origin)
            return state.lastNumber
        }
    }

    fileprivate func removed(_ number: Int) {
        let ready = state.withLock { state -> [Waiter] in
            state.live[number] = nil
            guard state.live.isEmpty else { return [] }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in ready { waiter.wake() }
    }

    /// The receiver of notifications from tracked objects.
    ///
    /// Leaked objects retain it beyond the life of the tracker, which must then stop tracking.
    private final class Taker: LeakObserver {
        let tracker: LeakTracker

        init(_ tracker: LeakTracker) { self.tracker = tracker }

        func added(_ kind: TrackedKind, label: String?) -> Int { tracker.added(kind, label: label) }
        func removed(_ number: Int) { tracker.removed(number) }
        func here() -> any Sendable { tracker.recorder.here() }
    }
}

extension Duration {
    fileprivate var interval: DispatchTimeInterval {
        .milliseconds(Int(clampedNanoseconds / 1_000_000))
    }
}
