public import Stores

extension FetchedChanges {
    /// Joins these changes with the ones that follow them into one step, as ``Difference/merging(_:)`` does, with the
    /// identities of the rows.
    ///
    /// Only rows that one of the two names can move. Moving a row that neither names would sometimes need fewer moves,
    /// but its identity would be unknown.
    ///
    /// - Throws: ``ChangesDoNotFit`` if the next changes are not of the same controller.
    /// - Complexity: O(c log c) in the changes of both.
    public func merging(_ next: FetchedChanges) throws(ChangesDoNotFit) -> FetchedChanges {
        guard plan.origin === next.plan.origin else {
            throw ChangesDoNotFit(
                description:
                    "changes of a query of '\(next.plan.entity.name)' do not follow those of another one, of "
                    + "'\(plan.entity.name)'"
            )
        }
        var merged = FetchedDifference()
        merged.difference = difference.mergingNamedRows(next.difference)
        let through = PathTracking(difference)
        let on = PathTracking(next.difference)

        var before: [ItemPath: RowID] = [:]
        var after: [ItemPath: RowID] = [:]
        for (path, id) in zip(difference.deletes, deletedIDs) { before[path] = id }
        for (pair, id) in zip(difference.moves, movedIDs) { before[pair.old] = id }
        for (pair, id) in zip(difference.updates, updatedIDs) { before[pair.old] = id }
        for (path, id) in zip(next.difference.deletes, next.deletedIDs) {
            if let old = through.oldPath(of: path) { before[old] = id }
        }
        for (pair, id) in zip(next.difference.moves, next.movedIDs) {
            if let old = through.oldPath(of: pair.old) { before[old] = id }
        }
        for (pair, id) in zip(next.difference.updates, next.updatedIDs) {
            if let old = through.oldPath(of: pair.old) { before[old] = id }
        }
        for (path, id) in zip(next.difference.inserts, next.insertedIDs) { after[path] = id }
        for (path, id) in zip(difference.inserts, insertedIDs) {
            if let new = on.newPath(of: path) { after[new] = id }
        }
        merged.deletedIDs = merged.difference.deletes.compactMap { before[$0] }
        merged.insertedIDs = merged.difference.inserts.compactMap { after[$0] }
        merged.movedIDs = merged.difference.moves.compactMap { before[$0.old] }
        merged.updatedIDs = merged.difference.updates.compactMap { before[$0.old] }

        var gone: [Int32: [UInt8]] = [:]
        for (section, key) in zip(difference.sectionDeletes, found.deletedSectionKeys) { gone[section] = key }
        for (section, key) in zip(next.difference.sectionDeletes, next.found.deletedSectionKeys) {
            if let old = through.oldSection(of: section) { gone[old] = key }
        }
        var come: [Int32: [UInt8]] = [:]
        for (section, key) in zip(next.difference.sectionInserts, next.found.insertedSectionKeys) {
            come[section] = key
        }
        for (section, key) in zip(difference.sectionInserts, found.insertedSectionKeys) {
            if let new = on.newSection(of: section) { come[new] = key }
        }
        merged.deletedSectionKeys = merged.difference.sectionDeletes.compactMap { gone[$0] }
        merged.insertedSectionKeys = merged.difference.sectionInserts.compactMap { come[$0] }
        return FetchedChanges(
            merged,
            next.plan,
            oldVersion: oldVersion,
            newVersion: next.newVersion,
            TransactionChanges.RowChange.fold(changes + next.changes)
        )
    }

    /// The inverse changes: applied to the new order they give the old one.
    public var inverse: FetchedChanges {
        var back = FetchedDifference()
        back.difference = difference.inverse
        back.deletedIDs = insertedIDs
        back.insertedIDs = deletedIDs
        var ids: [ItemPath: RowID] = [:]
        for (pair, id) in zip(difference.moves, movedIDs) { ids[pair.new] = id }
        for (pair, id) in zip(difference.updates, updatedIDs) { ids[pair.new] = id }
        back.movedIDs = back.difference.moves.compactMap { ids[$0.old] }
        back.updatedIDs = back.difference.updates.compactMap { ids[$0.old] }
        back.deletedSectionKeys = found.insertedSectionKeys
        back.insertedSectionKeys = found.deletedSectionKeys
        let values = changes.map { TransactionChanges.RowChange(id: $0.id, old: $0.new, new: $0.old) }
        return FetchedChanges(back, plan, oldVersion: newVersion, newVersion: oldVersion, values)
    }

