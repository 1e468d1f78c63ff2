internal import Stores

/// An editing context for the objects of a store.
///
/// Its changes are private until they are saved.
///
/// Each row has at most one object per context. The context retains changed objects; it references other objects
/// weakly. A context and its objects belong to one isolation and are not `Sendable`. Use ``ConfinedContext`` for work
/// in the background, and pass identities, rows and other values between contexts. Several contexts may use one store:
/// changes saved by others are merged, and ``save()`` detects what both sides changed.
public final class ManagedObjectContext {
    /// The container with the store and the model.
    public let container: PersistentContainer
    /// The context that ``save()`` pushes changes to and that objects are read from; `nil` if that is the store.
    public let parent: ManagedObjectContext?
    /// The resolution of conflicts by ``save()``, when both this context and others changed the same data.
    public var mergePolicy = MergePolicy.error
    /// A Boolean value that indicates whether each fetch first merges the changes that others have saved.
    public var automaticallyMergesChanges = true
    /// The number of faults to read in one batch if the fetch request does not specify it.
    public var faultBatchSize = 64
    /// The history of undoable changes; `nil` records no history.
    public var undoHistory: UndoHistory? {
        get { recorder.history }
        set {
            let oldValue = recorder.history
            recorder.history = newValue
            oldValue?.context = nil
            newValue?.context = self
            if newValue == nil { deletions.forgetRemovedObjects() }
        }
    }

    let model: ModelPlan
    var registered: [RowKey: WeakObject] = [:]
    var changed = ChangedObjects()
    var links = LinkChanges()
    var deletions = DeletionRecords()
    var recorder = ChangeRecorder()
    var merges = MergeState()
    /// The contexts that have this context as their parent.
    var children = ChildContexts()
    /// The number of reads that fired faults.
    package var faultReads = 0
    /// The number of times that the members of a relationship were listed.
    package var memberLists = 0

    init(_ container: PersistentContainer) {
        self.container = container
        parent = nil
        model = container.plan
        merges.observe(container.store)
    }

    /// Creates a child context.
    ///
    /// ``save()`` pushes its changes to the parent, where they stay unsaved until the parent saves.
    ///
    /// The child sees its parent's objects, including their unsaved changes, as separate objects with the same
    /// identities. Changes in the parent are merged by ``mergeChanges()``, and ``save()`` resolves conflicts according
    /// to ``mergePolicy``. A save is one step of the parent's undo history. Releasing the child, or ``rollback()``,
    /// leaves the parent unchanged, which suits an editor with a cancel button. New objects keep temporary identities
    /// until all contexts above have saved; then the identities become permanent in all of them.
    ///
    /// The child belongs to its parent's isolation, and retains the parent.
    public init(parent: ManagedObjectContext) {
        container = parent.container
        self.parent = parent
        model = parent.model
        parent.children.add(self)
    }

    deinit {
        merges.stopObserving()
        recorder.history?.context = nil
    }

    // MARK: - Unsaved changes

    /// A Boolean value that indicates whether the context has unsaved changes.
    public var hasChanges: Bool {
        !changed.isEmpty || !links.pairs.isEmpty
    }

    /// The objects that the next save will insert, in the order of their insertion.
    public var insertedObjects: [ManagedObject] { Self.ordered(inserted) }

    /// The objects whose values or references the next save will update.
    public var updatedObjects: [ManagedObject] { Self.ordered(updated) }

    /// The objects that the next save will delete.
    public var deletedObjects: [ManagedObject] { Self.ordered(deleted) }

    /// The objects in memory: the changed ones, and all that are referenced from outside the context.
    public var registeredObjects: [ManagedObject] {
        Self.ordered(registered.compactMapValues(\.object))
    }

    var inbox: ContextInbox { merges.inbox }
    /// A counter that increases with every change of the store that this context has merged.
    var generation: Int { merges.generation }
    var inserted: [RowKey: ManagedObject] { changed.inserted }
    var updated: [RowKey: ManagedObject] { changed.updated }
    var deleted: [RowKey: ManagedObject] { changed.deleted }

    private static func ordered(_ objects: [RowKey: ManagedObject]) -> [ManagedObject] {
        objects.values.sorted {
            $0.row.entity == $1.row.entity
                ? Self.isBefore($0.row.key, $1.row.key) : $0.row.entity < $1.row.entity
        }
    }

