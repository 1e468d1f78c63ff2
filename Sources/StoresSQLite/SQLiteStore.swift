public import Foundation
public import Stores

/// A store in an SQLite database: a file, or memory that goes away with the store.
///
/// One connection writes; in a file store others read at the same time, each seeing the last commit when it
/// began. A memory store has one connection, so its reads wait for its writes. The changes of every commit
/// are taken from SQLite's preupdate hook. Each entity is a `STRICT` table of the same name.
///
/// Changes that other processes, or other stores on the same file, make are read but not observed.
///
/// ```swift
/// let store = try SQLiteStore(location: .file("people.db"))
/// try store.createEntity(EntityDescription(name: "person", attributes: [.init("name", .string)]))
/// let ada = try store.write { try $0.insert(into: "person", ["name": .string("Ada")]) }
/// ```
public final class SQLiteStore {
    /// Where a store keeps its rows.
    public enum Location: Sendable, Hashable {
        /// A file, made if it is not there. Beside it are two more, named `-wal` and `-shm`, while it is
        /// open.
        case file(String)
        /// Memory.
        case memory
    }

    /// What the commits so far have led to.
    ///
    /// A reader takes it and its snapshot in one step.
    struct Committed: Sendable {
        var version = 0
        var schema: StoreSchema
    }

    /// The store's own identity, made when it was first opened and kept with its data.
    public let identifier: UUID
    /// Where the store keeps its rows.
    public let location: Location

    let configuration: SQLiteConfiguration
    let writeLock = NSLock()
    /// The connection that writes; `nil` once the store is closed.
    ///
    /// Under the write lock.
    var writer: SQLiteConnection?
    /// What the running write changed.
    ///
    /// Under the write lock.
    let recorder: ChangeRecorder
    let committed: Locked<Committed>
    /// The connections that read; a memory store has none.
    let readers: ReaderPool?
    let transactions = ThreadTransactions()
    let delivery = ChangeDelivery()
    let writeQueue = DispatchQueue(label: "SQLiteStore.write")

    /// Opens a store, and makes it where there is none.
    ///
    /// - Throws: ``StoreError`` that names the file: where it cannot be opened, is not a database, is a
    ///   database of another program, or has a newer format. Such a file is left as it was.
    public convenience init(location: Location) throws {
        try self.init(location: location, configuration: SQLiteConfiguration())
    }

    /// Opens a store in a file, and makes it where there is none.
    public convenience init(path: String) throws { try self.init(location: .file(path)) }

    package init(location: Location, configuration: SQLiteConfiguration) throws {
        let path: String
        switch location {
        case .file(let given): path = try StoreFile.absolute(given)
        case .memory: path = ":memory:"
        }
        let (connection, identifier) = try StoreFile.open(path, configuration: configuration)
        let schema = try StoreSchema(from: connection)
        let recorder = ChangeRecorder()
        recorder.watch(schema)
        recorder.attach(to: connection)
        if location != .memory { connection.countLogPages() }
        self.location = location
        self.configuration = configuration
        self.identifier = identifier
        self.recorder = recorder
        writer = connection
        committed = Locked(Committed(schema: schema))
        readers = location == .memory ? nil : ReaderPool(path: path, configuration: configuration)
    }

    deinit {
        // Before the recorder, which its hook points to.
        writer = nil
    }

    /// The entities, by name.
    public var entities: [String: EntityDescription] {
        let schema = transactions.current?.schema ?? committed.withLock { $0.schema }
        return schema.tables.mapValues(\.entity)
    }

    /// Adds an entity, or changes nothing where one of the same shape is there.
    ///
    /// Inside a write on the same thread it is part of that transaction.
    ///
    /// - Throws: ``StoreError`` where an entity of that name has another shape, or a name cannot be used: it
    ///   is empty, contains a NUL character, or differs from another only in the case of ASCII letters.
    public func createEntity(_ entity: EntityDescription) throws {
        try write { _ in try transactions.current?.createEntity(entity) }
    }

    /// Calls a closure after every commit that changed rows, in the order of commits, on the committing
    /// thread.
    ///
    /// The first commit that it hears of is the first one after this call.
    ///
    /// - Returns: A token; observation ends when it is cancelled or goes away.
    public func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation {
        delivery.add(since: committed.withLock { $0.version }, observer)
    }

    /// Closes the database.
    ///
    /// Every later use throws ``StoreError`` with the code `closed`.
    ///
    /// It waits for a running write; running reads end as they would have. Harmless when done twice.
    public func close() throws {
        guard transactions.current == nil else {
            throw StoreError(.invalidRequest, "a store cannot be closed inside its own transaction")
        }
        readers?.close()
        writeLock.withLock { writer = nil }
    }
}

// @unchecked Sendable because the writing connection and the recorder are only touched under the write lock.
extension SQLiteStore: @unchecked Sendable {}
