/// A row of an entity, as a snapshot of the time when it was read.
public struct Row: Sendable, Hashable {
    /// The row's identity within its entity.
    ///
    /// It is not an attribute: `row["id"]` is an attribute named `id`. Scripts see the identity as `$id`.
    public let id: RowID
    /// The values, in the order of the entity's attributes.
    public let values: [AttributeValue]
    /// The row's entity.
    public let entity: EntityDescription

    /// Creates a row.
    public init(id: RowID, values: [AttributeValue], entity: EntityDescription) {
        self.id = id
        self.values = values
        self.entity = entity
    }

    /// Returns the value of an attribute, or `nil` if the entity has no attribute of that name.
    public subscript(attribute: String) -> AttributeValue? {
        entity.index(of: attribute).map { values[$0] }
    }
}
