internal import Foundation
internal import Stores

extension ChangeSet {
    /// Applies this change set to an old state, and reads inserted, moved and updated rows from the new state.
    ///
    /// Rows and sections that no change names come from the old state alone. The result therefore equals the new state
    /// only if the change set is right. Inserted, moved and updated rows come from the new state, as a view reads them.
    /// A section update reads the section's key again and leaves its rows to the item changes.
    ///
    /// - Parameters:
    ///   - old: The state before.
    ///   - new: The state after. Its counts are checked, and the named rows are read from it.
    ///   - isSameItem: Returns whether two items are the same row in both states. If given, it checks each move and
    ///     update.
    /// - Returns: The state after, as the change set describes it.
    /// - Throws: ``ChangeSetError`` where a rule is broken. Nothing has been applied then.
    /// - Complexity: O(n) in the rows of both states.
    public func applied<Key, Item>(
        to old: [SectionSnapshot<Key, Item>],
        arrivingFrom new: [SectionSnapshot<Key, Item>],
        isSameItem: ((Item, Item) -> Bool)? = nil
    ) throws(ChangeSetError) -> [SectionSnapshot<Key, Item>] {
        guard case .some(let changes) = self else { return new }
        try check(from: old.map(\.items.count), to: new.map(\.items.count), namesInsertedRows: true)
        let difference = Difference(changes)
        if let isSameItem { try difference.requireSameRows(old, new, isSameItem) }
        let arranged = difference.arranged(
            old,
            insertedKey: { new[Int($0)].key },
            arriving: { new[Int($0.section)].items[Int($0.item)] }
        )
        guard var result = arranged else {
            preconditionFailure("checked changes leave a position empty: \(changes)")
        }
        for pair in difference.updates {
            result[Int(pair.new.section)].items[Int(pair.new.item)] =
                new[Int(pair.new.section)].items[Int(pair.new.item)]
        }
        for section in difference.newIndices(ofUpdatedSections: changes) {
            result[section].key = new[section].key
        }
        return result
    }

    /// The inverse change set: applied to the new state it gives the old one.
    ///
    /// An update names the old path. Its inverse names the row's path in the new state, which follows from this change
    /// set alone. This change set must keep the rules of ``ChangeSetError``.
    ///
    /// - Complexity: O(c log c) in the changes.
    public var inverse: ChangeSet {
        guard case .some(let changes) = self else { return .all }
        let difference = Difference(changes)
        let updates = difference.newIndices(ofUpdatedSections: changes)
            .map { Change.section(type: .update(IndexPath(item: 0, section: $0))) }
        return .some(updates + difference.inverse.listed)
    }

    /// Joins these changes with the ones that follow them, with as few moves as possible.
    ///
    /// Both change sets must agree with the counts by the rules of batch updates.
    ///
    /// - Parameters:
    ///   - next: The change set that follows this one.
    ///   - before: The number of items of each section before these changes.
    ///   - between: The number of items of each section between the two change sets.
    ///   - after: The number of items of each section after `next`.
    /// - Returns: The change set from the first state to the last. It is `.all` where one of the two is `.all`, updates
    ///   a whole section, or inserts or deletes sections with more than 100,000 items in total.
    /// - Complexity: O(c log c) in the changes of both, plus the items of inserted and deleted sections.
    package func merging(_ next: ChangeSet, counts before: [Int], _ between: [Int], _ after: [Int])
        -> ChangeSet
    {
        guard let first = difference(from: before, to: between),
            let second = next.difference(from: between, to: after)
        else { return .all }
        return first.mergingPositions(second).changeSet
    }

    /// Returns the difference with all rows of inserted and deleted sections, or `nil` if there are too many of them,
    /// or not only positions changed.
    private func difference(from before: [Int], to after: [Int]) -> Difference? {
        guard case .some(let changes) = self,
            !changes.contains(where: { if case .section(.update) = $0 { true } else { false } })
        else { return nil }
        return Difference(changes).namingRows(ofSectionsFrom: before, to: after)
    }
}

extension Difference {
    /// Throws if a move or an update names another row in the new state than in the old one.
    fileprivate func requireSameRows<Key, Item>(
        _ old: [SectionSnapshot<Key, Item>],
        _ new: [SectionSnapshot<Key, Item>],
        _ isSameItem: (Item, Item) -> Bool
    ) throws(ChangeSetError) {
        func require(_ pair: PathPair, _ type: ChangeType) throws(ChangeSetError) {
            let before = old[Int(pair.old.section)].items[Int(pair.old.item)]
            let now = new[Int(pair.new.section)].items[Int(pair.new.item)]
            guard !isSameItem(before, now) else { return }
            let rows = [before, now].map { String(describing: $0) }
            let quoted = rows.map(MessageText.quoted)
            throw ChangeSetError(
                .sameRow,
                .item(type: type),
                "another row is at \(pair.new) after: \(quoted[0]) became \(quoted[1])",
                identifiers: rows
            )
        }
        for pair in moves { try require(pair, .move(pair.old.indexPath, pair.new.indexPath)) }
        for pair in updates { try require(pair, .update(pair.old.indexPath)) }
    }

    /// Returns the new indices of the sections whose updates a change set names.
    fileprivate func newIndices(ofUpdatedSections changes: [Change]) -> [Int] {
        let updated = changes.compactMap { change -> Int32? in
            guard case .section(.update(let path)) = change else { return nil }
            return Int32(truncatingIfNeeded: path.section)
        }
        guard !updated.isEmpty else { return [] }
        let tracking = PathTracking(self)
        return updated.compactMap { tracking.newSection(of: $0).map(Int.init) }
    }
}
