public import Foundation

/// A database of entities whose committed changes can be observed row by row.
///
/// A store may be used from any thread. Transactions are synchronous and run on the calling thread. Writes are
/// serialized. A read sees the last commit, never a part of one.
public protocol Store: AnyObject, Sendable {
    /// The identity of the store, created when it was first opened and saved with its data.
    var identifier: UUID { get }

    /// The entities, by name.
    var entities: [String: EntityDescription] { get }

    /// Creates an entity; does nothing if an equal entity exists.
    ///
    /// Inside a write on the same thread, it is part of that transaction.
    ///
    /// - Throws: ``StoreError`` if a different entity of that name exists.
    func createEntity(_ entity: EntityDescription) throws

    /// Runs a body that sees one committed state of the store.
    ///
    /// A nested read on the same thread sees the same state. Inside a write on the same thread, a read sees the changes
    /// of that write so far.
    func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result

    /// Runs a body that may change the store, and commits its changes.
    ///
    /// If the body throws, all its changes are rolled back.
    ///
    /// Observers are notified before this returns. A nested write on the same thread is a savepoint: if it throws, only
    /// its own changes are rolled back. A write inside an observer is committed immediately and delivered after the
    /// current delivery, so observers are never reentered. A write inside a read on the same thread is refused, because
    /// its body could not see the state that it changes.
    @discardableResult
    func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result

    /// Calls a closure after every commit that changed rows, in the order of commits, on the committing thread.
    ///
    /// The closure is called for commits after this call. It may read and write the store. It must not wait for another
    /// thread's write, because that write waits for its own delivery.
    ///
    /// - Returns: A token; observation ends when it is cancelled or released.
    func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation

    /// The folder for data that can be derived from the store; `nil` if the store has none.
    ///
    /// The folder may not exist yet.
    var cacheFolder: URL? { get }

    /// Returns the stamp of the current content, and assigns one if it has none.
    ///
    /// A stamp is a number that is saved with the store; the next change of any row removes it.
    ///
    /// - Returns: The stamp; `nil` if the store cannot save one, or inside a transaction.
    func stampContent() throws -> Int64?
}

extension Store {
    /// `nil`, for a store without files.
    public var cacheFolder: URL? { nil }

    /// Returns `nil`, for a store without stamps.
    public func stampContent() throws -> Int64? { nil }
}

/// A transaction that reads a store.
///
/// It must not be used after its body has returned.
public protocol ReadTransaction {
    /// The number of commits with changed rows up to this state, within this process.
    var version: Int { get }

    /// Returns the rows of a request, in its order.
    func fetch(_ request: FetchRequest) throws -> [Row]

    /// Returns the number of a request's rows.
    func count(_ request: FetchRequest) throws -> Int

    /// Returns the rows with given identities, in that order; `nil` for a row that does not exist.
    func rows(of entityName: String, ids: [RowID]) throws -> [Row?]

    /// Iterates over a request in its order without reading whole rows.
    ///
    /// - Parameters:
    ///   - request: The request, including its offset and limit.
    ///   - attributes: The attributes to read, or key paths to attributes over to-one relationships.
    ///   - body: A closure that receives each row's identity and the values, in order. The values stay valid after the
    ///     call. The closure may read the store, but must not change it.
    /// - Throws: ``StoreError``, or the error of the body.
    func scan(
        _ request: FetchRequest,
        attributes: [String],
        _ body: (RowID, [AttributeValue]) throws -> Void
    ) throws

    /// Returns the stamp of this state (see ``Store/stampContent()``), or `nil` if it has none.
    ///
    /// Two states with the same stamp have the same rows, even in different processes.
    func contentStamp() throws -> Int64?
}

extension ReadTransaction {
    /// Returns `nil`, for a store without stamps.
    public func contentStamp() throws -> Int64? { nil }
}

/// A transaction that reads and writes a store.
///
/// It must not be used after its body has returned.
public protocol WriteTransaction: ReadTransaction {
    /// Inserts a row.
    ///
    /// Attributes that are not named are null.
    ///
    /// - Returns: The new row's identity.
    @discardableResult
    func insert(into entityName: String, _ values: [String: AttributeValue]) throws -> RowID

    /// Inserts a row with a given identity, such as that of a deleted row.
    ///
    /// - Throws: ``StoreError`` `notUnique` if the identity exists; `invalidRequest` if it is not positive, or if the
    ///   store does not support this.
    func insert(into entityName: String, id: RowID, _ values: [String: AttributeValue]) throws

    /// Updates the named attributes of a row.
    ///
    /// - Returns: Whether the row exists.
    @discardableResult
    func update(_ entityName: String, id: RowID, _ values: [String: AttributeValue]) throws -> Bool

    /// Deletes a row.
    ///
    /// - Returns: Whether the row existed.
    @discardableResult
    func delete(from entityName: String, id: RowID) throws -> Bool

    /// Updates the row that has the same value of a unique attribute, or inserts one.
    ///
    /// - Returns: The row's identity.
    @discardableResult
    func upsert(
        into entityName: String,
        by uniqueAttribute: String,
        _ values: [String: AttributeValue]
    ) throws -> RowID

    /// Creates a loader for many rows whose values are given by position instead of by name.
    ///
    /// - Parameters:
    ///   - entityName: The name of the entity.
    ///   - attributes: The attributes, in the order of each row's values.
    ///   - key: A unique attribute among them that identifies rows to update; `nil` always inserts.
    /// - Returns: The loader, which is valid until the transaction's body returns.
    /// - Throws: ``StoreError`` for a name that is not an attribute of the entity, or a key that is not unique.
    func makeLoader(for entityName: String, attributes: [String], key: String?) throws -> any RowLoader

    /// Runs a body as a savepoint: if it throws, only its own changes are rolled back.
    func savepoint<Result>(_ body: () throws -> Result) throws -> Result
}

extension WriteTransaction {
    /// Throws, for a store that assigns every identity itself.
    public func insert(into entityName: String, id: RowID, _ values: [String: AttributeValue]) throws {
        throw StoreError(.invalidRequest, "this store cannot add a row with a given identity")
    }
}

/// A token that ends an observation when it is cancelled or released.
public final class StoreObservation: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a token; called by implementations of ``Store``.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Ends the observation.
    ///
    /// Further calls have no effect.
    public func cancel() { onCancel() }

    deinit { onCancel() }
}

extension WriteTransaction {
    /// Updates the named attributes of a row.
    ///
    /// - Parameters:
    ///   - row: A snapshot of the row.
    ///   - values: The new values.
    /// - Returns: Whether the row exists.
    /// - Throws: ``StoreError``, as ``update(_:id:_:)``.
    @discardableResult
    public func update(_ row: Row, _ values: [String: AttributeValue]) throws -> Bool {
        try update(row.entity.name, id: row.id, values)
    }

    /// Deletes a row.
    ///
    /// - Parameter row: A snapshot of the row.
    /// - Returns: Whether the row existed.
    /// - Throws: ``StoreError``, as ``delete(from:id:)``.
    @discardableResult
    public func delete(_ row: Row) throws -> Bool { try delete(from: row.entity.name, id: row.id) }
}
