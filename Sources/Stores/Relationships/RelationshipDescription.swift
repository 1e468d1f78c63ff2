/// A relationship from the rows of one entity to rows of another entity, or of the same one.
///
/// A to-one relationship is stored in an integer attribute of its name. A to-many relationship with a to-one inverse is
/// stored in that inverse; any other is stored in an entity of pairs.
public struct RelationshipDescription: Sendable, Hashable, Codable {
    /// The treatment of related rows when a row is deleted.
    public enum DeleteRule: String, Sendable, Hashable, CaseIterable, Codable {
        /// Leaves the related rows unchanged, so their references to the deleted row have no target.
        case noAction
        /// Clears the references of the related rows to the deleted row.
        case nullify
        /// Deletes the related rows as well.
        case cascade
        /// Prevents the deletion while there are related rows.
        case deny
    }

    /// The relationship's name.
    public var name: String
    /// The related entity.
    public var destination: String
    /// The inverse relationship, if there is one.
    public var inverse: String?
    /// A Boolean value that indicates whether it refers to any number of rows instead of at most one.
    public var isToMany: Bool
    /// A Boolean value that indicates whether it may have no related row.
    public var isOptional: Bool
    /// The treatment of related rows when the row is deleted.
    public var deleteRule: DeleteRule
    /// The relationship's name in an earlier version of the model.
    public var renamingIdentifier: String?

    /// Creates a relationship to at most one row.
    public static func toOne(
        _ name: String,
        _ destination: String,
        inverse: String? = nil,
        isOptional: Bool = true,
        deleteRule: DeleteRule = .nullify,
        renamingIdentifier: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name,
            destination: destination,
            inverse: inverse,
            isToMany: false,
            isOptional: isOptional,
            deleteRule: deleteRule,
            renamingIdentifier: renamingIdentifier
        )
    }

    /// Creates a relationship to any number of rows.
    public static func toMany(
        _ name: String,
        _ destination: String,
        inverse: String? = nil,
        isOptional: Bool = true,
        deleteRule: DeleteRule = .nullify,
        renamingIdentifier: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name,
            destination: destination,
            inverse: inverse,
            isToMany: true,
            isOptional: isOptional,
            deleteRule: deleteRule,
            renamingIdentifier: renamingIdentifier
        )
    }
}
