internal import Foundation

extension Difference {
    /// The same changes as a change set: sections first, then deletes, inserts, moves and updates of rows.
    ///
    /// A moved row whose content changed has a move and an update.
    ///
    /// - Complexity: O(c) in the changes, at each access.
    public var changeSet: ChangeSet {
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
        return .some(changes)
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
}
