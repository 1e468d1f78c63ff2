public import Foundation

/// A database of entities whose committed changes can be observed row by row.
///
/// A store may be used from any thread. Transactions are synchronous and run on the caller's thread; writes
/// are one at a time, reads see the last commit and never a part of one.
public protocol Store: AnyObject, Sendable {
    /// The store's own identity, made when it was first opened and kept with its data.
    var identifier: UUID { get }

    /// The entities, by name.
    var entities: [String: EntityDescription] { get }

    /// Adds an entity, or changes nothing where one of the same shape is there.
    ///
    /// Inside a write on the same thread it is part of that transaction.
    ///
    /// - Throws: ``StoreError`` where an entity of that name has another shape.
    func createEntity(_ entity: EntityDescription) throws

    /// Runs a body that sees one committed state of the store.
    ///
    /// A read inside a read on the same thread sees the same state; inside a write on the same thread it sees
    /// what that write has done so far.
    func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result

    /// Runs a body that may change the store, and commits what it did; if it throws, nothing was done.
    ///
    /// Observers have the change set before this returns. A write inside a write on the same thread is
    /// a savepoint: if it throws, only its own part is undone. A write inside an observer is committed at
    /// once and delivered when the current delivery is over, so observers are never entered a second time. A
    /// write inside a read on the same thread is refused: its body could not see what it is about to change.
    @discardableResult
    func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result

    /// Calls a closure after every commit that changed rows, in the order of commits, on the committing
    /// thread.
    ///
    /// The first commit that it hears of is the first one after this call. It may read and write the store,
    /// but must not wait for a write of another thread, since that write waits for its own turn to be
    /// delivered.
    ///
    /// - Returns: A token; observation ends when it is cancelled or goes away.
    func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation

    /// The folder in which things may be kept that can be made from the store again; `nil` where there is no
    /// such place.
    ///
    /// It need not be there yet.
    var cacheFolder: URL? { get }

    /// Gives the present content a stamp, or keeps the one that it has: a number that is kept with the store
    /// and goes with the next change of any row.
    ///
    /// - Returns: The stamp; `nil` where the store cannot keep one, and inside a transaction.
    func stampContent() throws -> Int64?
}

extension Store {
    /// None: a store without files.
    public var cacheFolder: URL? { nil }

    /// None: a store that keeps no stamps.
    public func stampContent() throws -> Int64? { nil }
}

/// Reading within one transaction.
///
/// It may not be used after its body has returned.
public protocol ReadTransaction {
    /// The number of commits with changed rows that this state has behind it, within this process.
    var version: Int { get }

    /// The rows of a request, in its order.
    func fetch(_ request: FetchRequest) throws -> [Row]

    /// How many rows a request has.
    func count(_ request: FetchRequest) throws -> Int

    /// The rows with given identities, in the order of the identities; `nil` for one that is not there.
    func rows(of entityName: String, ids: [RowID]) throws -> [Row?]

    /// Walks the order of a request without reading whole rows.
    ///
    /// - Parameters:
    ///   - request: What to walk; its offset and limit count.
    ///   - attributes: The attributes whose values are wanted, or ways to them over to-one relationships.
    ///   - body: Takes a row's identity and those values, in order. The values are valid after the call too.
    ///     It may read, but not change the store.
    /// - Throws: ``StoreError``, or what the body throws.
    func scan(
        _ request: FetchRequest,
        attributes: [String],
        _ body: (RowID, [AttributeValue]) throws -> Void
    ) throws

    /// The stamp of this state (see ``Store/stampContent()``), or `nil` where it has none.
    ///
    /// Two states with the same stamp have the same rows, also in two processes.
    func contentStamp() throws -> Int64?
}

extension ReadTransaction {
    /// None: a store that keeps no stamps.
    public func contentStamp() throws -> Int64? { nil }
}

/// Writing within one transaction.
///
/// It may not be used after its body has returned.
public protocol WriteTransaction: ReadTransaction {
    /// Adds a row. Attributes that are not named have no value.
    ///
    /// - Returns: The new row's identity.
    @discardableResult
    func insert(into entityName: String, _ values: [String: AttributeValue]) throws -> RowID

    /// Adds a row again with the identity that it had.
    ///
    /// - Throws: ``StoreError`` `notUnique` where a row has that identity, `invalidRequest` for one that is not
    ///   positive, and from a store that cannot do it.
    func insert(into entityName: String, id: RowID, _ values: [String: AttributeValue]) throws

    /// Changes the named attributes of a row.
    ///
    /// - Returns: Whether the row is there.
    @discardableResult
    func update(_ entityName: String, id: RowID, _ values: [String: AttributeValue]) throws -> Bool

    /// Removes a row.
    ///
    /// - Returns: Whether the row was there.
    @discardableResult
    func delete(from entityName: String, id: RowID) throws -> Bool

    /// Updates the row that has the same value of a unique attribute, or adds one.
    ///
    /// - Returns: The row's identity.
    @discardableResult
    func upsert(
        into entityName: String,
        by uniqueAttribute: String,
        _ values: [String: AttributeValue]
    ) throws -> RowID

    /// Makes a loader for many rows of one shape, given by position instead of by name.
    ///
    /// - Parameters:
    ///   - entityName: The entity.
    ///   - attributes: The attributes, in the order in which rows will give their values.
    ///   - key: A unique attribute among them by which rows are found and updated; `nil` always adds.
    /// - Returns: The loader, to be used until the transaction's body returns.
    /// - Throws: ``StoreError`` for a name that the entity has not, or a key that is not unique.
    func makeLoader(for entityName: String, attributes: [String], key: String?) throws -> any RowLoader

    /// Runs a body as a savepoint: if it throws, only its own changes are undone.
    func savepoint<Result>(_ body: () throws -> Result) throws -> Result
}

extension WriteTransaction {
    /// Refuses: a store that gives each identity itself.
    public func insert(into entityName: String, id: RowID, _ values: [String: AttributeValue]) throws {
        throw StoreError(.invalidRequest, "this store cannot add a row with a given identity")
    }
}

/// Stops an observation when cancelled, or when it goes away.
public final class StoreObservation: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Makes a token for a store's own use.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Ends the observation.
    ///
    /// Harmless when done twice.
    public func cancel() { onCancel() }

    deinit { onCancel() }
}

extension WriteTransaction {
    /// Changes the named attributes of a row.
    ///
    /// - Parameters:
    ///   - row: The row, as it was when it was read.
    ///   - values: The new values.
    /// - Returns: Whether the row is there.
    /// - Throws: ``StoreError``, as ``update(_:id:_:)``.
    @discardableResult
    public func update(_ row: Row, _ values: [String: AttributeValue]) throws -> Bool {
        try update(row.entity.name, id: row.id, values)
    }

    /// Removes a row.
    ///
    /// - Parameter row: The row, as it was when it was read.
    /// - Returns: Whether the row was there.
    /// - Throws: ``StoreError``, as ``delete(from:id:)``.
    @discardableResult
    public func delete(_ row: Row) throws -> Bool { try delete(from: row.entity.name, id: row.id) }
}
