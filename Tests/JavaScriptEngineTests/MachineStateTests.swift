import Testing

@testable import JavaScriptEngine

/// The parts of a virtual machine's state, each without an engine.
@Suite struct MachineStateTests {
    @Test("each change of the limits counts, and sets what payloads are checked against")
    func limits() {
        var limits = MachineLimits(.trusted)
        #expect(limits.values == .trusted && limits.version == 0)
        var stricter = ExecutionLimits.trusted
        stricter.maximumNodes = 17
        stricter.maximumPayloadBytes = 1000
        limits.replace(by: stricter)
        #expect(limits.values == stricter && limits.version == 1)
        #expect(limits.maximumNodes == 17 && limits.maximumPayloadBytes == 1000)
        #expect(limits.maximumDepth == stricter.usableDepth)
        limits.replace(by: stricter)
        #expect(limits.version == 2)
    }

    @Test("an idle machine looks after a tick or 1,024 turns, and compares with the smallest size since")
    func idle() {
        var idle = IdleCollector(resident: 100)
        idle.policy = IdleCollection(minimumGrowth: 50, minimumGrowthRatio: 0)
        let looks = [(0, 1023), (1, 1023), (1, 2046), (1, 2047)].map { idle.needsLook(ticks: $0, turns: $1) }
        #expect(looks == [false, true, false, true])
        // The last two are compared with 80.
        let grown = [149, 150, 80, 129, 130].map { idle.isDue(resident: $0) }
        #expect(grown == [false, true, false, false, true])
        idle.didCollect(resident: 120)
        let again = [169, 170].map { idle.isDue(resident: $0) }
        #expect(again == [false, true])
    }
}