    /// Returns whether a key precedes another: saved rows by identity, then new rows in the order of their insertion.
    static func isBefore(_ left: Int64, _ right: Int64) -> Bool {
        switch (left < 0, right < 0) {
        case (false, true): true
        case (true, false): false
        case (false, false): left < right
        case (true, true): left > right
        }
    }

    // MARK: - Objects

    /// Creates an object with its attributes' default values.
    ///
    /// - Throws: ``StoreError`` `schema` for an unknown entity.
    @discardableResult
    public func insert(_ entityName: String) throws -> ManagedObject {
        let plan = try model.entity(entityName)
        let row = RowKey(entity: plan.number, key: container.makeTemporaryKey())
        return try recording {
            try carryOut(.insertion(row, plan.defaults))
            guard let object = inserted[row] else {
                throw StoreError(
                    .failed,
                    "a new object of \(MessageText.quoted(entityName)) was not inserted"
                )
            }
            object.awakeFromInsert()
            return object
        }
    }

    /// Creates an object of a class that the model assigns to an entity.
    ///
    /// - Throws: ``StoreError`` `schema` if the model assigns the class to no entity, or to several.
    public func insert<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
        let object = try insert(try entityName(of: type))
        guard let typed = object as? Object else { throw wrongClass(type) }
        return typed
    }

    /// Returns the name of the entity that a class is assigned to.
    func entityName(of type: ManagedObject.Type) throws -> String {
        let names = container.model.classes.filter { $0.value == type }.keys.sorted()
        guard names.count == 1 else { throw wrongClass(type) }
        return names[0]
    }

    func wrongClass(_ type: ManagedObject.Type) -> StoreError {
        StoreError(.schema, "the model must assign the class \(type) to exactly one entity")
    }

    /// Returns the object with an identity without reading the store; an object that is not registered yet becomes a
    /// fault.
    ///
    /// - Returns: `nil` for an identity of another store or model, and for an unsaved object that this context does not
    ///   contain.
    public func object(with id: ManagedObjectID) -> ManagedObject? {
        guard let row = row(of: id) else { return nil }
        if let object = registered[row]?.object { return object }
        return existsInParent(row) ? fault(row) : nil
    }

    /// Returns the object with an identity if it is registered, without reading the store.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
        row(of: id).flatMap { registered[$0]?.object }
    }

    /// Returns the object with an identity and reads its values; returns `nil` if it does not exist.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read.
    public func existingObject(with id: ManagedObjectID) throws -> ManagedObject? {
        guard let object = object(with: id), !object.isDeleted else { return nil }
        do {
            _ = try object.readCommitted()
            return object
        } catch let error as StoreError where error.code == .notFound {
            return nil
        }
    }

    private func row(of id: ManagedObjectID) -> RowKey? {
        guard id.storeIdentifier == container.store.identifier,
            let plan = model.entityIfAny(id.entityName),
            plan.name.utf8.elementsEqual(id.entityName.utf8)
        else { return nil }
        return RowKey(entity: plan.number, key: id.key)
    }

    /// Returns the objects for rows; those that are not registered yet become faults of one window.
    func objects(_ entity: Int, _ keys: [Int64], batchSize: Int? = nil) -> [ManagedObject] {
        let window = FaultWindow(keys, batchSize: max(1, batchSize ?? faultBatchSize))
        return keys.enumerated().map { index, key in
            let row = RowKey(entity: entity, key: key)
            if let object = registered[row]?.object { return object }
            let object = fault(row)
            (object.window, object.windowIndex) = (window, index)
            return object
        }
    }

    /// Creates and registers a fault for a row.
    func fault(_ row: RowKey) -> ManagedObject {
        let plan = model.entities[row.entity]
        let object = plan.type.init(ManagedObject.Origin(key: row, plan: plan, context: self))
        registered[row] = WeakObject(object: object)
        return object
    }

    /// Removes the entry of an object; called when the object is deinitialized.
    func forget(_ row: RowKey) {
        if let entry = registered[row], entry.object == nil { registered[row] = nil }
    }

    /// Removes an object from the context; it no longer belongs to a context.
    func unregister(_ object: ManagedObject) {
        registered[object.row] = nil
        object.managedObjectContext = nil
        object.window = nil
    }
}

@available(*, unavailable)
extension ManagedObjectContext: Sendable {}
