public import Stores

extension Difference {
    /// The part of a difference that only a store knows: the rows at its positions, their values, and the versions.
    package struct Rows: Sendable, Hashable {
        /// The identity of the query whose results changed, or `nil` if it is unknown.
        package var query: FetchOrigin?
        /// The identities of the deleted rows, here and below in the order of the positions.
        var deletedIDs: [RowID] = []
        var insertedIDs: [RowID] = []
        var movedIDs: [RowID] = []
        var updatedIDs: [RowID] = []
        /// The key values of the deleted sections.
        var deletedSectionKeys: [[AttributeValue]] = []
        /// The key values of the inserted sections.
        var insertedSectionKeys: [[AttributeValue]] = []
        /// The store's versions that the changes begin with: the query showed the same at each of them.
        package var oldVersions = 0...0
        /// The store's versions that the changes lead to.
        package var newVersions = 0...0
        /// The rows' values before and after, by ascending identity; empty if all rows were compared.
        package var values: [TransactionChanges.RowChange] = []
        /// The time from the commit to the delivery; `nil` for changes that were computed instead of delivered.
        package var duration: Duration?

        init() {}

        /// Creates the rows at the positions of a difference.
        ///
        /// - Parameters:
        ///   - difference: The difference.
        ///   - before: Returns the identity of the row at an old path.
        ///   - after: Returns the identity of the row at a new path, for inserted rows.
        init(of difference: Difference, before: (ItemPath) -> RowID?, after: (ItemPath) -> RowID?) {
            deletedIDs = difference.deletes.compactMap(before)
            insertedIDs = difference.inserts.compactMap(after)
            movedIDs = difference.moves.compactMap { before($0.old) }
            updatedIDs = difference.updates.compactMap { before($0.old) }
        }
    }

    /// The positions alone, as the comparison of keys gives them.
    public var positions: Difference {
        var positions = self
        positions.rows = nil
        return positions
    }

    /// The identities of the deleted rows, in the order of ``deletes``; empty for compared keys.
    public var deletedIDs: [RowID] { rows?.deletedIDs ?? [] }
    /// The identities of the inserted rows, in the order of ``inserts``; empty for compared keys.
    public var insertedIDs: [RowID] { rows?.insertedIDs ?? [] }
    /// The identities of the moved rows, in the order of ``moves``; empty for compared keys.
    public var movedIDs: [RowID] { rows?.movedIDs ?? [] }
    /// The identities of the rows whose content changed, in the order of ``updates``; empty for compared keys.
    public var updatedIDs: [RowID] { rows?.updatedIDs ?? [] }

    /// The key values of the deleted sections, in the order of ``sectionDeletes``; empty for compared keys.
    public var deletedSectionKeys: [[AttributeValue]] { rows?.deletedSectionKeys ?? [] }
    /// The key values of the inserted sections, in the order of ``sectionInserts``; empty for compared keys.
    public var insertedSectionKeys: [[AttributeValue]] { rows?.insertedSectionKeys ?? [] }

    /// The store's version before; `nil` for compared keys.
    public var oldVersion: Int? { rows?.oldVersions.upperBound }
    /// The store's version after; `nil` for compared keys.
    ///
    /// There may have been several commits between the two versions.
    public var newVersion: Int? { rows?.newVersions.upperBound }

    /// Returns a row's values before and after, or `nil` if the row did not change, or its values are unknown because
    /// all rows were compared.
    ///
    /// - Complexity: O(log c) in the changes.
    public func values(of id: RowID) -> TransactionChanges.RowChange? { rows?.values.change(of: id) }
}

extension TransactionChanges.RowChange {
    /// The positions of the attributes whose values differ, in the order of the entity; all of them for an inserted or
    /// deleted row.
    public var changedAttributes: [Int] {
        guard let old, let new else { return Array((old ?? new ?? []).indices) }
        return old.indices.filter { old[$0] != new[$0] }
    }
}

/// An identity that the changes of one controller share.
package final class FetchOrigin: Sendable, Hashable {
    /// The name of the controller's entity.
    package let entityName: String

    init(entityName: String) { self.entityName = entityName }

    /// Returns whether both are the identity of one controller.
    package static func == (left: FetchOrigin, right: FetchOrigin) -> Bool { left === right }

    /// Hashes the identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An error for changes that were applied to an order that they do not begin with, or joined with changes that do not
/// follow them.
public struct ChangesDoNotFit: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what differs.
    public let description: String
}
