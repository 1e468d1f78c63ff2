/// The kind of values that an attribute holds.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
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
public struct AttributeDescription: Sendable, Hashable {
    /// The attribute's name.
    public var name: String
    /// What it holds.
    public var type: AttributeType
    /// Whether it may have no value.
    public var isOptional: Bool
    /// Whether no two rows may have the same value: what an upsert and an import find a row by.
    public var isUnique: Bool

    /// Makes a description.
    public init(_ name: String, _ type: AttributeType, isOptional: Bool = true, isUnique: Bool = false) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isUnique = isUnique
    }
}

/// The shape of one kind of row: its name and its attributes in their order.
///
/// Beside its attributes every row has an ``RowID``, which a store gives and never uses again.
public struct EntityDescription: Sendable, Hashable {
    /// The entity's name.
    public var name: String
    /// Its attributes, in the order in which ``Row/values`` holds them.
    public var attributes: [AttributeDescription]

    /// Makes a description.
    public init(name: String, attributes: [AttributeDescription]) {
        self.name = name
        self.attributes = attributes
    }

    /// The position of an attribute, or `nil` where the entity has none of that name.
    public func index(of attribute: String) -> Int? { attributes.firstIndex { $0.name == attribute } }
}

/// The identity of a row within its entity, given by the store and never used again.
public typealias RowID = Int64
