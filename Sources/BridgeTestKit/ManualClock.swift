public import BridgeValues
internal import Synchronization

/// A clock that only a test advances: timers and deadlines are exact, and no test sleeps.
///
/// Pass it to a bridge or a runtime (`configuration.clock = clock`), then call ``advance(by:)``.
public final class ManualClock: MonotonicClock {
    private struct Entry {
        let deadline: Duration
        let order: Int
        let body: @Sendable () -> Void
    }

    private struct State {
        var now: Duration = .zero
        var entries: [Entry] = []
        var nextOrder = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates a clock at time zero.
    public init() {}

    /// The time that the test has set.
    public var now: Duration { state.withLock { $0.now } }

    /// The number of scheduled wake-ups.
    public var pendingCount: Int { state.withLock { $0.entries.count } }

    /// Runs a body inside the call of ``advance(by:)`` that reaches a time.
    @discardableResult
    public func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp
    {
        let (order, waiters) = state.withLock { state in
            state.nextOrder += 1
            state.entries.append(Entry(deadline: deadline, order: state.nextOrder, body: body))
            let count = state.entries.count
            let ready = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (state.nextOrder, ready)
        }
        for waiter in waiters { waiter.continuation.resume() }
        return Token { [weak self] in self?.state.withLock { $0.entries.removeAll { $0.order == order } } }
    }

    /// Advances the clock, and runs all wake-ups that become due inside this call.
    ///
    /// They run in the order of their times, and in the order of scheduling for equal times. Wake-ups that are
    /// scheduled meanwhile are included.
    public func advance(by duration: Duration) {
        let end = now + duration
        while let entry = takeDue(until: end) { entry.body() }
        state.withLock { $0.now = max($0.now, end) }
    }

    /// Waits until a number of wake-ups are scheduled: until the code under test needs the clock.
    public func waitForWakeUps(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.entries.count < count else { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    private func takeDue(until end: Duration) -> Entry? {
        state.withLock { state in
            let due = state.entries.indices.filter { state.entries[$0].deadline <= end }
            let first = due.min { left, right in
                let (left, right) = (state.entries[left], state.entries[right])
                return left.deadline == right.deadline
                    ? left.order < right.order : left.deadline < right.deadline
            }
            guard let first else { return nil }
            let entry = state.entries.remove(at: first)
            state.now = max(state.now, entry.deadline)
            return entry
        }
    }

    private struct Token: ScheduledWakeUp {
        let onCancel: @Sendable () -> Void
        func cancel() { onCancel() }
    }
}
