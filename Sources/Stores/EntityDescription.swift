/// The kind of values that an attribute holds.
public enum AttributeType: String, Sendable, Hashable, CaseIterable, Codable {
    /// `true` or `false`.
    case boolean
    /// A whole number of 64 bits.
    case integer
    /// A number. Whole numbers are taken too.
    case double
    /// Text.
    case string
    /// A point in time.
    case date
    /// Bytes.
    case data
}

/// One attribute of an entity.
public struct AttributeDescription: Sendable, Hashable, Codable {
    /// The attribute's name.
    public var name: String
    /// What it holds.
    public var type: AttributeType
    /// Whether it may have no value.
    public var isOptional: Bool
    /// Whether no two rows may have the same value: what an upsert and an import find a row by.
    public var isUnique: Bool
    /// What a new managed object has here, and what a migration puts where a value must be and none is.
    public var defaultValue: AttributeValue?
    /// What a managed object's value must be like to be saved.
    public var validation: AttributeValidation?
    /// The attribute's name in an earlier version of the model.
    public var renamingIdentifier: String?

    /// Makes a description.
    public init(
        _ name: String,
        _ type: AttributeType,
        isOptional: Bool = true,
        isUnique: Bool = false,
        defaultValue: AttributeValue? = nil,
        validation: AttributeValidation? = nil,
        renamingIdentifier: String? = nil
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isUnique = isUnique
        self.defaultValue = defaultValue
        self.validation = validation
        self.renamingIdentifier = renamingIdentifier
    }
}

/// The shape of one kind of row: its name, its attributes in their order and its relationships.
///
/// Beside its attributes every row has an ``RowID``, which a store gives and never uses again.
public struct EntityDescription: Sendable, Hashable, Codable {
    /// The entity's name.
    public var name: String
    /// Its attributes, in the order in which ``Row/values`` holds them.
    ///
    /// None is named `$id`.
    ///
    /// A to-one relationship is an integer attribute of the same name: the ``RowID`` of the row that it leads
    /// to.
    public var attributes: [AttributeDescription]
    /// Its relationships.
    public var relationships: [RelationshipDescription]
    /// The entity's name in an earlier version of the model.
    public var renamingIdentifier: String?

    /// Makes a description.
    ///
    /// The attribute of a to-one relationship is added where it is not among the attributes.
    public init(
        name: String,
        attributes: [AttributeDescription],
        relationships: [RelationshipDescription] = [],
        renamingIdentifier: String? = nil
    ) {
        self.name = name
        self.relationships = relationships
        self.renamingIdentifier = renamingIdentifier
        let named = Set(attributes.map(\.name))
        let references = relationships.filter { !$0.isToMany && !named.contains($0.name) }
        self.attributes = attributes + references.map { AttributeDescription($0.name, .integer) }
    }

    /// The name of a row's identity in scripts, where attributes have names; no attribute has it.
    package static let identityName = "$id"

    /// The position of an attribute, or `nil` where the entity has none of that name.
    public func index(of attribute: String) -> Int? { attributes.firstIndex { $0.name == attribute } }

    /// A relationship, or `nil` where the entity has none of that name.
    public func relationship(_ name: String) -> RelationshipDescription? {
        relationships.first { $0.name == name }
    }
}

/// The identity of a row within its entity, given by the store and never used again.
public typealias RowID = Int64
