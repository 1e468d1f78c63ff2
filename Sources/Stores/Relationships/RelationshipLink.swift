/// The storage of a relationship.
package enum RelationshipLink: Sendable, Hashable {
    /// An attribute of its own row, for a to-one relationship.
    case own(attribute: Int)
    /// An attribute of the related rows, for a to-many relationship.
    case inverse(entity: String, attribute: Int)
    /// The rows of an entity of pairs, for a to-many relationship.
    case pairs(entity: String, near: Int, far: Int)
}

extension RelationshipDescription {
    /// Returns the entity of the relationship's pairs, or `nil` if it is stored in an attribute.
    ///
    /// A relationship and its inverse share one entity. A relationship that is its own inverse stores each pair in both
    /// directions.
    package func pairEntityName(of entity: String, among entities: [String: EntityDescription]) -> String? {
        guard isToMany, !isKeptByInverse(among: entities) else { return nil }
        return "$" + Self.pairs(side(of: entity), otherSide).joined(separator: "~")
    }

    private func isKeptByInverse(among entities: [String: EntityDescription]) -> Bool {
        guard let inverse, let back = entities[destination]?.relationship(inverse) else { return false }
        return !back.isToMany
    }

    private func side(of entity: String) -> String { "\(entity).\(name)" }

    private var otherSide: String? { inverse.map { "\(destination).\($0)" } }

    private static func pairs(_ side: String, _ other: String?) -> [String] {
        guard let other else { return [side] }
        return [side, other].sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }

    /// Returns the entity of the relationship's pairs, which has two required references.
    package func pairEntity(
        of entity: String,
        among entities: [String: EntityDescription]
    ) -> EntityDescription? {
        guard let name = pairEntityName(of: entity, among: entities) else { return nil }
        let isFirst = Self.pairs(side(of: entity), otherSide).first == side(of: entity)
        let ends = isFirst ? [entity, destination] : [destination, entity]
        return EntityDescription(
            name: name,
            attributes: [
                AttributeDescription("first", .integer, isOptional: false),
                AttributeDescription("second", .integer, isOptional: false),
            ],
            relationships: [.toOne("first", ends[0]), .toOne("second", ends[1])]
        )
    }

    /// Returns whether a relationship is its own inverse; then its pairs are stored in both directions.
    package func isSymmetric(of entity: String) -> Bool {
        destination == entity && inverse == name && isToMany
    }

    /// Returns the storage of an entity's relationship.
    ///
    /// - Throws: ``StoreError`` `schema` if the related entity or the inverse is missing.
    package func link(
        of entity: EntityDescription,
        among entities: [String: EntityDescription]
    ) throws -> RelationshipLink {
        if !isToMany { return .own(attribute: try entity.requiredIndex(of: name)) }
        guard let target = entities[destination] else {
            throw StoreError(
                .schema,
                "relationship '\(entity.name).\(name)' refers to \(MessageText.quoted(destination)), "
                    + "which is not an entity of the store"
            )
        }
        if let inverse, let back = target.relationship(inverse), !back.isToMany {
            return .inverse(entity: destination, attribute: try target.requiredIndex(of: inverse))
        }
        let pairs = pairEntityName(of: entity.name, among: entities) ?? ""
        guard entities[pairs] != nil else {
            throw StoreError(.schema, "the store has no pairs for relationship '\(entity.name).\(name)'")
        }
        let isFirst = Self.pairs(side(of: entity.name), otherSide).first == side(of: entity.name)
        return .pairs(entity: pairs, near: isFirst ? 0 : 1, far: isFirst ? 1 : 0)
    }
}
