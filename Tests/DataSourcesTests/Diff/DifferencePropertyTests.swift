import DataSources
import Testing

@Suite struct DifferencePropertyTests {
    @Test(
        "X1 X2 X3 X4 X5 X7 10,000 random edit scripts give right, minimal, applicable and invertible differences"
    )
    func randomScripts() throws {
        let seeds = Seeds("DifferencePropertyTests")
        var moves = 0
        var sectionMoves = 0
        var largest = 0
        for number in 0..<10_000 {
            let seed = seeds.first &+ UInt64(number)
            var states = RandomStates(seed: seed)
            let (old, new) = states.pair()
            largest = max(largest, new.reduce(0) { $0 + $1.items.count })
            let problems = try problems(old, new, &moves, &sectionMoves)
            guard problems.isEmpty else {
                var counts = (0, 0)
                let pair = StatePair(old: old, new: new).shrunk { old, new in
                    (try? self.problems(old, new, &counts.0, &counts.1).isEmpty) != true
                }
                Issue.record("\(problems)\n\(pair)\n\(seeds.replay(seed))")
                return
            }
        }
        // The scripts are only useful if they reach all kinds of changes and sizes.
        #expect(moves > 5_000)
        #expect(sectionMoves > 200)
        #expect(largest > 500)
    }

    private func problems(_ old: State, _ new: State, _ moves: inout Int, _ sectionMoves: inout Int) throws
        -> [String]
    {
        let difference = try KeyedDiff.packed(old, new)
        moves += difference.moves.count
        sectionMoves += difference.sectionMoves.count
        var problems = DifferenceOracle(old: old, new: new).violations(difference)
        let changes = difference.changeSet
        let isSame: (TestRow, TestRow) -> Bool = { $0.id == $1.id }
        if try changes.applied(to: old, arrivingFrom: new, isSameItem: isSame) != new {
            problems.append("X1 applied it does not give the new state")
        }
        let inverse = changes.inverse
        if try inverse.applied(to: new, arrivingFrom: old, isSameItem: isSame) != old {
            problems.append("X5 the inverse does not give the old state")
        }
        if DifferenceOracle(old: new, new: old).surgery(inverse) != old {
            problems.append("X5 the inverse applied by hand does not give the old state")
        }
        if Set(inverse.inverse.list) != Set(changes.list) {
            problems.append("X5 the inverse's inverse differs")
        }
        let generic = try KeyedDiff.difference(from: old, to: new, id: \.id) { $0.stamp != $1.stamp }
        if generic != difference { problems.append("X8 interned keys give another difference") }
        if try !KeyedDiff.packed(new, new).isEmpty { problems.append("X7 a state differs from itself") }
        return problems
    }
}

extension ChangeSet {
    /// The changes, empty for `all`.
    var list: [Change] {
        guard case .some(let changes) = self else { return [] }
        return changes
    }
}
