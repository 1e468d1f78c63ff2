internal import Foundation

/// A model made ready: entities and relationships by number, so that nothing is looked up by name twice.
final class ModelPlan: Sendable {
    let model: ManagedObjectModel
    let entities: [EntityPlan]
    /// The entities of pairs, by number.
    let pairs: [EntityDescription]
    /// The two entities that each kind of pairs joins, by number.
    let pairEnds: [[Int]]
    private let numbers: [String: Int]
    /// For each entity, the to-one relationships of any entity that lead to it: entity and attribute.
    let references: [[(entity: Int, attribute: Int, hasInverse: Bool)]]

    /// For each entity, the pairs that only the relationships of others know, and its side of them.
    let oneSidedPairs: [[(pairs: Int, side: Int)]]

    init(_ model: ManagedObjectModel) throws {
        self.model = model
        let numbers = Dictionary(
            uniqueKeysWithValues: model.entities.enumerated().map { ($0.element.name, $0.offset) }
        )
        self.numbers = numbers
        let pairs = model.storedEntities.values.filter { numbers[$0.name] == nil }.sorted {
            $0.name < $1.name
        }
        self.pairs = pairs
        pairEnds = pairs.map { pair in
            pair.relationships.map { numbers[$0.destination] ?? 0 }
        }
        let pairNumbers = Dictionary(uniqueKeysWithValues: pairs.enumerated().map { ($1.name, $0) })
        var references = [[(entity: Int, attribute: Int, hasInverse: Bool)]](
            repeating: [],
            count: model.entities.count
        )
        entities = try model.entities.enumerated().map { number, entity in
            let relationships = try entity.relationships.map { relationship in
                let link = try relationship.link(of: entity, among: model.storedEntities)
                let target = numbers[relationship.destination] ?? 0
                let place: RelationshipPlan.Place
                switch link {
                case .own(let attribute):
                    references[target].append((number, attribute, relationship.inverse != nil))
                    place = .own(attribute: attribute)
                case .inverse(_, let attribute): place = .inverse(attribute: attribute)
                case .pairs(let name, let near, _): place = .pairs(pairNumbers[name] ?? 0, near: near)
                }
                return RelationshipPlan(
                    description: relationship,
                    target: target,
                    place: place,
                    isSymmetric: relationship.isSymmetric(of: entity.name)
                )
            }
            return EntityPlan(
                number: number,
                entity: entity,
                relationships: relationships,
                type: model.classes[entity.name] ?? ManagedObject.self
            )
        }
        self.references = references
        var oneSided = [[(pairs: Int, side: Int)]](repeating: [], count: model.entities.count)
        for entity in entities {
            for relationship in entity.relationships where relationship.description.inverse == nil {
                guard case .pairs(let pairs, let near) = relationship.place else { continue }
                oneSided[relationship.target].append((pairs, 1 - near))
            }
        }
        oneSidedPairs = oneSided
    }

    /// The other end of a link that is to-one both ways, by an attribute of an entity; `nil` where it is not.
    func oneToOne(_ entity: Int, _ attribute: Int) -> (entity: Int, attribute: Int)? {
        guard let number = entities[entity].relationshipsByAttribute[attribute] else { return nil }
        let relationship = entities[entity].relationships[number]
        guard let name = relationship.description.inverse,
            case .own(let back)? = entities[relationship.target].relationshipIfAny(name)?.place
        else { return nil }
        return (relationship.target, back)
    }

    /// The number of an entity.
    ///
    /// - Throws: ``StoreError`` that names it and the names that come close.
    func entity(_ name: String) throws -> EntityPlan {
        if let number = numbers[name] { return entities[number] }
        let suggestion = MessageText.suggestion(for: name, among: numbers.keys)
        throw StoreError(.schema, "the model has no entity \(MessageText.quoted(name))\(suggestion)")
    }

    /// The plan of an entity, or `nil` where the model has none of that name.
    func entityIfAny(_ name: String) -> EntityPlan? { numbers[name].map { entities[$0] } }
}

/// One entity of a model.
final class EntityPlan: Sendable {
    let number: Int
    let entity: EntityDescription
    let relationships: [RelationshipPlan]
    let type: ManagedObject.Type
    private let positions: [String: Int]
    private let relationshipPositions: [String: Int]
    /// The relationship that an attribute is the reference of.
    let relationshipsByAttribute: [Int: Int]
    /// What a new object's attributes have.
    let defaults: [AttributeValue]

    init(
        number: Int,
        entity: EntityDescription,
        relationships: [RelationshipPlan],
        type: ManagedObject.Type
    ) {
        self.number = number
        self.entity = entity
        self.relationships = relationships
        self.type = type
        positions = Dictionary(
            uniqueKeysWithValues: entity.attributes.enumerated().map { ($1.name, $0) }
        )
        relationshipPositions = Dictionary(
            uniqueKeysWithValues: entity.relationships.enumerated().map { ($1.name, $0) }
        )
        var byAttribute: [Int: Int] = [:]
        for (index, relationship) in relationships.enumerated() {
            if case .own(let attribute) = relationship.place { byAttribute[attribute] = index }
        }
        relationshipsByAttribute = byAttribute
        // The defaults were checked with the model.
        defaults = entity.attributes.indices.map { index in
            entity.attributes[index].defaultValue
                .flatMap { try? entity.checkedValue($0, at: index) } ?? .null
        }
    }

    var name: String { entity.name }

    /// The position of an attribute, or `nil` where there is none of that name.
    func position(of attribute: String) -> Int? { positions[attribute] }

    /// The position of an attribute, or the error that names it.
    func requiredPosition(of attribute: String) throws -> Int {
        guard let position = positions[attribute] else { throw entity.unknownAttribute(attribute) }
        return position
    }

    /// A relationship, or `nil` where there is none of that name.
    func relationshipIfAny(_ name: String) -> RelationshipPlan? {
        relationshipPositions[name].map { relationships[$0] }
    }

    /// A relationship, or the error that names it.
    func relationship(_ name: String) throws -> RelationshipPlan {
        if let relationship = relationshipIfAny(name) { return relationship }
        _ = try entity.requiredRelationship(name)
        throw StoreError(.schema, "entity \(MessageText.quoted(self.name)) has no such relationship")
    }
}

/// One relationship of a model.
struct RelationshipPlan: Sendable {
    /// Where it is kept.
    enum Place {
        /// In an attribute of its own row.
        case own(attribute: Int)
        /// In an attribute of the rows that it leads to.
        case inverse(attribute: Int)
        /// In pairs, this side of which is the first or the second.
        case pairs(Int, near: Int)
    }

    let description: RelationshipDescription
    /// The entity that it leads to.
    let target: Int
    let place: Place
    /// Whether its pairs are kept both ways.
    let isSymmetric: Bool
}
