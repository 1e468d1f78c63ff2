internal import BridgeValues
public import Foundation
public import Stores

/// A store in an SQLite database: a file, or memory that goes away with the store.
///
/// One connection writes; in a file store others read at the same time, each seeing the last commit when it
/// began. A memory store has one connection, so its reads wait for its writes. The changes of every commit
/// are taken from SQLite's preupdate hook. Each entity is a `STRICT` table of the same name.
///
/// Changes that other processes, or other stores on the same file, make are read; they are observed where the
/// store keeps a history (``HistoryOptions``).
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
        /// The number of that schema in the file; only where the store keeps a history.
        var schemaVersion: Int64 = 0
        /// How far the log has become versions; only where the store keeps a history.
        var position: ChangeLog.Position?
        /// Versions of other processes that observers have not heard of.
        var undelivered: [TransactionChanges] = []
    }

    /// The store's own identity, made when it was first opened and kept with its data.
    public let identifier: UUID
    /// Where the store keeps its rows.
    public let location: Location

    let configuration: SQLiteConfiguration
    /// How the store keeps its history; `nil` where it was not asked to.
    let history: HistoryOptions?
    /// The absolute path, or `:memory:`.
    let path: String
    /// Whether triggers log what changes, so that each commit says whose it is.
    let isLogged: Bool
    /// The oldest change of the log when this store last looked.
    let oldestChange = Locked<Int64>(0)
    /// Looks for commits of other processes; only where the store keeps a history.
    let remoteWatch: RemoteWatch?
    let writeLock = OwnedLock()
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

    /// Opens a store that keeps a history and follows other processes, and makes it where there is none.
    ///
    /// - Throws: As without a history; ``StoreError`` `invalidRequest` for a store in memory.
    public convenience init(location: Location, history: HistoryOptions) throws {
        try self.init(location: location, configuration: SQLiteConfiguration(), history: history)
    }

    package init(
        location: Location,
        configuration: SQLiteConfiguration,
        history: HistoryOptions? = nil
    ) throws {
        let path: String
        switch location {
        case .file(let given): path = try StoreFile.absolute(given)
        case .memory:
            path = ":memory:"
            if history != nil {
                throw StoreError(
                    .invalidRequest,
                    "a store in memory has no history: no other process sees it"
                )
            }
        }
        let opened = try StoreFile.opening(path) {
            try Self.open(path, configuration, keepsHistory: history != nil)
        }
        let connection = opened.connection
        isLogged = opened.isLogged
        let state = opened.state
        let recorder = ChangeRecorder()
        recorder.watch(state.schema)
        recorder.attach(to: connection)
        if location != .memory { connection.countLogPages() }
        self.location = location
        self.configuration = configuration
        identifier = opened.identifier
        self.recorder = recorder
        self.history = history?.withinBounds
        self.path = path
        writer = connection
        committed = Locked(state)
        readers =
            location == .memory
            ? nil : ReaderPool(path: path, configuration: configuration, files: connection.files)
        remoteWatch = try history.map { _ in try RemoteWatch(path: path, configuration: configuration) }
        if let history, history.followsOtherProcesses {
            remoteWatch?.begin(for: self, pollingInterval: history.pollingInterval)
        }
    }

    /// A file that was opened and read as far as a store needs it to begin.
    private struct Opened {
        let connection: SQLiteConnection
        let identifier: UUID
        let isLogged: Bool
        let state: Committed
    }

    private static func open(
        _ path: String,
        _ configuration: SQLiteConfiguration,
        keepsHistory: Bool
    ) throws -> Opened {
        let (connection, identifier) = try StoreFile.open(path, configuration: configuration)
        let schema = try StoreSchema(from: connection)
        if keepsHistory { try installLog(schema, in: connection) }
        let isLogged = try ChangeLog.isPresent(in: connection)
        var state = Committed(schema: schema)
        if keepsHistory {
            state.schemaVersion = try ChangeLog.schemaVersion(of: connection)
            state.position = try ChangeLog.head(of: connection)
        }
        return Opened(connection: connection, identifier: identifier, isLogged: isLogged, state: state)
    }

    deinit {
        remoteWatch?.end()
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
        remoteWatch?.end()
        readers?.close()
        try alone { writer = nil }
    }
}

// @unchecked Sendable because the writing connection and the recorder are only touched under the write lock.
extension SQLiteStore: @unchecked Sendable {}
