internal import Foundation

extension Difference {
    /// The same changes as a change set: sections first, then deletes, inserts, moves and updates of rows.
    ///
    /// A moved row whose content changed has a move and an update.
    ///
    /// - Complexity: O(c) in the changes, at each access.
    public var changeSet: ChangeSet { .some(listed) }

    /// The changes one by one, in the order of ``changeSet``.
    package var listed: [Change] {
        var changes: [Change] = []
        changes.reserveCapacity(
            sectionDeletes.count + sectionInserts.count + sectionMoves.count + deletes.count + inserts.count
                + moves.count + updates.count
        )
        for section in sectionDeletes { changes.append(.section(type: .delete(Self.path(section)))) }
        for section in sectionInserts { changes.append(.section(type: .insert(Self.path(section)))) }
        for move in sectionMoves {
            changes.append(.section(type: .move(Self.path(move.old), Self.path(move.new))))
        }
        for path in deletes { changes.append(.item(type: .delete(path.indexPath))) }
        for path in inserts { changes.append(.item(type: .insert(path.indexPath))) }
        for move in moves { changes.append(.item(type: .move(move.old.indexPath, move.new.indexPath))) }
        for update in updates { changes.append(.item(type: .update(update.old.indexPath))) }
        return changes
    }

    /// The updates of rows that did not move.
    ///
    /// A move already implies that the row is redrawn. With these updates, a delegate gets one message per row.
    public var updatesInPlace: [PathPair] {
        guard !moves.isEmpty else { return updates }
        var move = moves.startIndex
        // Both are in ascending order of the old path.
        return updates.filter { update in
            while move < moves.endIndex, moves[move].old < update.old { move += 1 }
            return move == moves.endIndex || moves[move].old != update.old
        }
    }

    private static func path(_ section: Int32) -> IndexPath { IndexPath(item: 0, section: Int(section)) }

    // MARK: - From changes in any order

    /// Creates the difference that changes in any order describe.
    ///
    /// The changes must keep the rules of ``ChangeSetError``. Updates of sections are left out, because they change no
    /// position.
    ///
    /// - Complexity: O(c log c) in the changes.
    package init(_ changes: [Change]) {
        self.init()
        func index(_ path: IndexPath) -> Int32 { Int32(truncatingIfNeeded: path.section) }
        var updated: [ItemPath] = []
        for change in changes {
            switch change {
            case .section(.insert(let path)): sectionInserts.append(index(path))
            case .section(.delete(let path)): sectionDeletes.append(index(path))
            case .section(.move(let old, let new)):
                sectionMoves.append(SectionPair(old: index(old), new: index(new)))
            case .section(.update): break
            case .item(.insert(let path)): ItemPath(path).map { inserts.append($0) }
            case .item(.delete(let path)): ItemPath(path).map { deletes.append($0) }
            case .item(.move(let old, let new)):
                if let old = ItemPath(old), let new = ItemPath(new) {
                    moves.append(PathPair(old: old, new: new))
                }
            case .item(.update(let path)): ItemPath(path).map { updated.append($0) }
            }
        }
        sectionDeletes.sort()
        sectionInserts.sort()
        sectionMoves.sort { $0.old < $1.old }
        deletes.sort()
        inserts.sort()
        moves.sort { $0.old < $1.old }
        guard !updated.isEmpty else { return }
        let tracking = PathTracking(self)
        for old in updated.sorted() {
            if let new = tracking.newPath(of: old) { updates.append(PathPair(old: old, new: new)) }
        }
    }

    private static let mostImpliedRows = 100_000

    /// Returns the difference with all rows of its inserted and deleted sections, which a change set may omit, or `nil`
    /// if there are too many of them.
    func namingRows(ofSectionsFrom before: [Int], to after: [Int]) -> Difference? {
        let gone = sectionDeletes.reduce(0) { $0 + before[Int($1)] }
        let come = sectionInserts.reduce(0) { $0 + after[Int($1)] }
        guard gone + come > 0 else { return self }
        guard gone + come <= Self.mostImpliedRows else { return nil }
        func missing(_ sections: [Int32], _ counts: [Int], _ named: Set<ItemPath>) -> [ItemPath] {
            sections.flatMap { section in
                (0..<Int32(counts[Int(section)])).lazy.map { ItemPath(section: section, item: $0) }
                    .filter { !named.contains($0) }
            }
        }
        var result = self
        let leaving = Set(deletes).union(moves.map(\.old))
        result.deletes = (deletes + missing(sectionDeletes, before, leaving)).sorted()
        let arriving = Set(inserts).union(moves.map(\.new))
        result.inserts = (inserts + missing(sectionInserts, after, arriving)).sorted()
        return result
    }
}
