import TestSupport
import Testing

@testable import CollectionViews

@Suite("The length index")
struct LengthIndexTests {
    /// Applies random edits to the index and to a naive array, and returns the first difference.
    private func firstDifference(_ seed: UInt64, edits: Int, fault: LengthFault? = nil) -> String? {
        var generator = SeededGenerator(seed: seed)
        var tested = TestedIndex(fault: fault)
        var model = NaiveLengths()
        let scattered = generator.chance(30)
        if scattered {
            // Many runs from the beginning, so that chunks are split and joined.
            let runs = (0..<600).map { LengthRun(count: 1, length: $0 % 7 + 1, isMeasured: true) }
            tested.apply(.insert(runs, row: 0))
            model.apply(.insert(runs, row: 0))
        }
        for number in 0..<edits {
            let edit = LengthEdit.random(rows: model.rows.count, &generator)
            tested.apply(edit)
            model.apply(edit)
            if let found = model.difference(from: tested.index, &generator) {
                return "after edit \(number), \(edit): \(found); \(generator.origin)"
            }
        }
        return nil
    }

    @Test("V2 random edits: the index answers as an array that is scanned")
    func model() {
        var seeds = SeededGenerator.fromEnvironment()
        let first = SeededGenerator.givenSeed
        for number in 0..<30 {
            let seed = number == 0 ? first ?? seeds.next() : seeds.next()
            let difference = firstDifference(seed, edits: 60)
            #expect(difference == nil)
            if difference != nil { return }
        }
    }

    @Test("V2 the model finds every mutant of the index", arguments: LengthFault.allCases)
    func mutants(_ fault: LengthFault) {
        let found = (0..<20).contains { firstDifference(UInt64($0), edits: 40, fault: fault) != nil }
        #expect(found)
    }

    @Test("V3 a million rows of one estimate are one run, and a measured row adds two")
    func runs() {
        var index = LengthIndex(count: 1_000_000, length: 64)
        #expect(index.runCount == 1 && index.chunks.count == 1)
        index.setLength(200, isMeasured: true, at: 500_000)
        #expect(index.runCount == 3)
        #expect(index.total == 64 * 999_999 + 200)
        #expect(index.offset(of: 500_001) == 64 * 500_000 + 200)
        index.setLength(64, isMeasured: false, at: 500_000)
        #expect(index.runCount == 1)
    }

    @Test("V7 inserting and removing 100,000 estimated rows is one edit of runs")
    func ranges() {
        var index = LengthIndex(count: 1_000_000, length: 64)
        for row in 0..<5_000 { index.setLength(70, isMeasured: true, at: row * 190) }
        let runs = index.runCount
        index.insert([LengthRun(count: 100_000, length: 64, isMeasured: false)], at: 300_001)
        #expect(index.count == 1_100_000 && index.runCount == runs)
        index.remove(300_001..<400_001)
        #expect(index.count == 1_000_000 && index.runCount <= runs + 1)
        #expect(index.total == 64 * 995_000 + 70 * 5_000)
    }

    @Test("V7 moved rows keep their measured lengths")
    func moved() {
        var index = LengthIndex(count: 10, length: 64)
        index.setLength(100, isMeasured: true, at: 3)
        let moved = index.runs(of: 2..<5)
        index.remove(2..<5)
        index.insert(moved, at: 7)
        #expect(index.run(at: 8) == LengthRun(count: 1, length: 100, isMeasured: true))
        #expect(index.total == 64 * 9 + 100)
    }

    @Test("V2 lengths that are not numbers are 0, and none exceeds the limit")
    func hostile() {
        #expect(FixedLength.parts(.nan) == 0 && FixedLength.parts(-3) == 0 && FixedLength.parts(0.1) == 6)
        #expect(FixedLength.parts(.infinity) == FixedLength.longest)
        // A row and its spacing, in each of 2^32 rows.
        #expect(!(2 * FixedLength.longest).multipliedReportingOverflow(by: 1 << 32).overflow)
        #expect(FixedLength.position(.nan) == 0 && FixedLength.position(-1) == -64)
        #expect(FixedLength.position(.infinity) > 0)
    }
}
