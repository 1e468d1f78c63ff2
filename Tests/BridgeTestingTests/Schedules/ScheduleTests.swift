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
        let count = reports.reduce(0) { $0 + $1.scheduleCount }
        let events = reports.reduce(0) { $0 + $1.eventCount }
        let effects = reports.reduce(0) { $0 + $1.effectCount }
        let failures = reports.flatMap(\.failures)
        print(
            "schedules: \(count) schedules, \(events) events, \(effects) effects, \(failures.count) failures in \(ContinuousClock.now - start)"
        )
        #expect(failures.isEmpty, "\(failures)")
        #expect(count == Self.count && events >= Self.count * 200)
    }

    // A stream whose opening was one reply too many for a side that does not listen yet stayed open for ever.
    @Test(
        "R5 R22 schedules that have found a mistake of the machine find none any more",
        arguments: [11_685_903_759_531_823_189 as UInt64]
    )
    func found(seed: UInt64) { #expect(ScheduleExplorer().run(Schedule(seed: seed, eventCount: 250)) == nil) }
}
