import BridgeTesting
import Testing

@testable import BridgeCommands

/// The moments at which `--watch` applies changes.
@MainActor
struct ReloadScheduleTests {
    /// A schedule whose reloads a test begins and ends.
    @MainActor
    private final class Reloads {
        let clock = ManualClock()
        private(set) var starts: [Duration] = []
        private(set) lazy var schedule = ReloadSchedule(clock) { [unowned self] in starts.append($0) }

        /// Advances the clock, and runs what it has woken.
        func advance(_ milliseconds: Int) async {
            clock.advance(by: .milliseconds(milliseconds))
            for _ in 0..<10 { await Task.yield() }
        }
    }

    @Test("a single change is applied after the quiet period, and a burst when it is over")
    func quiet() async {
        let reloads = Reloads()
        reloads.schedule.noteChange()
        await reloads.advance(9)
        #expect(reloads.starts == [])
        await reloads.advance(1)
        #expect(reloads.starts == [.zero])
        reloads.schedule.end()
        await reloads.advance(100)
        for _ in 0..<40 {
            reloads.schedule.noteChange()
            await reloads.advance(9)
        }
        #expect(reloads.starts.count == 1)
        await reloads.advance(1)
        #expect(reloads.starts == [.zero, .milliseconds(110)])
    }

    @Test("the rest of a burst that has begun waits for a longer time")
    func rest() async {
        let reloads = Reloads()
        for _ in 0..<20 {
            reloads.schedule.noteChange()
            await reloads.advance(20)
            if reloads.schedule.isRunning { reloads.schedule.end() }
        }
        #expect(reloads.starts == [.zero])
        await reloads.advance(80)
        #expect(reloads.starts == [.zero, .milliseconds(20)])
    }

    @Test("a burst without an end is applied after the longest time")
    func longest() async {
        let reloads = Reloads()
        for _ in 0..<1_000 {
            reloads.schedule.noteChange()
            await reloads.advance(1)
            if reloads.schedule.isRunning { reloads.schedule.end() }
        }
        #expect(reloads.starts == [.zero, .milliseconds(500)])
    }

    @Test("changes while a reload runs are one reload after it")
    func running() async {
        let reloads = Reloads()
        reloads.schedule.noteChange()
        await reloads.advance(10)
        for _ in 0..<100 {
            reloads.schedule.noteChange()
            await reloads.advance(20)
        }
        #expect(reloads.starts == [.zero])
        reloads.schedule.end()
        #expect(reloads.starts == [.zero, .milliseconds(10)])
        reloads.schedule.end()
        await reloads.advance(1_000)
        #expect(reloads.starts.count == 2)
        // One that has just come waits for the quiet period.
        reloads.schedule.noteChange()
        await reloads.advance(10)
        reloads.schedule.noteChange()
        reloads.schedule.end()
        #expect(reloads.starts.count == 3)
        await reloads.advance(99)
        #expect(reloads.starts.count == 3)
        await reloads.advance(1)
        #expect(reloads.starts.count == 4)
    }
}
