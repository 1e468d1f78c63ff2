package import Stores

/// The inference of migration steps from two versions of a model.
///
/// Entities, attributes and relationships are matched by name, or by renaming identifier. If something cannot be
/// inferred, the result is an error instead of lost data.
struct MigrationInference {
    private let old: StoredModel
    private let new: StoredModel
    /// A Boolean value that indicates whether entities that the new model lacks are kept, because they were created
    /// without a model.
    private let keepsOthers: Bool
    private let oldPairs: Set<String>
    private let newPairs: Set<String>

    init(from old: StoredModel, to new: StoredModel, keepsOthers: Bool) {
        self.old = old
        self.new = new
        self.keepsOthers = keepsOthers
        oldPairs = Self.pairs(of: old)
        newPairs = Self.pairs(of: new)
    }

    private static func pairs(of model: StoredModel) -> Set<String> {
        var names: Set<String> = []
        for entity in model.entities.values {
            for relationship in entity.relationships {
                if let name = relationship.pairEntityName(of: entity.name, among: model.entities) {
                    names.insert(name)
                }
            }
        }
        return names
    }

    /// Infers the steps, in the order of the entities' names.
    ///
    /// - Throws: ``StoreError`` `migrationFailed` that names the part that cannot be inferred.
    func steps() throws -> [MigrationStep] {
        var steps: [MigrationStep] = []
        var used: Set<String> = []
        for entity in new.entities.values.sorted(by: { $0.name < $1.name })
        where !newPairs.contains(entity.name) {
            guard let source = source(of: entity) else {
                steps.append(.addEntity(entity))
                continue
            }
            guard used.insert(source.name).inserted else {
                throw failure("two entities come from \(MessageText.quoted(source.name))")
            }
            try checkRelationships(from: source, to: entity)
            let sources = try attributeSources(from: source, to: entity)
            if source != entity { steps.append(.changeEntity(from: source, to: entity, sources: sources)) }
        }
        steps += try pairSteps(&used)
        steps += oneToOneSteps()
        let removed = keepsOthers ? [] : old.entities.keys.filter { !used.contains($0) }.sorted()
        return removed.map { .removeEntity($0) } + steps
    }

    private func source(of entity: EntityDescription) -> EntityDescription? {
        if let same = old.entities[entity.name], !oldPairs.contains(entity.name) { return same }
        return entity.renamingIdentifier.flatMap { oldPairs.contains($0) ? nil : old.entities[$0] }
    }

    private func failure(_ reason: String) -> StoreError {
        StoreError(
            .migrationFailed,
            "the store cannot be migrated from model version \(old.version) to \(new.version): \(reason)"
        )
    }

    // MARK: - Attributes

    private func attributeSources(
        from source: EntityDescription,
        to entity: EntityDescription
    ) throws -> [String?] {
        var used: Set<String> = []
        return try entity.attributes.enumerated().map { index, attribute in
            let former =
                attribute.renamingIdentifier ?? entity.relationship(attribute.name)?.renamingIdentifier
            let name =
                source.index(of: attribute.name) != nil
                ? attribute.name : former.flatMap { source.index(of: $0) == nil ? nil : $0 }
            guard let name, let position = source.index(of: name) else { return nil }
            guard used.insert(name).inserted else {
                throw failure("two attributes come from \(source.place(position))")
            }
            let type = source.attributes[position].type
            guard type == attribute.type || type.widened.contains(attribute.type) else {
                throw failure(
                    "\(source.place(position)) holds \(type.rawValue) values, which cannot be converted to "
                        + "\(attribute.type.rawValue) values"
                )
            }
            let isReference = (source.relationship(name) != nil, entity.relationship(attribute.name) != nil)
            guard isReference.0 == isReference.1 else {
                throw failure("\(entity.place(index)) is a relationship in one of the two only")
            }
            return name
        }
    }

    // MARK: - Relationships

    private func former(
        _ relationship: RelationshipDescription,
        in source: EntityDescription
    ) -> RelationshipDescription? {
        source.relationship(relationship.name)
            ?? relationship.renamingIdentifier.flatMap { source.relationship($0) }
    }

