/// One row of an entity, as it was when it was read.
public struct Row: Sendable, Hashable {
    /// The row's identity within its entity.
    ///
    /// It is not an attribute: an attribute `id` is `row["id"]`. Scripts see the identity as `$id`.
    public let id: RowID
    /// The values, in the order of the entity's attributes.
    public let values: [AttributeValue]
    /// The row's entity.
    public let entity: EntityDescription

    /// Makes a row.
    public init(id: RowID, values: [AttributeValue], entity: EntityDescription) {
        self.id = id
        self.values = values
        self.entity = entity
    }

    /// The value of an attribute, or `nil` where the entity has none of that name.
    public subscript(attribute: String) -> AttributeValue? {
        entity.index(of: attribute).map { values[$0] }
    }
}
