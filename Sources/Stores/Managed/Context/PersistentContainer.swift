public import Foundation
internal import Synchronization

/// A store together with its model: what contexts are made from.
///
/// ```swift
/// let container = try PersistentContainer(model: model, store: SQLiteStore(path: "library.db"))
/// let context = container.newContext()
/// let author = try context.insert("author")
/// author["name"] = .string("Lem")
/// try context.save()
/// ```
public final class PersistentContainer: Sendable {
    /// What is done with a store whose model is older.
    public enum MigrationPolicy: Sendable, Hashable {
        /// It is brought to the new model if the steps can be inferred.
        case inferred
        /// It is refused.
        case none
    }

    /// The model.
    public let model: ManagedObjectModel
    /// The store.
    public let store: any ModelStore

    let plan: ModelPlan
    private let lastTemporaryKey = Mutex<Int64>(0)

    /// Opens a store with a model; brings it to the model where it has none or an older one.
    ///
    /// - Throws: ``StoreError``: `newerModel` where the store has a newer model, `migrationFailed` where the
    ///   steps from its model cannot be inferred or carried out, `schema` where it has another model of the
    ///   same version. The store is as it was then.
    public init(
        model: ManagedObjectModel,
        store: any ModelStore,
        migrationPolicy: MigrationPolicy = .inferred
    ) throws {
        self.model = model
        self.store = store
        plan = try ModelPlan(model)
        try Self.bring(store, to: model, migrationPolicy)
    }

    /// Makes a context for the isolation that asks, or that it is sent to.
    public func newContext() -> sending ManagedObjectContext { ManagedObjectContext(self) }

    /// Makes a context that works away from the caller, one piece of work at a time.
    public func newBackgroundContext() -> ConfinedContext { ConfinedContext(self) }

    /// Runs a body with a context of its own, away from the caller.
    ///
    /// - Throws: What the body throws, or `CancellationError` where the task was cancelled before it began.
    public func performBackgroundTask<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await newBackgroundContext().perform(body)
    }

    /// Reads the identity of a saved object from its text.
    ///
    /// - Returns: `nil` for text that is no identity, or one of another store, an entity that the model has
    ///   not, or an object that was never saved.
    public func managedObjectID(forURI uri: String) -> ManagedObjectID? {
        guard let id = ManagedObjectID(uri: uri), id.storeIdentifier == store.identifier, !id.isTemporaryID,
            let entity = model.entitiesByName[id.entityName],
            entity.name.utf8.elementsEqual(id.entityName.utf8)
        else { return nil }
        return id
    }

    /// Reads the identity of a saved object from its URL.
    public func managedObjectID(forURIRepresentation url: URL) -> ManagedObjectID? {
        managedObjectID(forURI: url.absoluteString)
    }

    /// A number that no object of this container has had.
    func makeTemporaryKey() -> Int64 {
        lastTemporaryKey.withLock { key in
            key -= 1
            return key
        }
    }

    private static func bring(
        _ store: any ModelStore,
        to model: ManagedObjectModel,
        _ policy: MigrationPolicy
    ) throws {
        let wanted = StoredModel(version: model.version, entities: model.storedEntities)
        let found = try store.storedModel()
        if let found {
            guard found.version <= model.version else {
                throw StoreError(
                    .newerModel,
                    "the store has model version \(found.version), this program knows up to \(model.version)"
                )
            }
            guard found != wanted else {
                // Another process may have brought it there after this one opened it.
                let entities = store.entities
                let isKnown = wanted.entities.allSatisfy { entities[$0.key] == $0.value }
                if !isKnown { try store.migrate(to: wanted, by: []) }
                return
            }
            guard found.version < model.version else {
                let names = Set(found.entities.keys).union(wanted.entities.keys).sorted()
                let name = names.first { found.entities[$0] != wanted.entities[$0] } ?? ""
                throw StoreError(
                    .schema,
                    "the store has another model of version \(model.version): they differ in entity "
                        + "\(MessageText.quoted(name)); give a changed model a larger version"
                )
            }
            guard policy == .inferred else {
                throw StoreError(
                    .migrationFailed,
                    "the store has model version \(found.version) and may not be brought to \(model.version)"
                )
            }
        }
        let old = found ?? StoredModel(version: 0, entities: store.entities)
        let steps = try MigrationInference(from: old, to: wanted, keepsOthers: found == nil).steps()
        try store.migrate(to: wanted, by: steps)
    }
}
