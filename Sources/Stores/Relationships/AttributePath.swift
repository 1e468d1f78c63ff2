/// A key path from a row over to-one relationships to an attribute, as in `author.city.name`.
///
/// If a row along the path is missing, the value is null.
package struct AttributePath: Sendable, Hashable {
    /// The relationships along the path.
    package let relationships: [RelationshipDescription]
    /// The entity that has the attribute.
    package let entity: EntityDescription
    /// The attribute's position in that entity.
    package let index: Int

    /// The type of the attribute.
    package var type: AttributeType { entity.attributes[index].type }

    /// Resolves a key: an attribute of the entity, or a key path to one.
    ///
    /// - Throws: ``StoreError`` that names the unknown part or the to-many relationship in the path; `invalidRequest`
    ///   for a path through more than ``FetchPredicate/maximumRelationships`` relationships.
    /// - Complexity: O(k) in the key's length, for any content.
    package init(
        _ key: String,
        of entity: EntityDescription,
        among entities: [String: EntityDescription]
    ) throws {
        var relationships: [RelationshipDescription] = []
        var current = entity
        var rest = Substring(key)
        while current.index(of: String(rest)) == nil {
            guard let (relationship, tail) = Self.firstStep(of: rest, current),
                let next = entities[relationship.destination]
            else { throw current.unknownAttribute(String(rest)) }
            guard !relationship.isToMany else {
                throw StoreError(
                    .invalidRequest,
                    "'\(current.name).\(relationship.name)' is to-many, so \(MessageText.quoted(key)) "
                        + "is not a single value; use any, all, none or a count"
                )
            }
            guard relationships.count < FetchPredicate.maximumRelationships else {
                throw StoreError(
                    .invalidRequest,
                    "\(MessageText.quoted(key)) follows more than \(FetchPredicate.maximumRelationships) "
                        + "relationships"
                )
            }
            relationships.append(relationship)
            (current, rest) = (next, tail)
        }
        self.relationships = relationships
        self.entity = current
        index = try current.requiredIndex(of: String(rest))
    }

    /// Returns the relationship that a key begins with, and the rest of the key.
    private static func firstStep(
        of key: Substring,
        _ entity: EntityDescription
    ) -> (RelationshipDescription, Substring)? {
        // Names may contain dots; the shortest matching name wins. Each name is compared with the start of the key,
        // because splitting the key would cost as many steps as a script put dots into it. The comparison is bytewise,
        // because a name may begin with a combining mark that merges with the dot before it.
        let fitting = entity.relationships.filter { relationship in
            let name = relationship.name.utf8
            return key.utf8.starts(with: name)
                && key.utf8.dropFirst(name.count).first == UInt8(ascii: ".")
        }
        guard let relationship = fitting.min(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
            return nil
        }
        let dot = key.utf8.index(key.utf8.startIndex, offsetBy: relationship.name.utf8.count)
        return (relationship, key[key.utf8.index(after: dot)...])
    }
}
