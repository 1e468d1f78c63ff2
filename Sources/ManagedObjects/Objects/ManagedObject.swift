internal import Foundation
public import Stores

/// An object of a managed store: a row with its relationships, as one context sees it.
///
/// It belongs to its context's isolation. It starts as a fault: an identity whose values are read on first access, in
/// one batch with other objects of the same fetch. Changes are visible only in this context until
/// ``ManagedObjectContext/save()``.
///
/// Subclasses add typed properties with ``Managed``, and are registered in ``ManagedObjectModel/classes``.
open class ManagedObject {
    /// The data that an object is created from; only contexts create it.
    public struct Origin {
        let key: RowKey
        let plan: EntityPlan
        let context: ManagedObjectContext
    }

    /// The object's identity.
    ///
    /// The first save replaces a temporary identity with a permanent one.
    public var objectID: ManagedObjectID {
        ManagedObjectID(storeIdentifier: storeIdentifier, entityName: plan.name, key: row.key)
    }

    /// The object's entity.
    public var entity: EntityDescription { plan.entity }

    /// The context that the object belongs to; `nil` after the object was deleted or the context was reset.
    public internal(set) weak var managedObjectContext: ManagedObjectContext?

    /// A Boolean value that indicates whether the next save will insert the object into the store.
    public internal(set) var isInserted = false
    /// A Boolean value that indicates whether the next save will delete the object from the store.
    public internal(set) var isDeleted = false

    let plan: EntityPlan
    var row: RowKey
    /// The values in the store when they were read; `nil` for a fault.
    var committed: [AttributeValue]?
    /// The unsaved values, by attribute.
    var changes: [Int: AttributeValue] = [:]
    /// The objects that are read together with this one.
    var window: FaultWindow?
    var windowIndex = 0
    /// The saved members of to-many relationships by name, for one generation of the context.
    var members: [String: (generation: Int, keys: [Int64])] = [:]
    /// A Boolean value that indicates whether others saved changes that were not merged because the object is changed
    /// or deleted here.
    var isBehind = false
    private let storeIdentifier: UUID

    /// Creates an object for its context.
    public required init(_ origin: Origin) {
        row = origin.key
        plan = origin.plan
        managedObjectContext = origin.context
        storeIdentifier = origin.context.container.store.identifier
    }

    deinit { managedObjectContext?.forget(row) }

    /// Initializes an object after `ManagedObjectContext.insert(_:)` has created it.
    ///
    /// Override it to set values that cannot be default values.
    open func awakeFromInsert() {}

    /// Validates the object before it is saved.
    ///
    /// Override it for custom rules.
    ///
    /// - Throws: Any error that describes the problem; nothing is saved then.
    open func validateForSave() throws {}

    // MARK: - State

    /// A Boolean value that indicates whether the values have not been read yet.
    public var isFault: Bool { committed == nil }

    /// A Boolean value that indicates whether the object has unsaved changes: it is inserted or deleted, or its values
    /// or references differ from the store's.
    public var hasChanges: Bool { isInserted || isDeleted || !changes.isEmpty }

    /// A Boolean value that indicates whether values differ from the store's and the object is neither inserted nor
    /// deleted.
    public var isUpdated: Bool { !isInserted && !isDeleted && !changes.isEmpty }

    /// Returns the unsaved values by attribute; a reference is the row's identity.
    public func changedValues() -> [String: AttributeValue] {
        Dictionary(uniqueKeysWithValues: changes.map { (entity.attributes[$0].name, $1) })
    }

    /// Returns the values by attribute that the store had when they were last read.
    ///
    /// - Throws: ``StoreError`` if the values cannot be read.
    public func committedValues() throws -> [String: AttributeValue] {
        let values = try readCommitted()
        return Dictionary(uniqueKeysWithValues: zip(entity.attributes.map(\.name), values))
    }

    /// Returns all current values in this context as a row; its identity is negative before the first save.
    ///
    /// The row is `Sendable`.
    ///
    /// - Throws: ``StoreError`` if the values cannot be read.
    public func snapshot() throws -> Row {
        Row(id: row.key, values: try currentValues(), entity: entity)
    }

    // MARK: - Values

    /// Returns the value of an attribute.
    ///
    /// - Throws: ``StoreError``: `schema` for an unknown name, `notFound` if the row was deleted.
    public func value(forKey key: String) throws -> AttributeValue {
        let index = try plan.requiredPosition(of: key)
        if let changed = changes[index] { return changed }
        return try readCommitted()[index]
    }

    /// Sets the value of an attribute.
    ///
    /// Null and values that violate the attribute's validation are accepted here; ``ManagedObjectContext/save()``
    /// refuses them.
    ///
    /// - Throws: ``StoreError``: `schema` for an unknown name, `invalidValue` for a value of another type,
    ///   `invalidRequest` for a relationship, `notFound` if the object no longer has a row or context.
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

    /// The value of an attribute; `nil` for an unknown name, or if the values cannot be read.
    ///
    /// Setting an invalid value is a programming error and traps; ``setValue(_:forKey:)`` throws instead.
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
        throw StoreError(.notFound, "\(objectID) no longer belongs to a context")
    }

    /// Returns the values in the store, and reads them if necessary.
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
    /// Returns whether two references are the same object.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    /// Hashes the object's address.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: CustomStringConvertible {
    /// The object's identity, and its values if they have been read.
    public var description: String {
        guard committed != nil, let values = try? currentValues() else { return "\(objectID) (fault)" }
        let parts = zip(entity.attributes, values).map { "\($0.name): \($1.kindAndText)" }
        return "\(objectID) {\(parts.joined(separator: ", "))}"
    }
}
