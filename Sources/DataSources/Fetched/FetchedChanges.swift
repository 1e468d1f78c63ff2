public import Stores

/// What one delivery of a fetched results controller changed, with the store's versions around it.
public struct FetchedChanges: Sendable {
    /// The store's version that the content had before.
    public let oldVersion: Int
    /// The store's version that the content has now.
    ///
    /// Several commits may lie between the two.
    public let newVersion: Int

    let found: FetchedDifference
    /// The rows' values before and after, by ascending identity; none where all rows were compared.
    let changes: [TransactionChanges.RowChange]
    let plan: FetchPlan

    init(
        _ found: FetchedDifference,
        _ plan: FetchPlan,
        oldVersion: Int,
        newVersion: Int,
        _ changes: [TransactionChanges.RowChange]
    ) {
        self.found = found
        self.plan = plan
        self.oldVersion = oldVersion
        self.newVersion = newVersion
        self.changes = changes
    }

    /// The same changes, with nothing known of the rows' values.
    ///
    /// Who keeps many change sets keeps the values of all their rows with them otherwise.
    package var withoutValues: FetchedChanges {
        FetchedChanges(found, plan, oldVersion: oldVersion, newVersion: newVersion, [])
    }

    /// The minimal difference: moves, and updates of all surviving rows whose values changed, moved ones too.
    public var difference: Difference { found.difference }

    /// The difference as a change set.
    ///
    /// - Complexity: O(c) in the changes; made at each call.
    public var changeSet: ChangeSet { difference.changeSet }

    /// The identities of the rows that went, in the order of ``Difference/deletes``.
    public var deletedIDs: [RowID] { found.deletedIDs }
    /// The identities of the rows that came, in the order of ``Difference/inserts``.
    public var insertedIDs: [RowID] { found.insertedIDs }
    /// The identities of the rows that changed their place, in the order of ``Difference/moves``.
    public var movedIDs: [RowID] { found.movedIDs }
    /// The identities of the rows whose content changed, in the order of ``Difference/updates``.
    public var updatedIDs: [RowID] { found.updatedIDs }

    /// What a row's values were and are, or `nil` where the row did not change, or where it is not known
    /// because all rows were compared instead.
    ///
    /// - Complexity: O(log c) in the changes.
    public func values(of id: RowID) -> TransactionChanges.RowChange? {
        FoldedChanges.change(of: id, in: changes)
    }
}

extension TransactionChanges.RowChange {
    /// The positions of the attributes whose values differ, in the order of the entity; all of them for a row
    /// that came or went.
    public var changedAttributes: [Int] {
        guard let old, let new else { return Array((old ?? new ?? []).indices) }
        return old.indices.filter { old[$0] != new[$0] }
    }
}
