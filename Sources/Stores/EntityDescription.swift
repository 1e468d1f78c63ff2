/// The type of an attribute's values.
public enum AttributeType: String, Sendable, Hashable, CaseIterable, Codable {
    /// `true` or `false`.
    case boolean
    /// A signed 64-bit integer.
    case integer
    /// A floating-point number.
    ///
    /// Integers are accepted and converted.
    case double
    /// A string.
    case string
    /// A point in time.
    case date
    /// A sequence of bytes.
    case data
}

/// One attribute of an entity.
public struct AttributeDescription: Sendable, Hashable, Codable {
    /// The attribute's name.
    public var name: String
    /// The type of its values.
    public var type: AttributeType
    /// A Boolean value that indicates whether the value may be null.
    public var isOptional: Bool
    /// A Boolean value that indicates whether no two rows may have the same value.
    ///
    /// Upserts and imports find rows by a unique attribute.
    public var isUnique: Bool
    /// The value of new managed objects, and of rows whose required value is missing in a migration.
    public var defaultValue: AttributeValue?
    /// The constraints on a managed object's value, checked when it is saved.
    public var validation: AttributeValidation?
    /// The attribute's name in an earlier version of the model.
    public var renamingIdentifier: String?

    /// Creates a description.
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

/// The schema of one kind of row: its name, its attributes in order, and its relationships.
///
/// Every row also has a ``RowID``, which the store assigns and never reuses.
public struct EntityDescription: Sendable, Hashable, Codable {
    /// The entity's name.
    public var name: String
    /// Its attributes, in the order of ``Row/values``.
    ///
    /// No attribute may be named `$id`.
    ///
    /// A to-one relationship is an integer attribute of the same name. Its value is the ``RowID`` of the related row.
    public var attributes: [AttributeDescription]
    /// Its relationships.
    public var relationships: [RelationshipDescription]
    /// The entity's name in an earlier version of the model.
    public var renamingIdentifier: String?

    /// Creates a description.
    ///
    /// The attributes of to-one relationships are added if they are missing.
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

    /// The name of a row's identity in scripts, next to the names of attributes; no attribute may have it.
    package static let identityName = "$id"

    /// Returns the position of an attribute, or `nil` if the entity has no attribute of that name.
    public func index(of attribute: String) -> Int? { attributes.firstIndex { $0.name == attribute } }

    /// Returns a relationship, or `nil` if the entity has no relationship of that name.
    public func relationship(_ name: String) -> RelationshipDescription? {
        relationships.first { $0.name == name }
    }
}

/// The identity of a row within its entity, assigned by the store and never reused.
public typealias RowID = Int64
