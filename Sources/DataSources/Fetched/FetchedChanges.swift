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
    package let plan: FetchPlan

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

    /// Makes changes of no section out of their packed form, with nothing known of the rows' values.
    ///
    /// - Parameters:
    ///   - numbers: The difference as ``Difference/packed`` has it.
    ///   - ids: The rows' identities: those that went, came, moved and changed.
    ///   - plan: What they are changes of.
    ///   - oldVersion: The store's version before.
    ///   - newVersion: The store's version after.
    /// - Throws: ``PackedDifferenceError`` where the numbers are no difference, or name sections or other numbers of
    ///   rows.
    package init(
        packed numbers: [Int32],
        ids: [RowID],
        of plan: FetchPlan,
        oldVersion: Int,
        newVersion: Int
    ) throws(PackedDifferenceError) {
        var found = FetchedDifference()
        found.difference = try Difference(packed: numbers)
        let difference = found.difference
        guard difference.sectionDeletes.isEmpty, difference.sectionInserts.isEmpty else {
            throw PackedDifferenceError("the keys of its sections are missing")
        }
        var rest = ids[...]
        func take(_ count: Int) -> [RowID] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let counts = [
            difference.deletes.count, difference.inserts.count, difference.moves.count,
            difference.updates.count,
        ]
        guard counts.reduce(0, +) == ids.count else {
            throw PackedDifferenceError(
                "it names \(counts.reduce(0, +)) rows; there are \(ids.count) identities"
            )
        }
        found.deletedIDs = take(counts[0])
        found.insertedIDs = take(counts[1])
        found.movedIDs = take(counts[2])
        found.updatedIDs = take(counts[3])
        self.init(found, plan, oldVersion: oldVersion, newVersion: newVersion, [])
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
