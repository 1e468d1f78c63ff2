import BridgeTesting
import Foundation
import SessionSimulation
import TestSupport
import Testing

@Suite("Schedules: the session under a seeded executor and clock")
struct ScheduleTests {
    /// The number of schedules: all if `JSBRIDGE_STRESS` is set, a part in every run.
    static var count: Int { ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] == nil ? 400 : 10_000 }

    @Test("R3 R4 R5 R6 R22 R23 R31 the rules hold for every schedule of two contexts")
    func promises() async {
        let seed = SeededGenerator.fromEnvironment("schedules").seed
        let start = ContinuousClock.now
        // Each schedule is independent, so that processors can share them. They run on threads of their own, because
        // they take minutes in a full run and must not occupy the threads that all tasks share.
        let reports = await withTaskGroup(of: ScheduleReport.self) { group in
            let part = Self.count / 4
            for number in 0..<4 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            let seed = seed &+ UInt64(number * part)
                            continuation.resume(returning: ScheduleExplorer().explore(part, seed: seed))
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let report = reports.reduce(into: ScheduleReport()) { $0.add($1) }
        print("schedules: \(report) in \(ContinuousClock.now - start)")
        #expect(report.failures.isEmpty, "\(report.failures)")
        #expect(report.scheduleCount == Self.count && report.fewestEvents >= 200)
        // Rules that hold without any faults would prove little.
        for kind in [
            ScheduleEvent.Kind.drop, .delay, .duplicate, .deliver, .cancel, .expire, .forge, .loseContext,
        ] {
            #expect(report.schedulesWith[kind] ?? 0 >= Self.count * 2 / 3, "\(kind) is too rare: \(report)")
        }
        for kind in [ScheduleEvent.Kind.crash, .tearDown, .tornDown, .replayOld] {
            #expect(report.schedulesWith[kind] ?? 0 >= Self.count / 3, "\(kind) is too rare: \(report)")
        }
        // It happened in none of the 400 schedules of two runs of seven.
        let rare: Set<ScheduleEvent.Kind> = Self.count < 10_000 ? [.countItems] : []
        #expect(rare.union(report.happened.keys) == Set(ScheduleEvent.Kind.allCases))
    }

    // A stream whose opening exceeded the limit of replies for a peer that is not ready stayed open forever.
    @Test("R5 R22 a schedule that found a mistake of the state machine finds none any more")
    func found() throws {
        let schedule = Schedule(
            """
            schedule inProcess unknown 40 3 4 13663500456917897595
            register b.host 21533 nested
            arrive b.host 58464
            drainOne b.script 22128
            duplicate b.host 28285
            deliver a.script 10882
            tornDown a.host 24178 nested
            deliver b.script 51953
            progress b.host 33541
            endStream b.host 18858
            """
        )
        #expect(ScheduleExplorer().run(try #require(schedule)) == nil)
    }
}
