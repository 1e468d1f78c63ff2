import DataSources
import Testing

/// Faults that a differ could have.
///
/// Each makes a wrong difference from a right one, or returns `nil` if it cannot.
enum DifferFault: String, CaseIterable, Sendable {
    case oneMoveTooMany, moveForgotten, moveEndsBesideItsPlace, moveStartsBesideItsPlace, movesSwapped
    case moveAsDeleteAndInsert, updateForgotten, updateTooMany, updateNamesNewPath, updateOfMovedRowForgotten
    case deleteForgotten, deleteBesideItsPlace, deleteTwice, insertForgotten, insertBesideItsPlace
    case insertAndDeleteOfOneRow, sectionDeleteForgotten, sectionDeleteBesideItsPlace, sectionInsertForgotten
    case sectionInsertBesideItsPlace, sectionMoveForgotten, sectionMoveTooMany, wrongSection, inverted

    func plant(in right: Difference, old: State, new: State) -> Difference? {
        var wrong = right
        switch self {
        case .oneMoveTooMany:
            guard let pair = Self.stayingRow(right, old, new) else { return nil }
            wrong.moves = (wrong.moves + [pair]).sorted { $0.old < $1.old }
        case .moveForgotten: guard wrong.moves.popLast() != nil else { return nil }
        case .moveEndsBesideItsPlace:
            guard !wrong.moves.isEmpty else { return nil }
            wrong.moves[0].new.item += 1
        case .moveStartsBesideItsPlace:
            guard !wrong.moves.isEmpty else { return nil }
            wrong.moves[0].old.item += 1
        case .movesSwapped:
            guard wrong.moves.count > 1 else { return nil }
            (wrong.moves[0].new, wrong.moves[1].new) = (wrong.moves[1].new, wrong.moves[0].new)
        case .moveAsDeleteAndInsert:
            guard let move = wrong.moves.popLast() else { return nil }
            wrong.deletes = (wrong.deletes + [move.old]).sorted()
            wrong.inserts = (wrong.inserts + [move.new]).sorted()
        case .updateForgotten: guard wrong.updates.popLast() != nil else { return nil }
        case .updateTooMany:
            guard let pair = Self.stayingRow(right, old, new), !right.updates.contains(pair) else {
                return nil
            }
            wrong.updates = (wrong.updates + [pair]).sorted { $0.old < $1.old }
        case .updateNamesNewPath:
            guard let index = wrong.updates.firstIndex(where: { $0.old != $0.new }) else { return nil }
            wrong.updates[index].old = wrong.updates[index].new
        case .updateOfMovedRowForgotten:
            wrong.updates = wrong.updatesInPlace
            guard wrong != right else { return nil }
        case .deleteForgotten: guard wrong.deletes.popLast() != nil else { return nil }
        case .deleteBesideItsPlace:
            guard !wrong.deletes.isEmpty else { return nil }
            wrong.deletes[0].item += 1
        case .deleteTwice:
            guard let path = wrong.deletes.last else { return nil }
            wrong.deletes.append(path)
        case .insertForgotten: guard wrong.inserts.popLast() != nil else { return nil }
        case .insertBesideItsPlace:
            guard !wrong.inserts.isEmpty else { return nil }
            wrong.inserts[0].item += 1
        case .insertAndDeleteOfOneRow:
            guard let pair = Self.stayingRow(right, old, new) else { return nil }
            wrong.deletes = (wrong.deletes + [pair.old]).sorted()
            wrong.inserts = (wrong.inserts + [pair.new]).sorted()
        case .sectionDeleteForgotten: guard wrong.sectionDeletes.popLast() != nil else { return nil }
        case .sectionDeleteBesideItsPlace:
            guard !wrong.sectionDeletes.isEmpty else { return nil }
            wrong.sectionDeletes[0] += 1
        case .sectionInsertForgotten: guard wrong.sectionInserts.popLast() != nil else { return nil }
        case .sectionInsertBesideItsPlace:
            guard !wrong.sectionInserts.isEmpty else { return nil }
            wrong.sectionInserts[0] += 1
        case .sectionMoveForgotten: guard wrong.sectionMoves.popLast() != nil else { return nil }
        case .sectionMoveTooMany:
            guard let index = old.firstIndex(where: { section in new.contains { $0.key == section.key } }),
                let place = new.firstIndex(where: { $0.key == old[index].key }),
                !right.sectionMoves.contains(where: { $0.old == index })
            else { return nil }
            wrong.sectionMoves.append(Difference.SectionPair(old: Int32(index), new: Int32(place)))
        case .wrongSection:
            guard !wrong.inserts.isEmpty else { return nil }
            wrong.inserts[0].section += 1
        case .inverted:
            guard !right.inserts.isEmpty || !right.deletes.isEmpty else { return nil }
            swap(&wrong.inserts, &wrong.deletes)
            guard wrong != right else { return nil }
        }
        return wrong
    }