    private func checkRelationships(from source: EntityDescription, to entity: EntityDescription) throws {
        for relationship in entity.relationships {
            guard let former = former(relationship, in: source) else { continue }
            let place = MessageText.quoted("\(entity.name).\(relationship.name)")
            let target = new.entities[relationship.destination].flatMap { self.source(of: $0)?.name }
            guard former.destination == target else {
                throw failure("relationship \(place) refers to another entity than before")
            }
            let kinds = (
                kind(of: former, source, old.entities), kind(of: relationship, entity, new.entities)
            )
            guard kinds.0 == kinds.1 else {
                throw failure(
                    "relationship \(place) is stored differently than before: \(kinds.0), now \(kinds.1)"
                )
            }
        }
    }

    private func kind(
        of relationship: RelationshipDescription,
        _ entity: EntityDescription,
        _ entities: [String: EntityDescription]
    ) -> String {
        guard relationship.isToMany else { return "to one" }
        return relationship.pairEntityName(of: entity.name, among: entities) == nil
            ? "to many whose inverse is to one" : "to many"
    }

    private func pairSteps(_ used: inout Set<String>) throws -> [MigrationStep] {
        var steps: [MigrationStep] = []
        var origins: [String: String] = [:]
        // Pairs may come from either end, so a new relationship at one end must not hide a former one at the other.
        var withoutOrigin: [String: EntityDescription] = [:]
        for entity in new.entities.values.sorted(by: { $0.name < $1.name }) {
            for relationship in entity.relationships {
                guard let pairs = relationship.pairEntity(of: entity.name, among: new.entities) else {
                    continue
                }
                guard let source = source(of: entity), let former = former(relationship, in: source),
                    let formerPairs = former.pairEntity(of: source.name, among: old.entities),
                    let stored = old.entities[formerPairs.name]
                else {
                    withoutOrigin[pairs.name] = pairs
                    continue
                }
                let place = MessageText.quoted("\(entity.name).\(relationship.name)")
                if let origin = origins[pairs.name] {
                    guard origin == stored.name else {
                        throw failure("relationship \(place) and its inverse were two relationships before")
                    }
                    continue
                }
                guard used.insert(stored.name).inserted else {
                    throw failure("relationship \(place) was the inverse of another one before")
                }
                origins[pairs.name] = stored.name
                let wasFirst = try isFirst(former, of: source, old.entities)
                let isFirst = try isFirst(relationship, of: entity, new.entities)
                if stored != pairs {
                    let sources = wasFirst == isFirst ? ["first", "second"] : ["second", "first"]
                    steps.append(.changeEntity(from: stored, to: pairs, sources: sources))
                }
                if relationship.isSymmetric(of: entity.name), !former.isSymmetric(of: source.name) {
                    steps.append(.mirrorPairs(pairs.name))
                }
            }
        }
        let added = withoutOrigin.filter { origins[$0.key] == nil }.sorted { $0.key < $1.key }
        return added.map { .addEntity($0.value) } + steps
    }

    /// Returns the steps that complete to-one relationships whose to-one inverse is new.
    private func oneToOneSteps() -> [MigrationStep] {
        new.entities.values.sorted { $0.name < $1.name }.flatMap { entity in
            entity.relationships.compactMap { relationship -> MigrationStep? in
                guard !relationship.isToMany, let inverse = relationship.inverse,
                    let target = new.entities[relationship.destination],
                    let back = target.relationship(inverse), !back.isToMany,
                    let source = source(of: entity), let former = former(relationship, in: source)
                else { return nil }
                let formerBack = self.source(of: target).flatMap { self.former(back, in: $0) }
                guard former.inverse == nil || former.inverse != formerBack?.name else { return nil }
                return .pairOneToOne(
                    entity: entity.name,
                    relationship: relationship.name,
                    destination: target.name,
                    inverse: inverse
                )
            }
        }
    }

    private func isFirst(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        _ entities: [String: EntityDescription]
    ) throws -> Bool {
        guard case .pairs(_, let near, _) = try relationship.link(of: entity, among: entities) else {
            return true
        }
        return near == 0
    }
}

extension AttributeType {
    /// The types that can represent every value of this type distinctly.
    ///
    /// Integers convert to doubles only up to 2^53; a migration refuses larger ones.
    package var widened: Set<AttributeType> {
        switch self {
        case .boolean: [.integer, .double, .string]
        case .integer: [.double, .string]
        case .date: [.double]
        case .double, .string, .data: []
        }
    }
}
