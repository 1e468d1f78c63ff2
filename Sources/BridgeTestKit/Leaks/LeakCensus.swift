internal import BridgeValues
internal import Dispatch
internal import JavaScriptEngine
internal import Synchronization

/// Counts what of the engine and the bridge is alive: machines, contexts, values, closures, pending calls, and
/// who made them.
///
/// It sees what is made inside ``observe(_:)`` on the same thread, in the task of the caller and in
/// tasks that it starts, also when they go on afterwards; not on other threads nor in detached tasks, which
/// join by calling ``observe(_:)`` themselves.
///
/// ```swift
/// let census = LeakCensus()
/// try await census.observeTask { try await useABridge() }
/// print(await census.leftovers())
/// ```
///
/// `assertNoLeaks` does both and throws where something is left.
public final class LeakCensus: Sendable {
    private struct State {
        var live: [Int: (kind: CensusKind, label: String?, origin: Origin)] = [:]
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

    /// Makes a census that has seen nothing yet.
    public init() {
        Census.begin()
        EngineCensus.begin()
    }

    deinit {
        EngineCensus.end()
        Census.end()
    }

    /// Runs a body and counts what it makes.
    @discardableResult
    public func observe<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Census.$taker.withValue(Taker(self), operation: body)
    }

    /// Runs an asynchronous body and counts what it makes.
    @discardableResult
    public nonisolated(nonsending) func observeTask<Result>(_ body: () async throws -> Result) async rethrows
        -> Result
    {
        try await Census.$taker.withValue(Taker(self), operation: body)
    }

    /// How many things are alive now.
    public var liveCount: Int { state.withLock { $0.live.count } }

    /// How many things of a kind, such as `pending call`, are alive now.
    public func liveCount(of kind: String) -> Int {
        state.withLock { state in state.live.values.count { $0.kind.rawValue == kind } }
    }

    /// What is alive now, those alike counted together.
    ///
    /// Finding the places in the source costs up to seconds, so the first 16 are found.
    public var report: LeakReport {
        let live = state.withLock { $0.live.sorted { $0.key < $1.key }.map(\.value) }
        return LeakReport(live.map { ($0.kind.rawValue, $0.label, $0.origin) })
    }

    /// What is left, after waiting for what is about to go, on other threads or at the end of a task.
    ///
    /// - Parameter timeLimit: How long to wait. Nothing waits where nothing is left.
    /// - Returns: What is left then.
    public nonisolated(nonsending) func leftovers(timeLimit: Duration = .seconds(5)) async -> LeakReport {
        await withCheckedContinuation { continuation in
            guard let number = addWaiter(.continuation(continuation)) else { return continuation.resume() }
            let deadline = DispatchTime.now() + timeLimit.interval
            DispatchQueue.global().asyncAfter(deadline: deadline) { self.takeWaiter(number)?.wake() }
        }
        return report
    }

    /// What is left, after waiting on this thread for what is about to go on others.
    ///
    /// - Parameter timeLimit: How long to wait. Nothing waits where nothing is left.
    /// - Returns: What is left then.
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

    fileprivate func added(_ kind: CensusKind, label: String?) -> Int {
        let origin = recorder.here(calledFrom: Census.caller as? Origin)
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

    /// What things tell: they outlive the census where they leak, and must not keep it counting.
    private final class Taker: CensusTaker {
        let census: LeakCensus

        init(_ census: LeakCensus) { self.census = census }

        func added(_ kind: CensusKind, label: String?) -> Int { census.added(kind, label: label) }
        func removed(_ number: Int) { census.removed(number) }
        func here() -> any Sendable { census.recorder.here() }
    }
}

extension Duration {
    fileprivate var interval: DispatchTimeInterval {
        .milliseconds(Int(clampedNanoseconds / 1_000_000))
    }
}
