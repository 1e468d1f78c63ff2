public import Stores

extension Difference {
    /// Applies the changes of a store's rows to the order that they begin with.
    ///
    /// The identity of each named row is checked against the order.
    ///
    /// - Returns: The order after the changes.
    /// - Throws: ``ChangesDoNotFit`` with the path at which another row is, or for a difference without rows of a
    ///   store.
    /// - Complexity: O(n) in the rows.
    public func applied(
        to sections: [SectionSnapshot<[AttributeValue], RowID>]
    ) throws(ChangesDoNotFit) -> [SectionSnapshot<[AttributeValue], RowID>] {
        guard let rows else {
            throw ChangesDoNotFit(description: "changes without the identities of rows cannot be applied")
        }
        func require(_ id: RowID, at path: ItemPath) throws(ChangesDoNotFit) {
            guard sections.indices.contains(Int(path.section)),
                sections[Int(path.section)].items.indices.contains(Int(path.item))
            else {
                throw ChangesDoNotFit(description: "there is no row at \(path), where row \(id) should be")
            }
            let found = sections[Int(path.section)].items[Int(path.item)]
            guard found == id else {
                throw ChangesDoNotFit(description: "row \(found) is at \(path), where row \(id) should be")
            }
        }
        var arriving: [ItemPath: RowID] = [:]
        for (path, id) in zip(deletes, rows.deletedIDs) { try require(id, at: path) }
        for (path, id) in zip(inserts, rows.insertedIDs) { arriving[path] = id }
        for (pair, id) in zip(moves, rows.movedIDs) {
            try require(id, at: pair.old)
            arriving[pair.new] = id
        }
        for (pair, id) in zip(updates, rows.updatedIDs) { try require(id, at: pair.old) }
        let keys = Dictionary(zip(sectionInserts, rows.insertedSectionKeys)) { first, _ in first }
        guard let result = arranged(sections, insertedKey: { keys[$0] }, arriving: { arriving[$0] }) else {
            throw ChangesDoNotFit(description: "the order has too few sections or rows for the changes")
        }
        return result
    }

    /// Arranges the sections and rows of an old state in the order of the new one.
    ///
    /// Sections and rows that the difference does not name fill the positions where none arrives, in their old order.
    ///
    /// - Parameters:
    ///   - old: The state before.
    ///   - insertedKey: Returns the key of an inserted section.
    ///   - arriving: Returns the row that is inserted or moved to a path.
    /// - Returns: The state after. It is `nil` if the old state has too few sections or rows for the difference.
    /// - Complexity: O(n) in the rows.
    func arranged<Key, Item>(
        _ old: [SectionSnapshot<Key, Item>],
        insertedKey: (Int32) -> Key?,
        arriving: (ItemPath) -> Item?
    ) -> [SectionSnapshot<Key, Item>]? {
        let tracking = PathTracking(self)
        let count = old.count - sectionDeletes.count + sectionInserts.count
        guard count >= 0, sectionDeletes.last.map({ $0 < old.count }) ?? true else { return nil }
        var result: [SectionSnapshot<Key, Item>] = []
        result.reserveCapacity(count)
        for section in 0..<Int32(count) {
            let origin = tracking.oldSection(of: section)
            guard origin.map({ old.indices.contains(Int($0)) }) ?? true,
                let key = origin.map({ old[Int($0)].key }) ?? insertedKey(section)
            else { return nil }
            var staying = StayingRows(
                origin.map { old[Int($0)].items } ?? [],
                leaving: origin.map(tracking.leavingItems(of:)) ?? []
            )
            var items: [Item] = []
            for item in tracking.arrivingItems(of: section) {
                while items.count < item, let row = staying.next() { items.append(row) }
                guard items.count == item, let row = arriving(ItemPath(section: Int(section), item: item))
                else { return nil }
                items.append(row)
            }
            while let row = staying.next() { items.append(row) }
            result.append(SectionSnapshot(key: key, items: items))
        }
        return result
    }
}

/// The rows of a section that do not leave it, in their order.
private struct StayingRows<Item>: IteratorProtocol {
    private let items: [Item]
    private let leaving: [Int]
    private var position = 0
    private var passed = 0

    init(_ items: [Item], leaving: [Int]) {
        self.items = items
        self.leaving = leaving
    }

    mutating func next() -> Item? {
        while passed < leaving.count, leaving[passed] <= position {
            if leaving[passed] == position { position += 1 }
            passed += 1
        }
        guard position < items.count else { return nil }
        defer { position += 1 }
        return items[position]
    }
}
