internal import Stores

extension Difference {
    /// The inverse difference: applied to the new state it gives the old one.
    ///
    /// - Complexity: O(c log c) in the changes.
    public var inverse: Difference {
        var result = Difference()
        result.sectionDeletes = sectionInserts
        result.sectionInserts = sectionDeletes
        result.sectionMoves = sectionMoves.map { SectionPair(old: $0.new, new: $0.old) }
            .sorted { $0.old < $1.old }
        result.deletes = inserts
        result.inserts = deletes
        result.moves = moves.map { PathPair(old: $0.new, new: $0.old) }.sorted { $0.old < $1.old }
        result.updates = updates.map { PathPair(old: $0.new, new: $0.old) }.sorted { $0.old < $1.old }
        result.rows = rows.map { $0.inverse(from: self, to: result) }
        return result
    }
}

extension Difference.Rows {
    /// Returns the rows of an inverse difference.
    fileprivate func inverse(from difference: Difference, to inverse: Difference) -> Self {
        var ids: [ItemPath: RowID] = [:]
        for (pair, id) in zip(difference.moves, movedIDs) { ids[pair.new] = id }
        for (pair, id) in zip(difference.updates, updatedIDs) { ids[pair.new] = id }
        var result = Self()
        result.query = query
        result.deletedIDs = insertedIDs
        result.insertedIDs = deletedIDs
        result.movedIDs = inverse.moves.compactMap { ids[$0.old] }
        result.updatedIDs = inverse.updates.compactMap { ids[$0.old] }
        result.deletedSectionKeys = insertedSectionKeys
        result.insertedSectionKeys = deletedSectionKeys
        result.oldVersions = newVersions
        result.newVersions = oldVersions
        result.values = values.map { TransactionChanges.RowChange(id: $0.id, old: $0.new, new: $0.old) }
        return result
    }
}
