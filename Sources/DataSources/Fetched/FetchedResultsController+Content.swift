public import Foundation
public import Stores

extension FetchedResultsController {
    /// The sections, or `nil` before the first fetch.
    ///
    /// They stay as they are when the content changes.
    public var sections: FetchedResultsSections? {
        content.map { FetchedResultsSections($0, titles: delegatedIndexTitles($0)) }
    }

    /// The number of sections; 0 before the first fetch.
    public var numberOfSections: Int { content?.shownSections.count ?? 0 }

    /// The number of rows; 0 before the first fetch.
    public var numberOfObjects: Int { content?.window.count ?? 0 }

    /// How many rows a section has; 0 where there is no such section.
    ///
    /// - Complexity: O(log s) in the sections.
    public func numberOfObjects(in section: Int) -> Int { content?.range(ofShown: section)?.count ?? 0 }

    /// The identities of all rows in order, or `nil` before the first fetch.
    ///
    /// - Complexity: O(n); ``snapshot`` has them without a copy.
    public var fetchedObjectIDs: [RowID]? { content.map { $0.order.ids(in: $0.window) } }

    /// Everything that is shown, as a value; `nil` before the first fetch.
    public var snapshot: FetchedResultsSnapshot? { content.map { FetchedResultsSnapshot($0) } }

    /// The store's version that the content has, or `nil` before the first fetch.
    public var version: Int? { content?.version }

    /// How many bytes the order of the rows takes; 0 before the first fetch.
    public var orderMemory: Int { content?.memory ?? 0 }

    /// The identity of the row at a path, or `nil` where there is none.
    ///
    /// - Complexity: O(log n).
    public func rowID(at indexPath: IndexPath) -> RowID? {
        guard let content, let path = ItemPath(indexPath), let position = content.position(of: path) else {
            return nil
        }
        return content.order.id(at: position)
    }

    /// The path of a row, or `nil` where it is not among the results: the inverse of ``rowID(at:)``.
    ///
    /// - Complexity: O(log n) and one look into the store for the row's sort keys; O(n) where the store cannot
    ///   be read, or has the row at a newer version.
    public func indexPath(forObject rowID: RowID) -> IndexPath? {
        guard let content else { return nil }
        if let row = try? rows([rowID])[0], let path = path(of: row, in: content) { return path }
        return content.order.position(of: rowID).flatMap { Self.path(of: $0, in: content) }
    }

    /// The path of a row by its values, or `nil` where it is not among the results with these sort keys.
    ///
    /// - Complexity: O(log n).
    public func indexPath(forObject row: Row) -> IndexPath? {
        content.flatMap { path(of: row, in: $0) }
    }

    /// The values that a row's place comes from: its own, and behind them what related rows and functions give.
    func orderValues(of row: Row, in content: FetchedContent) -> [AttributeValue]? {
        guard row.entity == content.plan.entity else { return nil }
        var values = row.values
        if content.plan.related != nil {
            guard let related = content.related[row.id] else { return nil }
            values += related
        }
        if let computedKeys {
            guard let keys = computedKeys.keys(of: row.id) else { return nil }
            values += keys
        }
        return values
    }

    private func path(of row: Row, in content: FetchedContent) -> IndexPath? {
        guard let values = orderValues(of: row, in: content) else { return nil }
        var key = OrderKeyBuffer()
        _ = content.plan.format.append(values, to: &key)
        let place = content.order.place(of: key.bytes, id: row.id)
        return place.isFound ? Self.path(of: place.position, in: content) : nil
    }

    private static func path(of position: Int, in content: FetchedContent) -> IndexPath? {
        content.window.contains(position) ? content.path(of: position).indexPath : nil
    }

    // MARK: - Rows

    /// All rows in order, read from the store as they are walked over; `nil` before the first fetch.
    ///
    /// With a `fetchBatchSize` that many are read at a time, else all with the first.
    public var fetchedObjects: FetchedObjects? {
        content.map { content in
            FetchedObjects(content, batchSize: content.plan.request.fetchBatchSize) { [weak self] ids in
                (try? self?.rows(ids)) ?? ids.map { _ in nil }
            }
        }
    }

    /// Reads the row at a path, or gives `nil` where there is none.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read.
    public func object(at indexPath: IndexPath) throws -> Row? {
        guard let id = rowID(at: indexPath) else { return nil }
        return try rows([id])[0]
    }

    /// Reads some rows of a section in one transaction; the part of the range that is not there is left out.
    ///
    /// The rows are those of the content's ``version``, also when later commits wait to be processed. A
    /// commit whose thread has not yet reported it can show through: then a row is newer, or `nil` if it is
    /// gone. So does every commit where nobody hears of changes (``tracking``).
    ///
    /// - Throws: ``StoreError`` if the store cannot be read.
    public func window(section: Int, _ range: Range<Int>) throws -> [Row?] {
        guard let content, let positions = content.range(ofShown: section) else { return [] }
        let present = range.clamped(to: 0..<positions.count)
        let start = positions.lowerBound
        return try rows(
            content.order.ids(in: start + present.lowerBound..<start + present.upperBound)
        )
    }

    /// Writes the same rows into a table, for a script.
    package func write(section: Int, _ range: Range<Int>, to table: RowTable) throws {
        guard let content, let positions = content.range(ofShown: section) else { return }
        let present = range.clamped(to: 0..<positions.count)
        let start = positions.lowerBound
        let ids = content.order.ids(in: start + present.lowerBound..<start + present.upperBound)
        guard !ids.isEmpty else { return }
        let entityName = content.plan.request.entityName
        let version = try store.read { transaction in
            try transaction.writeRows(of: entityName, ids: ids, to: table)
            return transaction.version
        }
        waitForChanges(upTo: version)
        let before = inbox.valuesBefore(ids)
        guard !before.isEmpty else { return }
        table.removeAll()
        for (id, row) in zip(ids, try rows(ids)) {
            if let row { table.append(id: id, row.values) } else { table.appendMissing() }
        }
    }

    /// Waits a moment for the report of a commit that was read already: its thread is on the way with it.
    ///
    /// Only a moment, since that thread may be this one, in the middle of a delivery of the store.
    private func waitForChanges(upTo version: Int) {
        guard tracking != .none else { return }
        var rounds = 0
        // By time as well: on a busy machine the other thread may not have run at all in so many rounds.
        let deadline = ContinuousClock.now + .milliseconds(20)
        while inbox.receivedVersion < version, rounds < 1000 || ContinuousClock.now < deadline {
            rounds += 1
            sched_yield()
        }
    }

    func rows(_ ids: [RowID]) throws -> [Row?] {
        guard let plan = content?.plan, !ids.isEmpty else { return [] }
        let (rows, version) = try store.read { transaction in
            (try transaction.rows(of: plan.request.entityName, ids: ids), transaction.version)
        }
        waitForChanges(upTo: version)
        // A waiting change tells what its row was before it, whatever the store says by now.
        let before = inbox.valuesBefore(ids)
        guard !before.isEmpty else { return rows }
        return zip(ids, rows).map { id, row in
            guard let values = before[id] else { return row }
            return values.map {
                Row(id: id, values: $0, entity: store.entities[plan.entity.name] ?? plan.entity)
            }
        }
    }
}
