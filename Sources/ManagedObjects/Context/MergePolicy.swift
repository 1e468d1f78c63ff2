public import Stores

/// A policy for conflicts between the changes of a save and the changes that others saved since the objects were read.
///
/// If one side deletes a row, references to it are cleared, under every policy but ``error``. Attributes that only one
/// side changed never conflict.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
    /// Saves nothing and throws ``MergeConflictError``.
    case error
    /// Prefers the store's values, attribute by attribute.
    ///
    /// A deleted row stays deleted, and the deletion of a changed row is reverted.
    case mergeByPropertyStoreTrump
    /// Prefers this context's values, attribute by attribute.
    ///
    /// A deleted row is inserted again, and a changed row is deleted.
    case mergeByPropertyObjectTrump
    /// Writes all values of this context's object, including the unchanged ones.
    case overwrite
    /// Discards all changes of an object in conflict.
    case rollback
}

/// A conflict: one attribute or object that this context and others have changed.
public struct MergeConflict: Sendable, Hashable {
    /// The kind of a conflict.
    public enum Kind: String, Sendable, Hashable {
        /// Both sides changed an attribute to different values.
        case bothChanged
        /// This context changed the object, and others deleted it.
        case deletedInStore
        /// This context deleted the object, and others changed it.
        case deletedHere
        /// This context made the object refer to an object that others deleted.
        case relatedDeletedInStore
        /// This context deleted an object, and others made the named object refer to it.
        case relatedDeletedHere
    }

    /// The identity of the object.
    public let objectID: ManagedObjectID
    /// The kind of the conflict.
    public let kind: Kind
    /// The attribute; `nil` if the whole object is in conflict.
    public let attribute: String?
    /// The value when it was read.
    public let original: AttributeValue
    /// The value in this context.
    public let ours: AttributeValue
    /// The value in the store.
    public let theirs: AttributeValue
}

extension MergeConflict: CustomStringConvertible {
    /// A sentence with the object, the attribute and the values.
    public var description: String {
        switch kind {
        case .deletedInStore: "\(objectID) was changed here and deleted in the store"
        case .deletedHere: "\(objectID) was deleted here and changed in the store"
        case .relatedDeletedInStore:
            "\(objectID).\(attribute ?? "") refers to \(ours.kindAndText) here, which was deleted in the store"
        case .relatedDeletedHere:
            "\(objectID).\(attribute ?? "") refers to \(theirs.kindAndText) in the store, which is deleted here"
        case .bothChanged:
            "\(objectID).\(attribute ?? "") was \(original.kindAndText), is \(ours.kindAndText) here and "
                + "\(theirs.kindAndText) in the store"
        }
    }
}

/// An error for a save that was refused because of conflicts.
public struct MergeConflictError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The conflicts.
    public let conflicts: [MergeConflict]

    /// The conflicts, one per line.
    public var description: String { conflicts.map(\.description).joined(separator: "\n") }
}

/// An error for objects with invalid values or relationships.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One invalid value or relationship.
    public struct Failure: Sendable, Hashable, CustomStringConvertible {
        /// The identity of the object.
        public let objectID: ManagedObjectID
        /// The name of the attribute or relationship.
        public let key: String
        /// The problem, as the end of a sentence.
        public let problem: String

        /// The object, the key and the problem.
        public var description: String { "\(objectID).\(key) \(problem)" }
    }

    /// The invalid values and relationships.
    public let failures: [Failure]

    /// The failures, one per line.
    public var description: String { failures.map(\.description).joined(separator: "\n") }
}

/// The result of a save.
public struct SavedObjects: Sendable, Hashable {
    /// The identities of the inserted objects.
    public internal(set) var inserted: [ManagedObjectID] = []
    /// The identities of the updated objects.
    public internal(set) var updated: [ManagedObjectID] = []
    /// The identities of the deleted objects.
    public internal(set) var deleted: [ManagedObjectID] = []
    /// The permanent identities of the inserted objects, by their temporary ones.
    public internal(set) var permanentIDs: [ManagedObjectID: ManagedObjectID] = [:]
    /// The conflicts that the merge policy resolved.
    public internal(set) var settledConflicts: [MergeConflict] = []
}
