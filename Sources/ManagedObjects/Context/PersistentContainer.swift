public import Foundation
public import Stores
internal import Synchronization

/// A store with its model, from which contexts are created.
///
/// ```swift
/// let container = try PersistentContainer(model: model, store: SQLiteStore(location: .file("library.db")))
/// let context = container.newContext()
/// let author = try context.insert("author")
/// author["name"] = .string("Lem")
/// try context.save()
/// ```
public final class PersistentContainer: Sendable {
    /// The treatment of a store with an older model.
    public enum MigrationPolicy: Sendable, Hashable {
        /// Migrates the store if the steps can be inferred.
        case inferred
        /// Refuses the store.
        case none
    }

    /// The model.
    public let model: ManagedObjectModel
    /// The store.
    public let store: any ModelStore

    let plan: ModelPlan
    private let lastTemporaryKey = Mutex<Int64>(0)

    /// Opens a store with a model.
    ///
    /// A store without a model, or with an older one, is migrated.
    ///
    /// - Throws: ``StoreError``: `newerModel` if the store has a newer model, `migrationFailed` if the migration cannot
    ///   be inferred or fails, `schema` if the store has another model of the same version. The store is unchanged
    ///   after an error.
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

    /// Creates a context for the caller's isolation, or for the one it is sent to.
    public func newContext() -> sending ManagedObjectContext { ManagedObjectContext(self) }

    /// Creates a context that runs one body at a time, away from the caller.
    public func newBackgroundContext() -> ConfinedContext { ConfinedContext(self) }

    /// Runs a body asynchronously with a new context.
    ///
    /// - Throws: The body's error, or `CancellationError` if the task was already cancelled.
    public func performBackgroundTask<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await newBackgroundContext().perform(body)
    }

    /// Parses the identity of a saved object.
    ///
    /// - Returns: `nil` if the string is not an identity of this store, its entity is not in the model, or the object
    ///   was never saved.
    public func managedObjectID(forURI uri: String) -> ManagedObjectID? {
        guard let id = ManagedObjectID(uri: uri), id.storeIdentifier == store.identifier, !id.isTemporaryID,
            let entity = model.entitiesByName[id.entityName],
            entity.name.utf8.elementsEqual(id.entityName.utf8)
        else { return nil }
        return id
    }

    /// Parses the identity of a saved object from a URL.
    public func managedObjectID(forURIRepresentation url: URL) -> ManagedObjectID? {
        managedObjectID(forURI: url.absoluteString)
    }

    /// Returns a temporary key that no object of this container has had.
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
                    "the store has model version \(found.version); the newest supported one is \(model.version)"
                )
            }
            guard found != wanted else {
                // Another process may have migrated the store after this one opened it.
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
                    "the store has model version \(found.version), and migration to \(model.version) is not enabled"
                )
            }
        }
        let old = found ?? StoredModel(version: 0, entities: store.entities)
        let steps = try MigrationInference(from: old, to: wanted, keepsOthers: found == nil).steps()
        try store.migrate(to: wanted, by: steps)
    }
}
