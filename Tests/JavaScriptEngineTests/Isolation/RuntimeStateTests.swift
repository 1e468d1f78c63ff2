import BridgeTesting
import BridgeValues
import Synchronization
import Testing

@testable import JavaScriptEngine

/// The parts of a runtime's state, each without an engine.
@Suite struct RuntimeStateTests {
    @Test("a runtime is closed once, and calls its handler once, after it counts as closed")
    func closing() {
        let closing = RuntimeClosing()
        let calls = Mutex(0)
        closing.setHandler { calls.withLock { $0 += 1 } }
        // A macro cannot take a type that is not copied.
        let states = [closing.isClosed, closing.begin(), closing.isClosed, closing.begin(), closing.isClosed]
        #expect(states == [false, true, true, false, true])
        #expect(calls.withLock(\.self) == 1)
    }

    @Test("the wake-up for a timer moves with its deadline, and one at most is pending")
    func wakeUps() {
        let clock = ManualClock()
        let calls = Mutex(0)
        var wakeUp = TimerWakeUp()
        wakeUp.setAction { calls.withLock { $0 += 1 } }
        wakeUp.move(to: .seconds(2), on: clock)
        wakeUp.move(to: .seconds(1), on: clock)
        wakeUp.move(to: .seconds(1), on: clock)
        #expect(clock.pendingCount == 1)
        clock.advance(by: .seconds(1))
        #expect(calls.withLock(\.self) == 1)
        wakeUp.didWake()
        wakeUp.move(to: .seconds(1), on: clock)
        #expect(clock.pendingCount == 1, "the same deadline again, after the wake-up")
        wakeUp.move(to: nil, on: clock)
        #expect(clock.pendingCount == 0)
        wakeUp.move(to: .seconds(3), on: clock)
        wakeUp.cancel()
        #expect(clock.pendingCount == 0)
    }
}
