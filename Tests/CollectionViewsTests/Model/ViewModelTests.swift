import TestSupport
import Testing

@testable import CollectionViews

@Suite("Random lives of a view")
struct ViewModelTests {
    @Test("V4 V11 C9 random batches, measurements and scrolls: each frame is that of a new view")
    func model() throws {
        var seeds = SeededGenerator.fromEnvironment()
        for number in 0..<60 {
            let seed = number == 0 ? SeededGenerator.givenSeed ?? seeds.next() : seeds.next()
            var run = ViewModelRun(seed: seed)
            let difference = try run.firstDifference(steps: 40)
            #expect(difference == nil)
            if difference != nil { return }
        }
    }

    @Test("V11 the model finds every mutant of the view", arguments: ViewFault.allCases)
    func mutants(_ fault: ViewFault) throws {
        for seed in 0..<40 {
            var run = ViewModelRun(seed: UInt64(seed), fault: fault)
            if try run.firstDifference(steps: 30) != nil { return }
        }
        Issue.record("no difference was found in 40 lives")
    }
}
