/// The way from a row to one value: by to-one relationships to an attribute, as in `author.city.name`.
///
/// Where a row on the way is missing there is no value.
package struct AttributePath: Sendable, Hashable {
    /// The relationships on the way.
    package let relationships: [RelationshipDescription]
    /// The entity that has the attribute.
    package let entity: EntityDescription
    /// The attribute's position in that entity.
    package let index: Int

    /// What the attribute holds.
    package var type: AttributeType { entity.attributes[index].type }

    /// Finds what a key means: an attribute of the entity, or a way to one.
    ///
    /// - Throws: ``StoreError`` that names what is not there, or the to-many relationship on the way;
    ///   `invalidRequest` for a path through more than ``FetchPredicate/maximumRelationships`` relationships.
    /// - Complexity: O(k) in the key's length, whatever it holds.
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
                    "'\(current.name).\(relationship.name)' leads to many rows, so \(MessageText.quoted(key)) "
                        + "is no single value; ask with any, all, none or a count"
                )
            }
            guard relationships.count < FetchPredicate.maximumRelationships else {
                throw StoreError(
                    .invalidRequest,
                    "\(MessageText.quoted(key)) leads through more than \(FetchPredicate.maximumRelationships) "
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

    /// The relationship that a key begins with, and what follows it.
    private static func firstStep(
        of key: Substring,
        _ entity: EntityDescription
    ) -> (RelationshipDescription, Substring)? {
        // Names may have dots in them, so that the shortest name that fits is taken. Names are compared with the key,
        // not parts of the key with names: a key has as many parts as a script gives it dots. By bytes, since a
        // name may begin with a mark that makes one character with the dot before it.
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
