import DataSources
import TestSupport
import Testing

@Suite struct HeadlessViewTests {
    @Test("U5 X9 a view that receives only the changes has the new rows in their old cells")
    func keepsCells() throws {
        let seeds = Seeds("HeadlessViewTests")
        var kept = 0
        for number in 0..<2_000 {
            let seed = seeds.first &+ UInt64(number)
            var states = RandomStates(seed: seed)
            let (old, new) = states.pair()
            guard let problem = try Self.problem(old, new, seed) else {
                kept += old.isEmpty ? 0 : 1
                continue
            }
            let pair = StatePair(old: old, new: new).shrunk {
                (try? Self.problem($0, $1, seed)) != .some(nil)
            }
            Issue.record("\(problem)\n\(pair)\n\(seeds.replay(seed))")
            return
        }
        #expect(kept > 1_000)
    }

    private static func problem(_ old: State, _ new: State, _ seed: UInt64) throws -> String? {
        let view = HeadlessView(old)
        let cells = Dictionary(uniqueKeysWithValues: view.cells.joined().map { ($0.row.id, $0) })
        let difference = try KeyedDiff.packed(old, new)
        view.dataSource = new
        // The order of the changes carries no meaning.
        var random = SeededGenerator(seed: seed)
        view.performUpdates(withChangeSet: .some(difference.changeSet.list.shuffled(using: &random)))
        guard view.cells.map({ $0.map(\.row) }) == new.map(\.items) else {
            return "other rows than the new ones"
        }
        for cell in view.cells.joined() {
            if let before = cells[cell.row.id], before !== cell {
                return "row \(cell.row.id) has another cell"
            }
        }
        return view.made == difference.inserts.count
            ? nil : "\(view.made) cells made for \(difference.inserts.count)"
    }

    @Test(
        "X10 a failing case is shrunk to a few rows, and its text can be parsed again",
        arguments: DifferFault.allCases
    )
    func shrinks(_ fault: DifferFault) throws {
        let seeds = Seeds("HeadlessViewTests")
        let fails = { (old: State, new: State) -> Bool in
            guard let right = try? KeyedDiff.packed(old, new),
                let wrong = fault.plant(in: right, old: old, new: new)
            else { return false }
            return !DifferenceOracle(old: old, new: new).violations(wrong).isEmpty
        }
        var shrunk = 0
        for number in 0..<3_000 where shrunk < 5 {
            let seed = seeds.first &+ UInt64(number)
            var states = RandomStates(seed: seed)
            let (old, new) = states.pair()
            guard fails(old, new) else { continue }
            shrunk += 1
            let pair = StatePair(old: old, new: new).shrunk(while: fails)
            #expect(fails(pair.old, pair.new))
            #expect(pair.rowCount <= 10, "\(fault): \(pair), \(seeds.replay(seed))")
            #expect(StatePair("\(pair)") == pair)
        }
        #expect(shrunk == 5)
    }
}
