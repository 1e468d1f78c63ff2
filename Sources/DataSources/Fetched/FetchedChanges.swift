public import Stores

/// The changes of one delivery of a fetched results controller, with the store's versions before and after.
public struct FetchedChanges: Sendable {
    /// The store's version that the content had before.
    public let oldVersion: Int
    /// The store's version that the content has now.
    ///
    /// There may have been several commits between the two versions.
    public let newVersion: Int

    let found: FetchedDifference
    /// The rows' values before and after, by ascending identity; empty if all rows were compared.
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

    /// Creates changes of a content without section keys from their packed form, without the rows' values.
    ///
    /// - Parameters:
    ///   - numbers: The difference in the form of ``Difference/packed``.
    ///   - ids: The rows' identities: the deleted, inserted, moved and updated ones, in this order.
    ///   - plan: The plan of the fetch.
    ///   - oldVersion: The store's version before.
    ///   - newVersion: The store's version after.
    /// - Throws: ``PackedDifferenceError`` if the numbers are not a packed difference, name sections, or name another
    ///   number of rows.
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
                "it names \(counts.reduce(0, +)) rows, found \(ids.count) identities"
            )
        }
        found.deletedIDs = take(counts[0])
        found.insertedIDs = take(counts[1])
        found.movedIDs = take(counts[2])
        found.updatedIDs = take(counts[3])
        self.init(found, plan, oldVersion: oldVersion, newVersion: newVersion, [])
    }

    /// The same changes without the rows' values.
    ///
    /// An array of many changes would otherwise retain the values of all their rows.
    package var withoutValues: FetchedChanges {
        FetchedChanges(found, plan, oldVersion: oldVersion, newVersion: newVersion, [])
    }

    /// The minimal difference, with updates of all surviving rows whose values changed, including moved ones.
    public var difference: Difference { found.difference }

    /// The difference as a change set.
    ///
    /// - Complexity: O(c) in the changes, at each access.
    public var changeSet: ChangeSet { difference.changeSet }

    /// The identities of the deleted rows, in the order of ``Difference/deletes``.
    public var deletedIDs: [RowID] { found.deletedIDs }
    /// The identities of the inserted rows, in the order of ``Difference/inserts``.
    public var insertedIDs: [RowID] { found.insertedIDs }
    /// The identities of the moved rows, in the order of ``Difference/moves``.
    public var movedIDs: [RowID] { found.movedIDs }
    /// The identities of the rows whose content changed, in the order of ``Difference/updates``.
    public var updatedIDs: [RowID] { found.updatedIDs }

    /// Returns a row's values before and after, or `nil` if the row did not change or all rows were compared instead.
    ///
    /// - Complexity: O(log c) in the changes.
    public func values(of id: RowID) -> TransactionChanges.RowChange? {
        changes.change(of: id)
    }
}

extension TransactionChanges.RowChange {
    /// The positions of the attributes whose values differ, in the order of the entity; all of them for an inserted or
    /// deleted row.
    public var changedAttributes: [Int] {
        guard let old, let new else { return Array((old ?? new ?? []).indices) }
        return old.indices.filter { old[$0] != new[$0] }
    }
}