    /// Returns a row that stays in its section and is not moved.
    private static func stayingRow(_ right: Difference, _ old: State, _ new: State) -> Difference.PathPair? {
        for (section, content) in old.enumerated() {
            guard let newSection = new.firstIndex(where: { $0.key == content.key }) else { continue }
            for (item, row) in content.items.enumerated() {
                let path = ItemPath(section: section, item: item)
                guard let place = new[newSection].items.firstIndex(where: { $0.id == row.id }),
                    !right.moves.contains(where: { $0.old == path })
                else { continue }
                return Difference.PathPair(old: path, new: ItemPath(section: newSection, item: place))
            }
        }
        return nil
    }
}

@Suite struct MutantTests {
    @Test(
        "X3 X4 the oracle catches an injected fault of the differ each time",
        arguments: DifferFault.allCases
    )
    func isCaught(fault: DifferFault) throws {
        let seeds = Seeds("MutantTests")
        var planted = 0
        for number in 0..<3_000 where planted < 60 {
            let seed = seeds.first &+ UInt64(number)
            var states = RandomStates(seed: seed)
            let (old, new) = states.pair()
            let right = try KeyedDiff.packed(old, new)
            guard let wrong = fault.plant(in: right, old: old, new: new) else { continue }
            planted += 1
            let found = DifferenceOracle(old: old, new: new).violations(wrong)
            #expect(!found.isEmpty, "\(fault) was not caught; \(seeds.replay(seed))")
        }
        #expect(planted >= 20, "the scripts gave the fault \(fault) too few chances")
    }

    @Test(
        "U6 U7 X1 a change set with an injected fault never gives the new state",
        arguments: DifferFault.allCases
    )
    func isNotAccepted(fault: DifferFault) throws {
        // These faults cost more than needed or redraw a moved row once; the state that they lead to is right.
        let harmless: Set<DifferFault> = [
            .oneMoveTooMany, .moveAsDeleteAndInsert, .updateTooMany, .updateOfMovedRowForgotten,
            .insertAndDeleteOfOneRow, .sectionMoveTooMany,
        ]
        let seeds = Seeds("MutantTests")
        for number in 0..<300 {
            let seed = seeds.first &+ UInt64(number)
            var states = RandomStates(seed: seed)
            let (old, new) = states.pair()
            let right = try KeyedDiff.packed(old, new)
            guard let wrong = fault.plant(in: right, old: old, new: new) else { continue }
            let result = Result {
                try wrong.changeSet.applied(to: old, arrivingFrom: new) { $0.id == $1.id }
            }
            switch result {
            case .success(let state) where harmless.contains(fault): #expect(state == new)
            case .success(let state):
                #expect(state != new || wrong.isHarmlessUpdate(right), "\(seeds.replay(seed))")
            case .failure(let error): #expect(error is ChangeSetError)
            }
        }
    }
}

extension Difference {
    /// Returns whether only updates differ, and all rows that changed without a move are redrawn: a moved one always
    /// is.
    fileprivate func isHarmlessUpdate(_ right: Difference) -> Bool {
        moves == right.moves && Set(right.updatesInPlace.map(\.old)).isSubset(of: updates.map(\.old))
    }
}
