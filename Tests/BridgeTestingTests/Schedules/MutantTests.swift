import BridgeTesting
import Foundation
import MutatedSession
import SessionSimulation
import Testing

/// The mutation test of the explorer: the schedule whose seed is in ``seedsOfFaults`` must find each mutant of the
/// state machine.
@Suite("Schedules: mutants")
struct MutantTests {
    static let eventCount = 250

    @Test("Every mutant breaks a rule in the schedule of its seed", arguments: Mutant.allCases)
    func isCaught(fault: Mutant) throws {
        let seed = try #require(seedsOfFaults[fault.rawValue], "\(fault) has no seed. \(Self.search(fault))")
        let schedule = Schedule(seed: seed, eventCount: Self.eventCount)
        let broken = withFault(fault) { $0.run(schedule) }
        #expect(
            broken != nil,
            "The schedule of seed \(seed) does not show \(fault) any more. \(Self.search(fault))"
        )
        #expect(withFault(nil) { $0.run(schedule) } == nil)
    }

    @Test("Every mutant has its place in the sources, and none is lost")
    func places() {
        #expect(
            Mutant.lost.isEmpty,
            "The sources have changed: correct the lists in Tests/MutantGenerator"
        )
        #expect(Mutant.allCases.count >= 177)
        #expect(Set(seedsOfFaults.keys) == Set(Mutant.allCases.map(\.rawValue)))
    }

    @Test(
        "A failing schedule shrinks to a few events that still break the same rule, and its text can be parsed"
    )
    func shrinking() throws {
        for fault in [Mutant.doubleCredit, .reentrantDrain, .idReuse] {
            let seed = try #require(seedsOfFaults[fault.rawValue])
            try withFault(fault) { explorer throws in
                let report = explorer.explore(1, eventCount: Self.eventCount, seed: seed)
                let failure = try #require(report.failures.first)
                #expect(failure.shrunk.events.count <= 25)
                #expect(explorer.run(failure.shrunk)?.prefix(2) == failure.promise.prefix(2))
                let text = failure.shrunk.description
                #expect(Schedule(text) == failure.shrunk)
                #expect("\(failure)".contains("seed \(seed)") && "\(failure)".contains(text))
                #expect(explorer.trace(failure.shrunk).last?.hasPrefix("broken: ") == true)
            }
        }
    }

    // The text to write into the table of seeds.
    private static func search(_ fault: Mutant) -> String {
        let report = withFault(fault) { $0.explore(40_000, eventCount: eventCount, seed: 1) }
        guard let failure = report.failures.first else { return "None of 40,000 schedules does." }
        return
            "That of seed \(failure.seed) does: \(failure.promise), by \(failure.shrunk.events.count) events"
    }
}
