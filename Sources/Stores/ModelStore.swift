/// A store that saves the model of its entities and can be migrated to another model.
public protocol ModelStore: Store {
    /// Returns the model that the store was last migrated to; `nil` if it has none.
    func storedModel() throws -> StoredModel?

    /// Migrates the store in one transaction and saves the new model: either completely or not at all.
    ///
    /// Observers are not notified of changes to rows. Rows keep their identities.
    ///
    /// - Throws: ``StoreError`` that names the failed step; the store is unchanged then.
    func migrate(to model: StoredModel, by steps: [MigrationStep]) throws
}

/// A model as a store saves it.
public struct StoredModel: Sendable, Hashable {
    /// The model's version.
    public let version: Int
    /// The entities by name, including the entities of relationships' pairs.
    public let entities: [String: EntityDescription]

    /// Creates a stored model.
    public init(version: Int, entities: [String: EntityDescription]) {
        self.version = version
        self.entities = entities
    }
}

/// One step of a migration.
public enum MigrationStep: Sendable, Hashable {
    /// Adds a new entity.
    case addEntity(EntityDescription)
    /// Removes an entity with all its rows.
    case removeEntity(String)
    /// Changes the schema of an entity, and optionally its name.
    ///
    /// `sources` contains the former name of each attribute; `nil` for a new attribute.
    case changeEntity(from: EntityDescription, to: EntityDescription, sources: [String?])
    /// Makes a relationship its own inverse: each of its pairs is stored in both directions.
    ///
    /// It follows the steps that rename the entity of the pairs.
    case mirrorPairs(String)
    /// Adds a to-one inverse to a to-one relationship, and sets it for all related rows.
    ///
    /// It follows the steps that change both entities. It fails if two rows refer to one row, or if a row refers to a
    /// row that already refers to another one.
    case pairOneToOne(entity: String, relationship: String, destination: String, inverse: String)

    /// A description of the step, for messages.
    public var description: String {
        switch self {
        case .addEntity(let entity): return "add entity \(MessageText.quoted(entity.name))"
        case .removeEntity(let name): return "remove entity \(MessageText.quoted(name))"
        case .changeEntity(let old, let new, _):
            let name = old.name == new.name ? "" : " into \(MessageText.quoted(new.name))"
            return "change entity \(MessageText.quoted(old.name))\(name)"
        case .mirrorPairs(let name):
            return "store the pairs of \(MessageText.quoted(name)) in both directions"
        case .pairOneToOne(let entity, let relationship, let destination, let inverse):
            let (there, back) = ("\(entity).\(relationship)", "\(destination).\(inverse)")
            return "make \(MessageText.quoted(back)) the inverse of \(MessageText.quoted(there))"
        }
    }
}
