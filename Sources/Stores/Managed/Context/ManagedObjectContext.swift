/// A place to work with the objects of a store: what is changed here is seen by nobody else until it is saved.
///
/// In one context a row is one object. Changed objects are kept alive, others are as long as somebody has them.
/// A context and its objects belong to one isolation and are not `Sendable`: work in the background goes through
/// ``ConfinedContext``, and identities, rows and other values cross. Several contexts may work on one store:
/// what others save is merged in, and ``save()`` finds what was changed by both.
public final class ManagedObjectContext {
    /// The store and the model.
    public let container: PersistentContainer
    /// The context that changes are pushed to by ``save()``, and that objects are read from; `nil` where that is
    /// the store.
    public let parent: ManagedObjectContext?
    /// What ``save()`` does about attributes that were changed here and by others.
    public var mergePolicy = MergePolicy.error
    /// Whether what others have saved is merged in before each fetch.
    public var automaticallyMergesChanges = true
    /// How many faults are read at once where a fetch request does not say.
    public var faultBatchSize = 64
    /// The steps that can be taken back; `nil` keeps none.
    public var undoHistory: UndoHistory? {
        didSet {
            oldValue?.context = nil
            undoHistory?.context = self
            if undoHistory == nil { departed = [:] }
        }
    }

    let model: ModelPlan
    var registered: [RowKey: WeakObject] = [:]
    var inserted: [RowKey: ManagedObject] = [:]
    var updated: [RowKey: ManagedObject] = [:]
    var deleted: [RowKey: ManagedObject] = [:]
    /// What deletions that are not saved have brought along.
    var departures: [RowKey: Departure] = [:]
    /// Objects that went and can come back by undoing.
    var departed: [RowKey: ManagedObject] = [:]
    /// Which rows lead to which by changes that are not saved.
    var references: [ReferenceKey: MemberChanges] = [:]
    /// Pairs that are not saved: whether they came or went.
    var pairChanges: [PairKey: Bool] = [:]
    var pairSides: [PairSide: MemberChanges] = [:]
    /// Grows with every change of the store that this context has taken in.
    var generation = 0
    /// The steps of the change that is going on.
    var steps: [ContextChange] = []
    var recordingDepth = 0
    let inbox = ContextInbox()
    /// The contexts that have this one as their parent.
    var children: [WeakContext] = []
    /// The child that is pushing its changes.
    weak var pushing: ManagedObjectContext?
    private var observation: StoreObservation?
    /// How many times faults were read from the store.
    package var faultReads = 0
    /// How many times the members of a relationship were listed.
    package var memberLists = 0

    init(_ container: PersistentContainer) {
        self.container = container
        parent = nil
        model = container.plan
        observation = container.store.observe { [inbox] in inbox.receive($0) }
    }

    /// Makes a context whose store is another context: ``save()`` pushes its changes there, where they are not
    /// saved yet, and nothing is written.
    ///
    /// It sees its parent's objects with their changes, each as an object of its own, under the same identity; what
    /// changes in the parent is merged as ``mergeChanges()`` says, and is compared by ``save()`` as ``mergePolicy``
    /// says. What it pushes is one step of the parent's undo history. Dropping it, or ``rollback()``, leaves the
    /// parent as it was: the place for an editor with a cancel button. The identities of new objects stay temporary
    /// until the contexts above have saved too, and become permanent in all of them then.
    ///
    /// It belongs to its parent's isolation, and keeps it.
    public init(parent: ManagedObjectContext) {
        container = parent.container
        self.parent = parent
        model = parent.model
        parent.children.removeAll { $0.context == nil }
        parent.children.append(WeakContext(context: self))
    }

    deinit {
        observation?.cancel()
        undoHistory?.context = nil
    }

    // MARK: - What is not saved

    /// Whether there is anything to save.
    public var hasChanges: Bool {
        !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty || !pairChanges.isEmpty
    }

