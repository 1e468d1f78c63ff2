/// A way from the rows of one entity to rows of another, or of the same.
///
/// A to-one relationship is kept in an integer attribute of its name. A to-many relationship whose inverse is
/// to-one is kept there; any other in an entity of pairs, see ``RelationshipLink``.
public struct RelationshipDescription: Sendable, Hashable, Codable {
    /// What happens to the rows that a relationship leads to when its own row is deleted.
    public enum DeleteRule: String, Sendable, Hashable, CaseIterable, Codable {
        /// Nothing: what leads back leads nowhere from then on.
        case noAction
        /// They lose their way back.
        case nullify
        /// They are deleted as well.
        case cascade
        /// The row cannot be deleted as long as there are any.
        case deny
    }

    /// The relationship's name.
    public var name: String
    /// The entity that it leads to.
    public var destination: String
    /// The relationship that leads back, if there is one.
    public var inverse: String?
    /// Whether it leads to any number of rows instead of one at the most.
    public var isToMany: Bool
    /// Whether it may lead nowhere.
    public var isOptional: Bool
    /// What happens to the rows that it leads to when its own row is deleted.
    public var deleteRule: DeleteRule
    /// The relationship's name in an earlier version of the model.
    public var renamingIdentifier: String?

    /// Makes a relationship to one row at the most.
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

    /// Makes a relationship to any number of rows.
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
