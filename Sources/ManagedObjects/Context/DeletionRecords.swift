/// The records by which a context reverts deletions, unsaved ones and those that an undo takes back.
struct DeletionRecords {
    /// The effects of deletions, by the deleted row.
    private var effects: [RowKey: PendingDeletion] = [:]
    /// The objects that are in no context, and that an undo may restore.
    private var removed: [RowKey: ManagedObject] = [:]

    /// The removed objects that an undo may restore.
    var removedObjects: some Sequence<ManagedObject> { removed.values }

    /// Returns the effects of a deletion.
    func effects(of row: RowKey) -> PendingDeletion? { effects[row] }

    /// Records the effects of a deletion.
    mutating func record(_ deletion: PendingDeletion, of row: RowKey) { effects[row] = deletion }

    /// Keeps an object that was removed from the context.
    mutating func keep(_ object: ManagedObject) { removed[object.row] = object }

    /// Returns an object that was removed, and forgets it.
    mutating func takeRemoved(_ row: RowKey) -> ManagedObject? { removed.removeValue(forKey: row) }

    /// Forgets the effects of deletions that cannot be reverted any more.
    mutating func keepEffects(where isKept: (RowKey) -> Bool) { effects = effects.filter { isKept($0.key) } }

    /// Replaces temporary identities in the effects with permanent ones.
    mutating func renameEffects(_ renaming: KeyRenaming) {
        effects = Dictionary(
            uniqueKeysWithValues: effects.map { row, deletion in
                (renaming.renamed(row), deletion.renamed(renaming, renaming.model.entities[row.entity]))
            }
        )
    }

    /// Enters the removed objects under the rows that they have now.
    mutating func updateRows() { removed = removed.byPresentRow }

    /// Forgets the effects of all deletions, which were rolled back.
    mutating func forgetEffects() { effects = [:] }

    /// Releases the objects that only an undo could restore.
    mutating func forgetRemovedObjects() { removed = [:] }
}
