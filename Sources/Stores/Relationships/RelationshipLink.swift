/// Where a relationship is kept.
package enum RelationshipLink: Sendable, Hashable {
    /// To one: in an attribute of its own row.
    case own(attribute: Int)
    /// To many: in an attribute of the rows that it leads to.
    case inverse(entity: String, attribute: Int)
    /// To many: in the rows of an entity of pairs.
    case pairs(entity: String, near: Int, far: Int)
}

extension RelationshipDescription {
    /// The entity whose rows are the pairs of this relationship, or `nil` where it is kept in an attribute.
    ///
    /// A relationship and its inverse have the same. One that is its own inverse has each pair both ways.
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

    /// The entity of this relationship's pairs: two references that must be there.
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

    /// Whether a relationship leads back the way that it leads: its pairs are kept both ways.
    package func isSymmetric(of entity: String) -> Bool {
        destination == entity && inverse == name && isToMany
    }

    /// Where the relationship of an entity is kept.
    ///
    /// - Throws: ``StoreError`` `schema` where the entity that it leads to, or its inverse, is missing.
    package func link(
        of entity: EntityDescription,
        among entities: [String: EntityDescription]
    ) throws -> RelationshipLink {
        if !isToMany { return .own(attribute: try entity.requiredIndex(of: name)) }
        guard let target = entities[destination] else {
            throw StoreError(
                .schema,
                "relationship '\(entity.name).\(name)' leads to \(MessageText.quoted(destination)), "
                    + "which is no entity of the store"
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
