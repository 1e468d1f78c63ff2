package import Dispatch
public import Foundation
public import Stores

extension FetchedResultsController {
    /// The sections, or `nil` before the first fetch.
    ///
    /// The value does not change with the content.
    public var sections: FetchedResultsSections? {
        content.map { FetchedResultsSections($0, titles: delegatedIndexTitles($0)) }
    }

    /// The number of sections; 0 before the first fetch.
    public var numberOfSections: Int { content?.shownSections.count ?? 0 }

    /// The number of rows; 0 before the first fetch.
    public var numberOfObjects: Int { content?.window.count ?? 0 }

    /// Returns the number of rows of a section, or 0 for an index out of range.
    ///
    /// - Complexity: O(log s) in the sections.
    public func numberOfObjects(in section: Int) -> Int { content?.range(ofShown: section)?.count ?? 0 }

    /// The identities of all rows in order, or `nil` before the first fetch.
    ///
    /// - Complexity: O(n); ``snapshot`` has them without a copy.
    public var fetchedObjectIDs: [RowID]? { content.map { $0.order.ids(in: $0.window) } }

    /// The whole content as a value, or `nil` before the first fetch.
    public var snapshot: FetchedResultsSnapshot? { content.map { FetchedResultsSnapshot($0) } }

    /// The store's version of the content, or `nil` before the first fetch.
    public var version: Int? { content?.version }

    /// The size of the order of the rows in bytes; 0 before the first fetch.
    public var orderMemory: Int { content?.memory ?? 0 }

    /// Returns the identity of the row at a path, or `nil` if there is none.
    ///
    /// - Complexity: O(log n).
    public func rowID(at indexPath: IndexPath) -> RowID? {
        guard let content, let path = ItemPath(indexPath), let position = content.position(of: path) else {
            return nil
        }
        return content.order.id(at: position)
    }

    /// Returns the path of a row, or `nil` if the row is not in the results: the inverse of ``rowID(at:)``.
    ///
    /// - Complexity: O(log n) and one read of the row's sort keys from the store; O(n) if the store cannot be read, or
    ///   has the row at a newer version.
    public func indexPath(forObject rowID: RowID) -> IndexPath? {
        guard let content else { return nil }
        if let row = try? rows([rowID])[0], let path = path(of: row, in: content) { return path }
        return content.order.position(of: rowID).flatMap { Self.path(of: $0, in: content) }
    }

    /// Returns the path of a row by its values, or `nil` if the results have no such row with these sort keys.
    ///
    /// - Complexity: O(log n).
    public func indexPath(forObject row: Row) -> IndexPath? {
        content.flatMap { path(of: row, in: $0) }
    }

    /// Returns the values that determine a row's position: its own, then those from related rows and functions.
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

    /// All rows in order, read from the store on access; `nil` before the first fetch.
    ///
    /// If the request has a `fetchBatchSize`, that many rows are read at a time. Otherwise the first access reads all.
    public var fetchedObjects: FetchedObjects? {
        content.map { content in
            FetchedObjects(content, batchSize: content.plan.request.fetchBatchSize) { [weak self] ids in
                (try? self?.rows(ids)) ?? ids.map { _ in nil }
            }
        }
    }

    /// Reads the row at a path, or returns `nil` if there is none.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read.
    public func object(at indexPath: IndexPath) throws -> Row? {
        guard let id = rowID(at: indexPath) else { return nil }
        return try rows([id])[0]
    }

    /// Reads some rows of a section in one transaction, without the part of the range that is out of bounds.
    ///
    /// The rows are those of the content's ``version``, even if later commits are pending. A commit that its thread has
    /// not yet reported can be visible: then a row is newer, or `nil` if it was deleted. Without ``tracking``, every
    /// later commit is visible in the same way.
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

    /// Waits until a commit that was already read is reported here, because its thread may be about to report it.
    ///
    /// The wait ends at a deadline, because that thread may be this one, in the middle of a delivery of the store, or
    /// may itself wait for this one.
    package func waitForChanges(upTo version: Int, until deadline: DispatchTime = .now() + .milliseconds(20))
    {
        guard tracking != .none else { return }
        inbox.wait(for: version, until: deadline)
    }

    func rows(_ ids: [RowID]) throws -> [Row?] {
        guard let plan = content?.plan, !ids.isEmpty else { return [] }
        let (rows, version) = try store.read { transaction in
            (try transaction.rows(of: plan.request.entityName, ids: ids), transaction.version)
        }
        waitForChanges(upTo: version)
        // A pending change has the row's values before it, whatever the store has by now.
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
