internal import BridgeValues
public import Foundation
public import Stores

/// A store in an SQLite database: a file, or memory that is released with the store.
///
/// One connection writes. In a file store others read simultaneously; each read sees the last commit at its start. A
/// memory store has one connection, so its reads wait for its writes. SQLite's preupdate hook reports the changes of
/// every commit. Each entity is a `STRICT` table of the same name.
///
/// Reads see changes by other processes, or by other stores on the same file. Observers are notified of them if the
/// store records a history (``HistoryOptions``).
///
/// ```swift
/// let store = try SQLiteStore(location: .file("people.db"))
/// try store.createEntity(EntityDescription(name: "person", attributes: [.init("name", .string)]))
/// let ada = try store.write { try $0.insert(into: "person", ["name": .string("Ada")]) }
/// ```
public final class SQLiteStore {
    /// The storage of a store's rows.
    public enum Location: Sendable, Hashable {
        /// A file, which is created if it does not exist.
        ///
        /// While it is open, two more files with the suffixes `-wal` and `-shm` exist beside it.
        case file(String)
        /// Memory.
        case memory
    }

    /// The state after the commits so far.
    ///
    /// A reader copies it and begins its snapshot in one atomic step.
    struct Committed: Sendable {
        var version = 0
        var schema: StoreSchema
        /// The schema version of the file; only used if the store records a history.
        var schemaVersion: Int64 = 0
        /// The position in the log up to which versions exist; only used if the store records a history.
        var position: ChangeLog.Position?
        /// The versions of other processes that are not delivered to observers yet.
        var undelivered: [TransactionChanges] = []
    }

    /// The identity of the store, created when it was first opened and saved with its data.
    public let identifier: UUID
    /// The storage of the rows.
    public let location: Location

    let configuration: SQLiteConfiguration
    /// The history; `nil` if the store was opened without one.
    private let recorded: RecordedHistory?
    /// The absolute path, or `:memory:`.
    let path: String
    /// A Boolean value that indicates whether triggers log changes, so that each commit names its author.
    let isLogged: Bool
    /// The oldest change of the log at the last check.
    let oldestChange = Locked<Int64>(0)
    let writeLock = OwnedLock()
    /// The writing connection; `nil` after the store was closed.
    ///
    /// Protected by the write lock.
    var writer: SQLiteConnection?
    /// The changes of the running write.
    ///
    /// Protected by the write lock.
    let recorder: ChangeRecorder
    let committed: Locked<Committed>
    /// The reading connections; `nil` for a memory store.
    let readers: ReaderPool?
    let transactions = ThreadTransactions()
    let delivery = ChangeDelivery()
    let writeQueue = DispatchQueue(label: "SQLiteStore.write")

    /// Opens a store, and creates it if it does not exist.
    ///
    /// - Throws: ``StoreError`` that names the file if it cannot be opened, is not a database, belongs to another
    ///   program, or has a newer format. The file is unchanged then.
    public convenience init(location: Location) throws {
        try self.init(location: location, configuration: SQLiteConfiguration())
    }

    /// Opens a store that records a history and follows other processes, and creates it if it does not exist.
    ///
    /// - Throws: The same errors as without a history; ``StoreError`` `invalidRequest` for a store in memory.
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
        self.path = path
        writer = connection
        committed = Locked(state)
        readers =
            location == .memory
            ? nil : ReaderPool(path: path, configuration: configuration, files: connection.files)
        recorded = try history.map {
            try RecordedHistory($0, path: path, configuration: configuration)
        }
        recorded?.begin(for: self)
    }

    /// The result of opening a file, with the initial state of the store.
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
        // Released before the recorder, which its hook references.
        writer = nil
    }

    /// The options of the history; `nil` if the store was opened without one.
    var history: HistoryOptions? { recorded?.options }
    /// The watch for commits of other processes; only present if the store records a history.
    var remoteWatch: RemoteWatch? { recorded?.watch }

    /// The entities, by name.
    public var entities: [String: EntityDescription] {
        let schema = transactions.current?.schema ?? committed.withLock { $0.schema }
        return schema.tables.mapValues(\.entity)
    }

    /// Creates an entity; does nothing if an equal entity exists.
    ///
    /// Inside a write on the same thread, it is part of that transaction.
    ///
    /// - Throws: ``StoreError`` if a different entity of that name exists, or if a name is invalid: empty, with a NUL
    ///   character, or different from another one only in the case of ASCII letters.
    public func createEntity(_ entity: EntityDescription) throws {
        try write { _ in try transactions.current?.createEntity(entity) }
    }

    /// Calls a closure after every commit that changed rows, in the order of commits, on the committing thread.
    ///
    /// The closure is called for commits after this call.
    ///
    /// - Returns: A token; observation ends when it is cancelled or released.
    public func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation {
        delivery.add(since: committed.withLock { $0.version }, observer)
    }

    /// Closes the database.
    ///
    /// Every later use throws ``StoreError`` with code `closed`.
    ///
    /// It waits for a running write; running reads complete normally. Further calls have no effect.
    public func close() throws {
        guard transactions.current == nil else {
            throw StoreError(.invalidRequest, "a store cannot be closed inside its own transaction")
        }
        remoteWatch?.end()
        readers?.close()
        try alone { writer = nil }
    }
}

// @unchecked Sendable because the writing connection and the recorder are only accessed while the write lock is held.
extension SQLiteStore: @unchecked Sendable {}