    /// The objects that will be added with the next save, in the order in which they were inserted.
    public var insertedObjects: [ManagedObject] { Self.ordered(inserted) }

    /// The objects whose values or references will be changed with the next save.
    public var updatedObjects: [ManagedObject] { Self.ordered(updated) }

    /// The objects that will be deleted with the next save.
    public var deletedObjects: [ManagedObject] { Self.ordered(deleted) }

    /// The objects that somebody has, or that are changed.
    public var registeredObjects: [ManagedObject] {
        Self.ordered(registered.compactMapValues(\.object))
    }

    private static func ordered(_ objects: [RowKey: ManagedObject]) -> [ManagedObject] {
        objects.values.sorted {
            $0.row.entity == $1.row.entity
                ? Self.isBefore($0.row.key, $1.row.key) : $0.row.entity < $1.row.entity
        }
    }

    /// Saved rows by their identity, then new ones in the order of their coming.
    static func isBefore(_ left: Int64, _ right: Int64) -> Bool {
        switch (left < 0, right < 0) {
        case (false, true): true
        case (true, false): false
        case (false, false): left < right
        case (true, true): left > right
        }
    }

    // MARK: - Objects

    /// Makes a new object with its attributes' default values.
    ///
    /// - Throws: ``StoreError`` `schema` for an unknown entity.
    @discardableResult
    public func insert(_ entityName: String) throws -> ManagedObject {
        let plan = try model.entity(entityName)
        let row = RowKey(entity: plan.number, key: container.makeTemporaryKey())
        return try recording {
            try carryOut(.insertion(row, plan.defaults))
            guard let object = inserted[row] else {
                throw StoreError(.failed, "a new object of \(MessageText.quoted(entityName)) was not kept")
            }
            object.awakeFromInsert()
            return object
        }
    }

    /// Makes a new object of a class that the model names.
    ///
    /// - Throws: ``StoreError`` `schema` where the model has the class for no entity, or for several.
    public func insert<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
        let object = try insert(try entityName(of: type))
        guard let typed = object as? Object else { throw wrongClass(type) }
        return typed
    }

    /// The name of the entity whose objects are of a class.
    func entityName(of type: ManagedObject.Type) throws -> String {
        let names = container.model.classes.filter { $0.value == type }.keys.sorted()
        guard names.count == 1 else { throw wrongClass(type) }
        return names[0]
    }

    func wrongClass(_ type: ManagedObject.Type) -> StoreError {
        StoreError(.schema, "the model does not have \(type) as the class of one entity")
    }

    /// The object of an identity, as a fault where it is not here yet: the store is not asked.
    ///
    /// - Returns: `nil` for an identity of another store or model, or of an object that was not saved and is
    ///   not here.
    public func object(with id: ManagedObjectID) -> ManagedObject? {
        guard let row = row(of: id) else { return nil }
        if let object = registered[row]?.object { return object }
        return isBelow(row) ? fault(row) : nil
    }

    /// The object of an identity if it is here; the store is not asked.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
        row(of: id).flatMap { registered[$0]?.object }
    }

    /// The object of an identity with its values read; `nil` where there is none.
    ///
    /// - Throws: ``StoreError`` where the store cannot be read.
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

    /// The objects of rows, as faults that are read together where they are not here yet.
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

    /// A new object for a row whose values are not read.
    func fault(_ row: RowKey) -> ManagedObject {
        let plan = model.entities[row.entity]
        let object = plan.type.init(ManagedObject.Origin(key: row, plan: plan, context: self))
        registered[row] = WeakObject(object: object)
        return object
    }

    /// Called by an object that goes.
    func forget(_ row: RowKey) {
        if let entry = registered[row], entry.object == nil { registered[row] = nil }
    }

    /// Lets go of an object: it belongs to no context from then on.
    func unregister(_ object: ManagedObject) {
        registered[object.row] = nil
        object.managedObjectContext = nil
        object.window = nil
    }
}

@available(*, unavailable)
extension ManagedObjectContext: Sendable {}
