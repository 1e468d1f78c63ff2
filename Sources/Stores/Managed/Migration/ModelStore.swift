/// A store that keeps the model of its entities, and can be brought from one to the next.
public protocol ModelStore: Store {
    /// The model that the store was last brought to; `nil` where it never had one.
    func storedModel() throws -> StoredModel?

    /// Carries out steps in one transaction and keeps the model with their result: all of it or nothing.
    ///
    /// Observers are not told of what the steps do to rows. Rows keep their identities.
    ///
    /// - Throws: ``StoreError`` that names the step that failed; the store is as it was then.
    func migrate(to model: StoredModel, by steps: [MigrationStep]) throws
}

/// A model as a store keeps it.
public struct StoredModel: Sendable, Hashable {
    /// The model's version.
    public let version: Int
    /// The entities, those of relationships' pairs among them, by name.
    public let entities: [String: EntityDescription]

    /// Makes a stored model.
    public init(version: Int, entities: [String: EntityDescription]) {
        self.version = version
        self.entities = entities
    }
}

/// One step from one model to the next.
public enum MigrationStep: Sendable, Hashable {
    /// An entity that was not there.
    case addEntity(EntityDescription)
    /// An entity goes with all its rows.
    case removeEntity(String)
    /// An entity gets another shape, and perhaps another name.
    ///
    /// The attributes' values come from the attributes that the list names; `nil` for one that is new.
    case changeEntity(from: EntityDescription, to: EntityDescription, sources: [String?])
    /// A relationship becomes its own inverse: each of its pairs, which were kept one way, is kept both ways.
    ///
    /// It comes after the steps that give the entity of pairs its new name.
    case mirrorPairs(String)
    /// A to-one relationship gets an inverse that is to-one: what it leads to leads back.
    ///
    /// It comes after the steps that give both entities their new shape. Rows that cannot lead back are an
    /// error: two that lead to one row, or one that leads to a row which leads elsewhere.
    case pairOneToOne(entity: String, relationship: String, destination: String, inverse: String)

    /// The step in words, for messages.
    public var description: String {
        switch self {
        case .addEntity(let entity): return "add entity \(MessageText.quoted(entity.name))"
        case .removeEntity(let name): return "remove entity \(MessageText.quoted(name))"
        case .changeEntity(let old, let new, _):
            let name = old.name == new.name ? "" : " into \(MessageText.quoted(new.name))"
            return "change entity \(MessageText.quoted(old.name))\(name)"
        case .mirrorPairs(let name):
            return "keep the pairs of \(MessageText.quoted(name)) both ways"
        case .pairOneToOne(let entity, let relationship, let destination, let inverse):
            let (there, back) = ("\(entity).\(relationship)", "\(destination).\(inverse)")
            return "make \(MessageText.quoted(back)) the inverse of \(MessageText.quoted(there))"
        }
    }
}
