import DataSources
import Foundation
import TestSupport
import Testing

/// Faults that a merge could have: each makes a wrong result from two right differences.
private enum MergeFault: String, CaseIterable {
    case firstOnly, secondOnly, joined, swapped, deletesNotTraced, insertsNotTraced, movesNotTraced,
        updatesNotTraced
    case movesNotMinimal, cancelledInsertKept

    func plant(_ first: Difference, _ second: Difference) throws -> Difference {
        var wrong = try first.merging(second)
        switch self {
        case .firstOnly: return first
        case .secondOnly: return second
        case .swapped: return try second.merging(first)
        case .joined:
            wrong.deletes = first.deletes + second.deletes
            wrong.inserts = first.inserts + second.inserts
        case .deletesNotTraced: wrong.deletes = Array(Set(first.deletes + second.deletes)).sorted()
        case .insertsNotTraced: wrong.inserts = Array(Set(first.inserts + second.inserts)).sorted()
        case .movesNotTraced: wrong.moves = (first.moves + second.moves).sorted { $0.old < $1.old }
        case .updatesNotTraced:
            wrong.updates = (first.updates + second.updates).sorted { $0.old < $1.old }
        case .movesNotMinimal: if let pair = wrong.updatesInPlace.first { wrong.moves.append(pair) }
        case .cancelledInsertKept: wrong.inserts = (wrong.inserts + first.inserts).sorted()
        }
        return wrong
    }
}

@Suite struct MergeTests {
    private func difference(_ old: [Int], _ new: [Int]) throws -> Difference {
        try KeyedDiff.difference(from: old, to: new)
    }

    /// Returns two steps, with identities that are never used again.
    private func steps(_ seed: UInt64) -> (State, State, State) {
        var states = RandomStates(seed: seed)
        let (first, second) = states.pair()
        var third = second
        states.edit(&third, times: Int(seed % 9))
        return (first, second, third)
    }

    /// Returns all errors of a merged difference.
    ///
    /// To a merge, a row that was inserted again is another row. The result is therefore compared with the differ's
    /// only if the scripts do not do that. Applied, it must always lead to the last state.
    private func problem(_ merged: Difference, _ first: State, _ last: State, _ exact: Difference) -> String?
    {
        let applied = Result {
            try merged.changeSet.applied(to: first, arrivingFrom: last) { $0.id == $1.id }
        }
        guard case .success(let state) = applied else { return "\(applied)" }
        if state != last { return "it does not lead to the last state" }
        if merged.deletes != exact.deletes || merged.inserts != exact.inserts {
            return "other rows come and go"
        }
        if merged.moves.count != exact.moves.count {
            return "\(merged.moves.count) moves, the minimum is \(exact.moves.count)"
        }
        if !Set(exact.updates).isSubset(of: merged.updates) { return "an update is lost" }
        return nil
    }

    @Test(
        "X6 merging two differences gives one from the first state to the last, with as few moves as possible"
    )
    func randomSteps() throws {
        let seeds = Seeds("MergeTests")
        var compared = 0
        for number in 0..<1_200 {
            let seed = seeds.first &+ UInt64(number)
            let (first, second, third) = steps(seed)
            let merged = try KeyedDiff.packed(first, second).merging(KeyedDiff.packed(second, third))
            let exact = try KeyedDiff.packed(first, third)
            guard Self.isTraceable(first, second, third) else { continue }
            compared += 1
            #expect(problem(merged, first, third, exact) == nil, "\(seeds.replay(seed))")
        }
        #expect(compared > 600)
    }

    /// Returns whether no section was deleted and inserted again: to a merge it would be another one.
    private static func isTraceable(_ first: State, _ second: State, _ third: State) -> Bool {
        let between = Set(second.map(\.key))
        return Set(first.map(\.key)).intersection(third.map(\.key)).isSubset(of: between)
    }

