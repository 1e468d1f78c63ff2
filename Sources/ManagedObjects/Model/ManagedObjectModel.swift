internal import Foundation
public import Stores

/// The entities of a managed store with their relationships, at one version.
///
/// ```swift
/// let model = try ManagedObjectModel(version: 1, entities: [
///     EntityDescription(
///         name: "author",
///         attributes: [.init("name", .string, isOptional: false)],
///         relationships: [.toMany("books", "book", inverse: "author", deleteRule: .cascade)]
///     ),
///     EntityDescription(
///         name: "book",
///         attributes: [.init("title", .string)],
///         relationships: [.toOne("author", "author", inverse: "books")]
///     ),
/// ])
/// ```
public struct ManagedObjectModel: Sendable {
    /// The version of the model; later versions are larger.
    public let version: Int
    /// The entities, in the order of the initializer's argument.
    public let entities: [EntityDescription]
    /// The entities by name.
    public let entitiesByName: [String: EntityDescription]
    /// The classes of managed objects, by entity; other entities use ``ManagedObject`` itself.
    public let classes: [String: ManagedObject.Type]
    /// All entities of the store by name, including the entities of relationships' pairs.
    package let storedEntities: [String: EntityDescription]

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - version: A number that must increase with every change of the entities.
    ///   - entities: The entities.
    ///   - classes: The classes of managed objects, by entity.
    /// - Throws: ``StoreError`` `schema` that names the problem: duplicate names of entities or attributes, a
    ///   relationship to an unknown entity or with an inconsistent inverse, or a default value of the wrong type.
    public init(
        version: Int = 1,
        entities: [EntityDescription],
        classes: [String: ManagedObject.Type] = [:]
    ) throws {
        var byName: [String: EntityDescription] = [:]
        var folded: Set<String> = []
        for entity in entities {
            try entity.checkNames()
            guard folded.insert(entity.name.asciiLowercased).inserted else {
                throw StoreError(
                    .schema,
                    "the model has two entities named \(MessageText.quoted(entity.name)) "
                        + "(the case of letters makes no difference)"
                )
            }
            byName[entity.name] = entity
        }
        var stored = byName
        for entity in entities {
            try Self.checkAttributes(of: entity)
            for relationship in entity.relationships {
                try Self.check(relationship, of: entity, among: byName)
                guard let pairs = relationship.pairEntity(of: entity.name, among: byName) else { continue }
                guard byName[pairs.name] == nil else {
                    throw StoreError(
                        .schema,
                        "the name \(MessageText.quoted(pairs.name)) is reserved for a relationship's pairs"
                    )
                }
                stored[pairs.name] = pairs
            }
        }
        for name in classes.keys where byName[name] == nil {
            throw StoreError(
                .schema,
                "the model has a class for \(MessageText.quoted(name)), which is not one of its entities"
            )
        }
        self.version = version
        self.entities = entities
        self.classes = classes
        entitiesByName = byName
        storedEntities = stored
    }

    /// The hash of each entity's schema, equal in every process.
    ///
    /// Entities with equal hashes have equal schemas.
    public var entityVersionHashes: [String: UInt64] { entitiesByName.mapValues(\.versionHash) }

    // MARK: - Checks

    private static func checkAttributes(of entity: EntityDescription) throws {
        for (index, attribute) in entity.attributes.enumerated() {
            if entity.relationship(attribute.name) != nil {
                guard attribute.type == .integer, attribute.isOptional, !attribute.isUnique else {
                    throw StoreError(
                        .schema,
                        "\(entity.place(index)) is a relationship, so its attribute is an optional integer"
                    )
                }
            }
            guard let value = attribute.defaultValue, !value.isNull else { continue }
            do {
                let kept = try entity.checkedValue(value, at: index)
                guard let problem = attribute.validation?.problem(with: kept) else { continue }
                throw StoreError(.schema, "\(entity.place(index)) \(problem)")
            } catch let error as StoreError {
                throw StoreError(.schema, "the default value does not fit: \(error.message)")
            }
        }
    }

    private static func check(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        among entities: [String: EntityDescription]
    ) throws {
        let place = MessageText.quoted("\(entity.name).\(relationship.name)")
        guard let target = entities[relationship.destination] else {
            let suggestion = MessageText.suggestion(for: relationship.destination, among: entities.keys)
            throw StoreError(
                .schema,
                "relationship \(place) refers to \(MessageText.quoted(relationship.destination)), "
                    + "which is not an entity of the model\(suggestion)"
            )
        }
        guard let inverse = relationship.inverse else { return }
        guard let back = target.relationship(inverse) else {
            throw StoreError(
                .schema,
                "the inverse of relationship \(place) is "
                    + "\(MessageText.quoted("\(target.name).\(inverse)")), which does not exist"
            )
        }
        guard back.destination == entity.name, back.inverse == relationship.name else {
            throw StoreError(
                .schema,
                "the inverse of relationship \(place), \(MessageText.quoted("\(target.name).\(inverse)")), "
                    + "does not refer back"
            )
        }
    }
}

extension EntityDescription {
    /// A hash of the entity's schema, equal in every process.
    public var versionHash: UInt64 {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Encoding plain values in memory does not fail; the fallback would equal no other description.
        let text = (try? encoder.encode(self)) ?? Data("\(self)".utf8)
        return text.withUnsafeBytes(OrderImage.checksum)
    }
}
