import BridgeTesting
import Foundation
import TestSupport
import Testing

@Suite("Schedules: the session under a seeded executor and clock")
struct ScheduleTests {
    /// All where `JSBRIDGE_PROOF` asks for it, a slice in every run.
    static var count: Int { ProcessInfo.processInfo.environment["JSBRIDGE_PROOF"] == nil ? 400 : 10_000 }

    @Test("R3 R4 R5 R6 R22 R23 R31 whatever schedule two contexts run, the promises hold")
    func promises() async {
        let seed = SeededGenerator.fromEnvironment("schedules").seed
        let start = ContinuousClock.now
        // Each schedule is a world of its own, so that processors can share them: on threads of their own, as they take minutes
        // in a proof and leave none of those that all tasks share.
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
        // Promises that hold where nothing goes wrong would say little.
        for kind in [
            ScheduleEvent.Kind.drop, .delay, .duplicate, .deliver, .cancel, .expire, .forge, .loseContext,
        ] {
            #expect(report.schedulesWith[kind] ?? 0 >= Self.count * 2 / 3, "\(kind) is too rare: \(report)")
        }
        for kind in [ScheduleEvent.Kind.crash, .tearDown, .tornDown, .replayOld] {
            #expect(report.schedulesWith[kind] ?? 0 >= Self.count / 3, "\(kind) is too rare: \(report)")
        }
        #expect(Set(report.happened.keys) == Set(ScheduleEvent.Kind.allCases))
    }

    // A stream whose opening was one reply too many for a side that does not listen yet stayed open for ever.
    @Test("R5 R22 a schedule that has found a mistake of the machine finds none any more")
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
