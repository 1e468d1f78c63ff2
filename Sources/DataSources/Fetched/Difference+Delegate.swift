internal import Stores

extension Difference {
    /// Returns a deleted section as it was.
    ///
    /// All its rows were deleted or moved, so the difference has them all.
    func deletedSection(_ position: Int) -> FetchedResultsSectionInfo {
        let section = sectionDeletes[position]
        var rows: [(path: ItemPath, id: RowID)] = []
        for (path, id) in zip(deletes, deletedIDs) where path.section == section {
            rows.append((path, id))
        }
        for (move, id) in zip(moves, movedIDs) where move.old.section == section {
            rows.append((move.old, id))
        }
        let ids = rows.sorted { $0.path < $1.path }.map(\.id)
        return FetchedResultsSectionInfo(keys: deletedSectionKeys[position], objectIDs: FetchedRowIDs(ids))
    }

    /// The difference without sections in the form of the standard library: an update is a removal and an insertion of
    /// the same row.
    var collectionDifference: CollectionDifference<RowID> {
        var changes: [CollectionDifference<RowID>.Change] = []
        var moved = Set<Int32>()
        func replace(_ pair: PathPair, _ id: RowID) {
            let old = Int(pair.old.item)
            let new = Int(pair.new.item)
            changes.append(.remove(offset: old, element: id, associatedWith: new))
            changes.append(.insert(offset: new, element: id, associatedWith: old))
        }
        for (path, id) in zip(deletes, deletedIDs) {
            changes.append(.remove(offset: Int(path.item), element: id, associatedWith: nil))
        }
        for (path, id) in zip(inserts, insertedIDs) {
            changes.append(.insert(offset: Int(path.item), element: id, associatedWith: nil))
        }
        for (move, id) in zip(moves, movedIDs) {
            moved.insert(move.old.item)
            replace(move, id)
        }
        for (update, id) in zip(updates, updatedIDs) where !moved.contains(update.old.item) {
            replace(update, id)
        }
        guard let difference = CollectionDifference(changes) else {
            preconditionFailure("a difference names a position twice: \(self)")
        }
        return difference
    }
}