    /// Applies the changes to the order that they begin with.
    ///
    /// The identity of each named row is checked against the order.
    ///
    /// - Returns: The order after the changes.
    /// - Throws: ``ChangesDoNotFit`` with the path at which another row is.
    /// - Complexity: O(n) in the rows.
    public func applied(
        to sections: [SectionSnapshot<[AttributeValue], RowID>]
    ) throws(ChangesDoNotFit) -> [SectionSnapshot<[AttributeValue], RowID>] {
        try AppliedChanges(self, sections).result()
    }
}

/// An error for changes that were applied to an order that they do not begin with, or joined with those of another
/// query.
public struct ChangesDoNotFit: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what differs.
    public let description: String
}

/// The work of applying changes to an order.
private struct AppliedChanges {
    private let changes: FetchedChanges
    private let old: [SectionSnapshot<[AttributeValue], RowID>]
    private let tracking: PathTracking
    private var leaving: [Set<Int>]
    private var arriving: [Int32: [Int: RowID]] = [:]

    init(
        _ changes: FetchedChanges,
        _ old: [SectionSnapshot<[AttributeValue], RowID>]
    ) throws(ChangesDoNotFit) {
        self.changes = changes
        self.old = old
        tracking = PathTracking(changes.difference)
        leaving = Array(repeating: [], count: old.count)
        let difference = changes.difference
        for (path, id) in zip(difference.deletes, changes.deletedIDs) { try leave(path, id) }
        for (pair, id) in zip(difference.moves, changes.movedIDs) {
            try leave(pair.old, id)
            arriving[pair.new.section, default: [:]][Int(pair.new.item)] = id
        }
        for (path, id) in zip(difference.inserts, changes.insertedIDs) {
            arriving[path.section, default: [:]][Int(path.item)] = id
        }
        for (pair, id) in zip(difference.updates, changes.updatedIDs) { try require(id, at: pair.old) }
    }

    private func require(_ id: RowID, at path: ItemPath) throws(ChangesDoNotFit) {
        guard old.indices.contains(Int(path.section)),
            old[Int(path.section)].items.indices.contains(Int(path.item))
        else { throw ChangesDoNotFit(description: "there is no row at \(path), where row \(id) should be") }
        let found = old[Int(path.section)].items[Int(path.item)]
        guard found == id else {
            throw ChangesDoNotFit(description: "row \(found) is at \(path), where row \(id) should be")
        }
    }

    private mutating func leave(_ path: ItemPath, _ id: RowID) throws(ChangesDoNotFit) {
        try require(id, at: path)
        leaving[Int(path.section)].insert(Int(path.item))
    }

    func result() throws(ChangesDoNotFit) -> [SectionSnapshot<[AttributeValue], RowID>] {
        let difference = changes.difference
        let count = old.count - difference.sectionDeletes.count + difference.sectionInserts.count
        guard count >= 0, !difference.sectionDeletes.contains(where: { $0 >= old.count }) else {
            throw ChangesDoNotFit(
                description: "\(difference.sectionDeletes.count) sections are deleted of \(old.count)"
            )
        }
        var keys: [Int32: [AttributeValue]] = [:]
        for (section, key) in zip(difference.sectionInserts, changes.insertedSectionKeys) {
            keys[section] = key
        }
        var result: [SectionSnapshot<[AttributeValue], RowID>] = []
        for section in 0..<Int32(count) {
            let origin = keys[section] == nil ? tracking.oldSection(of: section).map(Int.init) : nil
            guard keys[section] != nil || origin.map(old.indices.contains) == true else {
                throw ChangesDoNotFit(description: "section \(section) has no known origin")
            }
            let coming = arriving[section] ?? [:]
            var items: [RowID] = []
            func fill() { while let id = coming[items.count] { items.append(id) } }
            fill()
            if let origin {
                for (index, id) in old[origin].items.enumerated() where !leaving[origin].contains(index) {
                    items.append(id)
                    fill()
                }
            }
            result.append(
                SectionSnapshot(key: keys[section] ?? origin.map { old[$0].key } ?? [], items: items)
            )
        }
        return result
    }
}

extension FetchedChanges {
    /// The key values of the inserted sections, in the order of ``Difference/sectionInserts``.
    public var insertedSectionKeys: [[AttributeValue]] {
        found.insertedSectionKeys.map { key in key.withUnsafeBytes { plan.format.sectionValues($0) } }
    }

    /// The key values of the deleted sections, in the order of ``Difference/sectionDeletes``.
    public var deletedSectionKeys: [[AttributeValue]] {
        found.deletedSectionKeys.map { key in key.withUnsafeBytes { plan.format.sectionValues($0) } }
    }
}
