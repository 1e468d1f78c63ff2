internal import Foundation

/// An object of a managed store: a row with its relationships, as one context sees it.
///
/// It belongs to its context's isolation. It begins as a fault: an identity whose values are read when they are
/// first asked for, a whole batch at a time with those that were fetched along with it. What is set is seen by
/// this context alone until ``ManagedObjectContext/save()``.
///
/// Subclasses add typed properties with ``Managed``, and are named in ``ManagedObjectModel/classes``.
open class ManagedObject {
    /// What an object is made from; only a context makes it.
    public struct Origin {
        let key: RowKey
        let plan: EntityPlan
        let context: ManagedObjectContext
    }

    /// The object's identity.
    ///
    /// A temporary one becomes permanent with the first save.
    public var objectID: ManagedObjectID {
        ManagedObjectID(storeIdentifier: storeIdentifier, entityName: plan.name, key: row.key)
    }

    /// The object's entity.
    public var entity: EntityDescription { plan.entity }

    /// The context that the object belongs to; `nil` once it is deleted, or the context was reset.
    public internal(set) weak var managedObjectContext: ManagedObjectContext?

    /// Whether it will be added to the store with the next save.
    public internal(set) var isInserted = false
    /// Whether it will be deleted from the store with the next save.
    public internal(set) var isDeleted = false

    let plan: EntityPlan
    var row: RowKey
    /// The values that the store had; `nil` for a fault.
    var committed: [AttributeValue]?
    /// The values that are not saved, by attribute.
    var changes: [Int: AttributeValue] = [:]
    /// The objects that are read along with this one.
    var window: FaultWindow?
    var windowIndex = 0
    /// What to-many relationships have in the store, by name, for one state of the context.
    var members: [String: (generation: Int, keys: [Int64])] = [:]
    /// Whether others have saved what was not taken in, because it is changed or deleted here.
    var isBehind = false
    private let storeIdentifier: UUID

    /// Makes an object for its context.
    public required init(_ origin: Origin) {
        row = origin.key
        plan = origin.plan
        managedObjectContext = origin.context
        storeIdentifier = origin.context.container.store.identifier
    }

    deinit { managedObjectContext?.forget(row) }

    /// Called after the object was made by ``ManagedObjectContext/insert(_:)``.
    ///
    /// The place to give it values that no default can have.
    open func awakeFromInsert() {}

    /// Called before the object is saved, for rules of its own.
    ///
    /// - Throws: Whatever says what is wrong; nothing is saved then.
    open func validateForSave() throws {}

    // MARK: - State

    /// Whether the values have not been read.
    public var isFault: Bool { committed == nil }

    /// Whether there is something to save: it is inserted or deleted, or a value or reference differs from the
    /// store's.
    public var hasChanges: Bool { isInserted || isDeleted || !changes.isEmpty }

    /// Whether values differ from the store's, and it is neither inserted nor deleted.
    public var isUpdated: Bool { !isInserted && !isDeleted && !changes.isEmpty }

    /// The values that are not saved, by attribute; a reference is the row's identity.
    public func changedValues() -> [String: AttributeValue] {
        Dictionary(uniqueKeysWithValues: changes.map { (entity.attributes[$0].name, $1) })
    }

    /// The values that the store had when they were last read, by attribute.
    ///
    /// - Throws: ``StoreError`` where they cannot be read.
    public func committedValues() throws -> [String: AttributeValue] {
        let values = try readCommitted()
        return Dictionary(uniqueKeysWithValues: zip(entity.attributes.map(\.name), values))
    }

    /// All values as they are in this context, as a row; its identity is negative before the first save.
    ///
    /// It is a value, and may go anywhere.
    ///
    /// - Throws: ``StoreError`` where they cannot be read.
    public func snapshot() throws -> Row {
        Row(id: row.key, values: try currentValues(), entity: entity)
    }

    // MARK: - Values

    /// The value of an attribute.
    ///
    /// - Throws: ``StoreError``: `schema` for an unknown name, `notFound` where the row is gone.
    public func value(forKey key: String) throws -> AttributeValue {
        let index = try plan.requiredPosition(of: key)
        if let changed = changes[index] { return changed }
        return try readCommitted()[index]
    }

    /// Sets the value of an attribute.
    ///
    /// A value that the attribute may not have when it is saved (none, or one that its validation refuses) is
    /// taken here and refused by ``ManagedObjectContext/save()``.
    ///
    /// - Throws: ``StoreError``: `schema` for an unknown name, `invalidValue` for a value of another type,
    ///   `invalidRequest` for a relationship, `notFound` where the object has no row or context any more.
    public func setValue(_ value: AttributeValue, forKey key: String) throws {
        let index = try plan.requiredPosition(of: key)
        guard plan.relationshipsByAttribute[index] == nil else {
            throw StoreError(
                .invalidRequest,
                "\(entity.place(index)) is a relationship: set it with setRelated(_:forKey:)"
            )
        }
        let kept = value.isNull ? value : try entity.checkedValue(value, at: index)
        try requireContext().set(kept, at: index, of: self)
    }

    /// The value of an attribute; `nil` for a name that the entity has not, and where the values cannot be
    /// read.
    ///
    /// Setting one that cannot be set is a programmer's error and stops the program; ``setValue(_:forKey:)``
    /// throws instead.
    public subscript(key: String) -> AttributeValue? {
        get { try? value(forKey: key) }
        set {
            do {
                try setValue(newValue ?? .null, forKey: key)
            } catch {
                preconditionFailure("a value of a managed object cannot be set: \(error)")
            }
        }
    }

    // MARK: - Reading

    func requireContext() throws -> ManagedObjectContext {
        if let managedObjectContext { return managedObjectContext }
        throw StoreError(.notFound, "\(objectID) belongs to no context any more")
    }

    /// The values of the store, read if they have not been.
    func readCommitted() throws -> [AttributeValue] {
        if let committed { return committed }
        return try requireContext().fire(self)
    }

    func currentValues() throws -> [AttributeValue] {
        var values = try readCommitted()
        for (index, value) in changes { values[index] = value }
        return values
    }

    func current(_ index: Int) throws -> AttributeValue {
        if let changed = changes[index] { return changed }
        return try readCommitted()[index]
    }
}

@available(*, unavailable)
extension ManagedObject: Sendable {}

extension ManagedObject: Hashable {
    /// Whether two are one object.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    /// Hashes the object's place in memory.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: CustomStringConvertible {
    /// The object's identity, and its values where they have been read.
    public var description: String {
        guard committed != nil, let values = try? currentValues() else { return "\(objectID) (fault)" }
        let parts = zip(entity.attributes, values).map { "\($0.name): \($1.kindAndText)" }
        return "\(objectID) {\(parts.joined(separator: ", "))}"
    }
}
