/// A tree of the relationships that a request follows, starting at its entity.
package struct RelationshipTree: Sendable {
    /// The entity of this node.
    package let entityName: String
    /// The subtree of each relationship that the request follows.
    package private(set) var children: [String: RelationshipTree] = [:]
    /// The attributes that the request uses at this node.
    private var attributes: Set<String> = []

    /// Creates the tree of a request.
    ///
    /// - Throws: ``StoreError`` for unknown names.
    package init(_ request: FetchRequest, among entities: [String: EntityDescription]) throws {
        self.init(request.entityName)
        for key in request.sortDescriptors.map(\.key) + request.sectionKeys { try add(key, among: entities) }
        if let predicate = request.predicate { try add(predicate, among: entities, depth: 0) }
    }

    private init(_ entityName: String) { self.entityName = entityName }

    /// A Boolean value that indicates whether the request uses only rows of its own entity.
    package var isEmpty: Bool { children.isEmpty }

    /// Returns the names of all entities that are reached through relationships, and of their pairs.
    package func entityNames(among entities: [String: EntityDescription]) -> Set<String> {
        var names: Set<String> = []
        for (name, child) in children {
            names.insert(child.entityName)
            let relationship = entities[entityName]?.relationship(name)
            if let pairs = relationship?.pairEntityName(of: entityName, among: entities) {
                names.insert(pairs)
            }
            names.formUnion(child.entityNames(among: entities))
        }
        return names
    }

    /// The attributes and relationships that are used behind relationships, by the names of their entities.
    package var relatedMembers: [String: Set<String>] {
        var members: [String: Set<String>] = [:]
        for child in children.values {
            members[child.entityName, default: []].formUnion(child.attributes.union(child.children.keys))
            members.merge(child.relatedMembers) { $0.union($1) }
        }
        return members
    }

    private mutating func add(_ key: String, among entities: [String: EntityDescription]) throws {
        guard let entity = entities[entityName] else { return }
        let path = try AttributePath(key, of: entity, among: entities)
        add(path.relationships[...], path.entity.attributes[path.index].name)
    }

    private mutating func add(_ steps: ArraySlice<RelationshipDescription>, _ attribute: String) {
        guard let step = steps.first else {
            attributes.insert(attribute)
            return
        }
        children[step.name, default: RelationshipTree(step.destination)].add(steps.dropFirst(), attribute)
    }

    private mutating func add(
        _ predicate: FetchPredicate,
        among entities: [String: EntityDescription],
        depth: Int
    ) throws {
        guard depth < FetchPredicate.maximumDepth else { throw FetchPredicate.tooDeep(depth + 1) }
        switch predicate {
        case .compare(let key, _, _), .isIn(let key, _): try add(key, among: entities)
        case .idIsIn: break
        case .and(let parts), .or(let parts):
            for part in parts { try add(part, among: entities, depth: depth + 1) }
        case .not(let part): try add(part, among: entities, depth: depth + 1)
        case .related(let name, _, let part), .relatedCount(let name, let part, _, _):
            let relationship = try entities[entityName]?.requiredRelationship(name)
            guard let relationship else { return }
            try children[name, default: RelationshipTree(relationship.destination)]
                .add(part, among: entities, depth: depth + 1)
        }
    }
}

extension RelationshipTree {
    /// Returns the rows of the request's entity that may be affected by changes of related rows.
    ///
    /// Rows whose own attributes changed are included only if related rows affect them as well.
    ///
    /// - Parameters:
    ///   - changes: The changes of a commit.
    ///   - transaction: A transaction with the state after the commit.
    ///   - entities: The entities of the store, by name.
    /// - Returns: The rows' identities.
    /// - Throws: ``StoreError`` if the store cannot be read.
    package func dependents(
        of changes: TransactionChanges,
        in transaction: any ReadTransaction,
        among entities: [String: EntityDescription]
    ) throws -> Set<RowID> {
        guard let entity = entities[entityName] else { return [] }
        var found: Set<RowID> = []
        for (name, child) in children {
            let relationship = try entity.requiredRelationship(name)
            let changed = changes.changes[child.entityName] ?? []
            let targets = try child.dependents(of: changes, in: transaction, among: entities)
                .union(changed.map(\.id))
            switch try relationship.link(of: entity, among: entities) {
            case .own:
                found.formUnion(try Self.ids(entityName, name, targets, nil, transaction))
            case .inverse(let other, let attribute):
                for change in changed {
                    found.formUnion([change.old, change.new].compactMap { $0?[attribute].rowID })
                }
                for row in try transaction.rows(of: other, ids: targets.sorted()) {
                    if let id = row?.values[attribute].rowID { found.insert(id) }
                }
            case .pairs(let pairs, let near, let far):
                for change in changes.changes[pairs] ?? [] {
                    found.formUnion([change.old, change.new].compactMap { $0?[near].rowID })
                }
                guard let attributes = entities[pairs]?.attributes.map(\.name) else { continue }
                found.formUnion(
                    try Self.ids(pairs, attributes[far], targets, attributes[near], transaction)
                )
            }
        }
        return found
    }

    /// Returns the rows that refer to some targets, or the values of their other reference.
    private static func ids(
        _ entityName: String,
        _ reference: String,
        _ targets: Set<RowID>,
        _ wanted: String?,
        _ transaction: any ReadTransaction
    ) throws -> Set<RowID> {
        guard !targets.isEmpty else { return [] }
        let request = FetchRequest(
            entityName: entityName,
            predicate: .isIn(reference, targets.sorted().map { .integer($0) })
        )
        var ids: Set<RowID> = []
        try transaction.scan(request, attributes: wanted.map { [$0] } ?? []) { id, values in
            if wanted == nil { ids.insert(id) } else if let other = values[0].rowID { ids.insert(other) }
        }
        return ids
    }
}

extension AttributeValue {
    /// The identity of the row that a reference refers to.
    package var rowID: RowID? {
        if case .integer(let id) = self { id } else { nil }
    }
}
