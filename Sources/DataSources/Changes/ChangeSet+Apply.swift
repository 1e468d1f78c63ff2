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
        let sections = try SectionPlan(changes, oldCount: old.count, newCount: new.count)
        let rows = try RowPlan(changes, sections, old: old.map(\.items.count), new: new.map(\.items.count))
        var result: [SectionSnapshot<Key, Item>] = []
        result.reserveCapacity(new.count)
        for section in new.indices {
            let arriving = new[section].items
            var items: [Item] = []
            items.reserveCapacity(arriving.count)
            for (index, origin) in rows.origins[section].enumerated() {
                switch origin {
                case .kept(let path):
                    items.append(old[Int(path.section)].items[Int(path.item)])
                case .inserted:
                    items.append(arriving[index])
                case .withNewContent(let path, let change):
                    let before = old[Int(path.section)].items[Int(path.item)]
                    guard isSameItem?(before, arriving[index]) ?? true else {
                        let place = ItemPath(section: section, item: index)
                        let rows = [before, arriving[index]].map { String(describing: $0) }
                        let quoted = rows.map(MessageText.quoted)
                        throw ChangeSetError(
                            .sameRow,
                            change,
                            "another row is at \(place) after: \(quoted[0]) became \(quoted[1])",
                            identifiers: rows
                        )
                    }
                    items.append(arriving[index])
                }
            }
            let keptKey = sections.origins[section].flatMap { sections.isUpdated[$0] ? nil : old[$0].key }
            result.append(SectionSnapshot(key: keptKey ?? new[section].key, items: items))
        }
        return result
    }
}
