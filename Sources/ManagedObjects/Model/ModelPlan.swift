internal import Foundation
internal import Stores

/// A prepared model: entities and relationships are numbered, so that names need not be looked up repeatedly.
final class ModelPlan: Sendable {
    let model: ManagedObjectModel
    let entities: [EntityPlan]
    /// The entities of pairs, by number.
    let pairs: [EntityDescription]
    /// The two entities that each kind of pairs joins, by number.
    let pairEnds: [[Int]]
    private let numbers: [String: Int]
    /// The to-one relationships that refer to each entity: their entity and attribute.
    let references: [[(entity: Int, attribute: Int, hasInverse: Bool)]]

    /// The pairs that only relationships of other entities use, and each entity's side of them.
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

    /// Returns the other end of a one-to-one relationship; `nil` if the relationship is not one-to-one.
    func oneToOne(_ entity: Int, _ attribute: Int) -> (entity: Int, attribute: Int)? {
        guard let number = entities[entity].relationshipsByAttribute[attribute] else { return nil }
        let relationship = entities[entity].relationships[number]
        guard let name = relationship.description.inverse,
            case .own(let back)? = entities[relationship.target].relationshipIfAny(name)?.place
        else { return nil }
        return (relationship.target, back)
    }

    /// Returns the plan of an entity.
    ///
    /// - Throws: ``StoreError`` that names the entity and suggests similar names.
    func entity(_ name: String) throws -> EntityPlan {
        if let number = numbers[name] { return entities[number] }
        let suggestion = MessageText.suggestion(for: name, among: numbers.keys)
        throw StoreError(.schema, "the model has no entity \(MessageText.quoted(name))\(suggestion)")
    }

    /// Returns the plan of an entity, or `nil` if the model has no entity of that name.
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
    /// The number of the relationship that each reference attribute belongs to.
    let relationshipsByAttribute: [Int: Int]
    /// The initial values of a new object's attributes.
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
        // The default values were validated with the model.
        defaults = entity.attributes.indices.map { index in
            entity.attributes[index].defaultValue
                .flatMap { try? entity.checkedValue($0, at: index) } ?? .null
        }
    }

    var name: String { entity.name }

    /// Returns the position of an attribute, or `nil` if the entity has no attribute of that name.
    func position(of attribute: String) -> Int? { positions[attribute] }

    /// Returns the position of an attribute, or throws an error that names it.
    func requiredPosition(of attribute: String) throws -> Int {
        guard let position = positions[attribute] else { throw entity.unknownAttribute(attribute) }
        return position
    }

    /// Returns a relationship, or `nil` if the entity has no relationship of that name.
    func relationshipIfAny(_ name: String) -> RelationshipPlan? {
        relationshipPositions[name].map { relationships[$0] }
    }

    /// Returns a relationship, or throws an error that names it.
    func relationship(_ name: String) throws -> RelationshipPlan {
        if let relationship = relationshipIfAny(name) { return relationship }
        _ = try entity.requiredRelationship(name)
        throw StoreError(.schema, "entity \(MessageText.quoted(self.name)) has no such relationship")
    }
}

/// One relationship of a model.
struct RelationshipPlan: Sendable {
    /// The storage of the relationship.
    enum Place {
        /// An attribute of its own row.
        case own(attribute: Int)
        /// An attribute of the related rows.
        case inverse(attribute: Int)
        /// Pairs, with this end as their first or second side.
        case pairs(Int, near: Int)
    }

    let description: RelationshipDescription
    /// The number of the related entity.
    let target: Int
    let place: Place
    /// A Boolean value that indicates whether its pairs are stored in both directions.
    let isSymmetric: Bool
}
