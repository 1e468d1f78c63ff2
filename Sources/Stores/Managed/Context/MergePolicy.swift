/// What a save does about what was changed here and, since it was read, by others.
///
/// What leads to a row that one side deletes leads nowhere afterwards, under every policy but ``error``.
/// Attributes that only one side changed are never in conflict.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
    /// It saves nothing and throws ``MergeConflictError``.
    case error
    /// What the store has wins, attribute by attribute; a row that was deleted stays deleted, and a deletion of
    /// a row that was changed is dropped.
    case mergeByPropertyStoreTrump
    /// What this context has wins, attribute by attribute; a row that was deleted comes back, and a row that was
    /// changed is deleted.
    case mergeByPropertyObjectTrump
    /// All values of this context's object win, also those that it did not change.
    case overwrite
    /// An object in conflict loses all its changes.
    case rollback
}

/// One attribute, or one object, that was changed here and by others.
public struct MergeConflict: Sendable, Hashable {
    /// What happened to an object on each side.
    public enum Kind: String, Sendable, Hashable {
        /// Both sides changed one attribute to different values.
        case bothChanged
        /// It was changed here and deleted there.
        case deletedInStore
        /// It was deleted here and changed there.
        case deletedHere
        /// It was made to lead here to an object that was deleted there.
        case relatedDeletedInStore
        /// It was deleted here, and there another object, the one that is named, was made to lead to it.
        case relatedDeletedHere
    }

    /// The object.
    public let objectID: ManagedObjectID
    /// What happened.
    public let kind: Kind
    /// The attribute; `nil` where the whole object is in conflict.
    public let attribute: String?
    /// What it was when it was read.
    public let original: AttributeValue
    /// What this context has.
    public let ours: AttributeValue
    /// What the store has.
    public let theirs: AttributeValue
}

extension MergeConflict: CustomStringConvertible {
    /// The object, the attribute and the values, in a sentence.
    public var description: String {
        switch kind {
        case .deletedInStore: "\(objectID) was changed here and deleted by others"
        case .deletedHere: "\(objectID) was deleted here and changed by others"
        case .relatedDeletedInStore:
            "\(objectID).\(attribute ?? "") leads to \(ours.kindAndText) here, which others have deleted"
        case .relatedDeletedHere:
            "\(objectID).\(attribute ?? "") was made by others to lead to \(theirs.kindAndText), which is deleted here"
        case .bothChanged:
            "\(objectID).\(attribute ?? "") was \(original.kindAndText), is \(ours.kindAndText) here and "
                + "\(theirs.kindAndText) in the store"
        }
    }
}

/// Why a save was refused: what was changed here and by others.
public struct MergeConflictError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The conflicts.
    public let conflicts: [MergeConflict]

    /// The conflicts, one a line.
    public var description: String { conflicts.map(\.description).joined(separator: "\n") }
}

/// Why objects cannot be saved: what is wrong with their values and relationships.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One thing that is wrong.
    public struct Failure: Sendable, Hashable, CustomStringConvertible {
        /// The object.
        public let objectID: ManagedObjectID
        /// The attribute or relationship.
        public let key: String
        /// What is wrong with it, as the end of a sentence.
        public let problem: String

        /// The object, the key and what is wrong.
        public var description: String { "\(objectID).\(key) \(problem)" }
    }

    /// What is wrong.
    public let failures: [Failure]

    /// What is wrong, one thing a line.
    public var description: String { failures.map(\.description).joined(separator: "\n") }
}

/// What a save did.
public struct SavedObjects: Sendable, Hashable {
    /// The identities of the objects that were added.
    public internal(set) var inserted: [ManagedObjectID] = []
    /// The identities of the objects that were changed.
    public internal(set) var updated: [ManagedObjectID] = []
    /// The identities of the objects that were deleted.
    public internal(set) var deleted: [ManagedObjectID] = []
    /// The identity that each added object had before.
    public internal(set) var permanentIDs: [ManagedObjectID: ManagedObjectID] = [:]
    /// The conflicts that the merge policy has settled.
    public internal(set) var settledConflicts: [MergeConflict] = []
}
