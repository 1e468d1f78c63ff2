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
        // Each schedule is a world of its own, so that processors can share them.
        let reports = await withTaskGroup(of: ScheduleReport.self) { group in
            let part = Self.count / 4
            for number in 0..<4 {
                group.addTask { ScheduleExplorer().explore(part, seed: seed &+ UInt64(number * part)) }
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
    @Test(
        "R5 R22 schedules that have found a mistake of the machine find none any more",
        arguments: [11_685_903_759_531_823_189 as UInt64]
    )
    func found(seed: UInt64) { #expect(ScheduleExplorer().run(Schedule(seed: seed, eventCount: 250)) == nil) }
}
