import BridgeValues
import Synchronization

@testable import PageViews

/// A clock that a test moves.
final class TestClock: MonotonicClock {
    private struct State {
        var now = Duration.seconds(100)
        var next = 0
        var bodies: [Int: (deadline: Duration, body: @Sendable () -> Void)] = [:]
    }
    private let state = Mutex(State())

    struct Token: ScheduledWakeUp {
        let clock: TestClock
        let number: Int
        func cancel() { clock.remove(number) }
    }

    var now: Duration { state.withLock { $0.now } }
    /// The number of wake-ups that wait.
    var waiting: Int { state.withLock { $0.bodies.count } }

    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp {
        let number = state.withLock { state in
            state.next += 1
            state.bodies[state.next] = (deadline, body)
            return state.next
        }
        return Token(clock: self, number: number)
    }

    fileprivate func remove(_ number: Int) { _ = state.withLock { $0.bodies.removeValue(forKey: number) } }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.bodies.filter { $0.value.deadline <= state.now }.sorted { $0.key < $1.key }
            for (number, _) in due { state.bodies[number] = nil }
            return due.map(\.value.body)
        }
        for body in due { body() }
    }
}

/// An executor whose closures run when a test wants it.
final class TestQueue: Sendable {
    private let bodies = Mutex<[@Sendable () -> Void]>([])
    var executor: PageExecutor { PageExecutor { [self] body in bodies.withLock { $0.append(body) } } }

    /// Runs what waits, and what that adds.
    func runAll() {
        while true {
            let body = bodies.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let body else { return }
            body()
        }
    }

    /// The number of closures that wait.
    var count: Int { bodies.withLock { $0.count } }
}
