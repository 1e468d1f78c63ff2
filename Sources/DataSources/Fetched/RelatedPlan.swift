internal import Stores

/// The part of a fetch plan for a request that uses rows of other entities.
///
/// The store determines which of the touched rows match and what their sort keys are. The results for matching rows are
/// cached, so that a row's old position is known without reading its former related rows.
final class RelatedPlan: Sendable {
    /// The request's entity, with the values of key paths after its own attributes.
    let extendedEntity: EntityDescription
    /// The other entities that the request uses.
    let entityNames: Set<String>

    private let request: FetchRequest
    private let tree: RelationshipTree
    private let entities: [String: EntityDescription]
    /// The sort keys that are key paths through relationships, each once.
    private let paths: [String]

    /// Creates the plan of a request; returns `nil` if the request uses only its own entity.
    ///
    /// Keys that functions compute are not the store's, and have no related rows.
    init?(
        _ request: FetchRequest,
        entity: EntityDescription,
        computed: [AttributeDescription] = [],
        among entities: [String: EntityDescription]
    ) throws {
        guard !entity.relationships.isEmpty else { return nil }
        let names = Set(computed.map(\.name))
        var request = request
        request.sortDescriptors.removeAll { names.contains($0.key) }
        request.sectionKeys.removeAll { names.contains($0) }
        let tree = try RelationshipTree(request, among: entities)
        guard !tree.isEmpty else { return nil }
        self.request = request
        self.tree = tree
        self.entities = entities
        entityNames = tree.entityNames(among: entities)
        var paths: [String] = []
        for key in request.sortDescriptors.map(\.key) where entity.index(of: key) == nil {
            if !paths.contains(key) { paths.append(key) }
        }
        self.paths = paths
        var extended = entity
        for path in paths {
            let type = try AttributePath(path, of: entity, among: entities).type
            extended.attributes.append(AttributeDescription(path, type))
        }
        extendedEntity = extended
    }

    private var ownCount: Int { extendedEntity.attributes.count - paths.count }

    /// Returns the values from related rows for each matching row.
    func values(in transaction: any ReadTransaction) throws -> [RowID: [AttributeValue]] {
        var values: [RowID: [AttributeValue]] = [:]
        let request = FetchRequest(entityName: request.entityName, predicate: request.predicate)
        try transaction.scan(request, attributes: paths) { values[$0] = $1 }
        return values
    }

    /// Reads the whole content: the order, and the values from related rows for each row.
    func scan(_ transaction: any ReadTransaction, _ plan: FetchPlan) throws -> FetchedContent {
        var builder = OrderIndexBuilder()
        var kept: [RowID: [AttributeValue]] = [:]
        let keys = request.sortDescriptors.map(\.key)
        try transaction.scan(plan.unlimitedRequest, attributes: keys + paths) { id, values in
            try builder.append(id: id) { plan.format.append(sortValues: values, to: &$0) }
            kept[id] = Array(values[keys.count...])
        }
        let (order, sections) = builder.finish()
        return FetchedContent(
            plan: plan,
            version: transaction.version,
            order: order,
            sections: sections,
            related: kept
        )
    }

    /// Returns the rows of the request's entity that depend on a commit's changes of other rows.
    func dependents(of changes: TransactionChanges, in store: any Store) throws -> Set<RowID> {
        guard !entityNames.isDisjoint(with: changes.changes.keys) else { return [] }
        return try store.read { try tree.dependents(of: changes, in: $0, among: entities) }
    }

    /// Returns the present values of touched rows, their own and those of key paths, without the rows that do not
    /// match.
    func matching(
        _ ids: [RowID],
        in transaction: any ReadTransaction
    ) throws -> [RowID: [AttributeValue]] {
        var touched = FetchRequest(entityName: request.entityName, predicate: .idIsIn(ids))
        if let predicate = request.predicate { touched.predicate = .and([.idIsIn(ids), predicate]) }
        var found: [RowID: [AttributeValue]] = [:]
        let names = extendedEntity.attributes.map(\.name)
        try transaction.scan(touched, attributes: names) { found[$0] = $1 }
        return found
    }

    /// Converts pending changes into changes of rows from the point of view of this request.
    ///
    /// - Parameters:
    ///   - pending: The changes of the request's own entity, and the rows that depend on other changed rows.
    ///   - content: The present content.
    ///   - store: The store to read rows from.
    ///   - limit: The newest version that may be reported; `nil` for no limit.
    ///   - before: Returns the values before changes that are still pending, for rows that have some.
    /// - Returns: One change for each row that matches before or after, with the values from related rows after its own
    ///   values; `nil` if the store is beyond the limit.
    /// - Throws: ``StoreError`` if the store cannot be read.
    func changes(
        of pending: ChangeInbox.Taken,
        in content: borrowing FetchedContent,
        store: any Store,
        upTo limit: Int?,
        before: ([RowID]) -> [RowID: [AttributeValue]?]
    ) throws -> [TransactionChanges.RowChange]? {
        let changed = Dictionary(uniqueKeysWithValues: pending.changes.map { ($0.id, $0) })
        let ids = pending.dependents.union(changed.keys).sorted()
        let read = try store.read { transaction in
            transaction.version > limit ?? .max
                ? nil
                : (
                    found: try matching(ids, in: transaction),
                    rows: try transaction.rows(of: request.entityName, ids: ids)
                )
        }
        guard let (found, rows) = read else { return nil }
        let waiting = before(ids)
        var result: [TransactionChanges.RowChange] = []
        for (id, row) in zip(ids, rows) {
            var own = (old: row?.values, new: row?.values)
            if let values = waiting[id] { own = (values, values) }
            if let change = changed[id] { own = (change.old, change.new) }
            var change: (old: [AttributeValue]?, new: [AttributeValue]?) = (nil, nil)
            if let kept = content.related[id] { change.old = own.old.map { $0 + kept } }
            if let values = found[id] { change.new = own.new.map { $0 + values[ownCount...] } }
            guard change.old != nil || change.new != nil else { continue }
            guard change.old != change.new || pending.related.contains(id) else { continue }
            result.append(.init(id: id, old: change.old, new: change.new))
        }
        return result
    }

    /// Returns the changes with the rows' own values alone, as observers expect them.
    func own(_ changes: [TransactionChanges.RowChange]) -> [TransactionChanges.RowChange] {
        changes.map { change in
            .init(
                id: change.id,
                old: change.old.map { Array($0.prefix(ownCount)) },
                new: change.new.map { Array($0.prefix(ownCount)) }
            )
        }
    }

    /// Caches the values from related rows for the changed rows.
    func keep(_ changes: [TransactionChanges.RowChange], in content: inout FetchedContent) {
        for change in changes {
            content.related[change.id] = change.new.map { Array($0[ownCount..<ownCount + paths.count]) }
        }
    }
}
