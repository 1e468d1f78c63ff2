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

    /// The same changes as a change set: sections first, then deletes, inserts, moves and updates of rows.
    ///
    /// A moved row whose content changed has a move and an update.
    ///
    /// - Complexity: O(c) in the changes, at each access.
    public var changeSet: ChangeSet { .some(listed) }

    /// The changes one by one, in the order of ``changeSet``.
    package var listed: [Change] {
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
        return changes
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

    // MARK: - From changes in any order

    /// Creates the difference that changes in any order describe.
    ///
    /// The changes must keep the rules of ``ChangeSetError``. Updates of sections are left out, because they change no
    /// position.
    ///
    /// - Complexity: O(c log c) in the changes.
    package init(_ changes: [Change]) {
        self.init()
        func index(_ path: IndexPath) -> Int32 { Int32(truncatingIfNeeded: path.section) }
        var updated: [ItemPath] = []
        for change in changes {
            switch change {
            case .section(.insert(let path)): sectionInserts.append(index(path))
            case .section(.delete(let path)): sectionDeletes.append(index(path))
            case .section(.move(let old, let new)):
                sectionMoves.append(SectionPair(old: index(old), new: index(new)))
            case .section(.update): break
            case .item(.insert(let path)): ItemPath(path).map { inserts.append($0) }
            case .item(.delete(let path)): ItemPath(path).map { deletes.append($0) }
            case .item(.move(let old, let new)):
                if let old = ItemPath(old), let new = ItemPath(new) {
                    moves.append(PathPair(old: old, new: new))
                }
            case .item(.update(let path)): ItemPath(path).map { updated.append($0) }
            }
        }
        sectionDeletes.sort()
        sectionInserts.sort()
        sectionMoves.sort { $0.old < $1.old }
        deletes.sort()
        inserts.sort()
        moves.sort { $0.old < $1.old }
        guard !updated.isEmpty else { return }
        let tracking = PathTracking(self)
        for old in updated.sorted() {
            if let new = tracking.newPath(of: old) { updates.append(PathPair(old: old, new: new)) }
        }
    }

    private static let mostImpliedRows = 100_000

    /// Returns the difference with all rows of its inserted and deleted sections, which a change set may omit, or `nil`
    /// if there are too many of them.
    func namingRows(ofSectionsFrom before: [Int], to after: [Int]) -> Difference? {
        let gone = sectionDeletes.reduce(0) { $0 + before[Int($1)] }
        let come = sectionInserts.reduce(0) { $0 + after[Int($1)] }
        guard gone + come > 0 else { return self }
        guard gone + come <= Self.mostImpliedRows else { return nil }
        func missing(_ sections: [Int32], _ counts: [Int], _ named: Set<ItemPath>) -> [ItemPath] {
            sections.flatMap { section in
                (0..<Int32(counts[Int(section)])).lazy.map { ItemPath(section: section, item: $0) }
                    .filter { !named.contains($0) }
            }
        }
        var result = self
        let leaving = Set(deletes).union(moves.map(\.old))
        result.deletes = (deletes + missing(sectionDeletes, before, leaving)).sorted()
        let arriving = Set(inserts).union(moves.map(\.new))
        result.inserts = (inserts + missing(sectionInserts, after, arriving)).sorted()
        return result
    }
}