    @Test(
        "X6 change sets without the items of inserted and deleted sections are merged as if they named them"
    )
    func changeSets() throws {
        let seeds = Seeds("MergeTests")
        for number in 0..<600 {
            let seed = seeds.first &+ UInt64(number)
            let (first, second, third) = steps(seed)
            guard Self.isTraceable(first, second, third) else { continue }
            let counts = [first, second, third].map { $0.map(\.items.count) }
            let (one, two) = (try KeyedDiff.packed(first, second), try KeyedDiff.packed(second, third))
            let named = one.changeSet.merging(two.changeSet, counts: counts[0], counts[1], counts[2])
            let unnamed = Self.brief(one).merging(Self.brief(two), counts: counts[0], counts[1], counts[2])
            #expect(named == unnamed, "\(seeds.replay(seed))")
            #expect(
                try named.applied(to: first, arrivingFrom: third) { $0.id == $1.id } == third,
                "\(seeds.replay(seed))"
            )
        }
        #expect(ChangeSet.all.merging(.some([]), counts: [1], [1], [1]) == .all)
        #expect(ChangeSet.some([]).merging(.all, counts: [1], [1], [1]) == .all)
    }

    /// Returns a difference as a script may announce it.
    private static func brief(_ difference: Difference) -> ChangeSet {
        guard case .some(let changes) = difference.changeSet else { return .all }
        let gone = Set(difference.sectionDeletes.map(Int.init))
        let come = Set(difference.sectionInserts.map(Int.init))
        return .some(
            changes.filter { change in
                switch change {
                case .item(.delete(let path)): !gone.contains(path.section)
                case .item(.insert(let path)): !come.contains(path.section)
                default: true
                }
            }
        )
    }

    @Test("X6 merging is associative, and merging with an empty difference changes nothing")
    func laws() throws {
        let seeds = Seeds("MergeTests")
        for number in 0..<200 {
            let seed = seeds.first &+ UInt64(number)
            let (first, second, third) = steps(seed)
            let one = try KeyedDiff.packed(first, second)
            let two = try KeyedDiff.packed(second, third)
            #expect(try one.merging(Difference()) == one, "\(seeds.replay(seed))")
            #expect(try Difference().merging(two) == two, "\(seeds.replay(seed))")
            let back = try KeyedDiff.packed(third, second)
            let left = try one.merging(two).merging(back)
            let right = try one.merging(two.merging(back))
            #expect(left.deletes == right.deletes && left.inserts == right.inserts, "\(seeds.replay(seed))")
        }
    }

    @Test(
        "X6 rows that pass each other and return have not moved, and inserted rows that are deleted are absent"
    )
    func opposites() throws {
        let leap = try difference([1, 2], [2, 1])
        #expect(try leap.merging(leap).isEmpty)
        let there = try difference([1, 2, 3, 4, 5], [1, 9, 2, 3, 4, 5])
        #expect(try there.merging(there.inverse).isEmpty)
        let moved = try difference([1, 2, 3, 4, 5], [5, 1, 2, 3, 4])
        #expect(try moved.merging(moved.inverse).isEmpty)
        #expect(moved.inverse.inverse == moved)
        let onward = try difference([5, 1, 2, 3, 4], [1, 2, 5, 3, 4])
        #expect(try moved.merging(onward) == (try difference([1, 2, 3, 4, 5], [1, 2, 5, 3, 4])))
    }

    @Test(
        "X6 each injected fault of a merge is caught",
        arguments: MergeFault.allCases.map(\.rawValue)
    )
    func plantedFaults(name: String) throws {
        let fault = try #require(MergeFault(rawValue: name))
        let seeds = Seeds("MergeTests")
        var caught = 0
        for number in 0..<1_500 where caught < 5 {
            let (first, second, third) = steps(seeds.first &+ UInt64(number))
            guard Self.isTraceable(first, second, third) else { continue }
            let one = try KeyedDiff.packed(first, second)
            let two = try KeyedDiff.packed(second, third)
            let wrong = try fault.plant(one, two)
            guard try wrong != one.merging(two) else { continue }
            if problem(wrong, first, third, try KeyedDiff.packed(first, third)) != nil { caught += 1 }
        }
        #expect(caught >= 5, "\(name) is not caught")
    }
}
