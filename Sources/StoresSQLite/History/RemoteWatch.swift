internal import Foundation
internal import Stores

/// A detector of commits to a store's file by other connections.
///
/// The system's file notifications wake it; without them it polls.
///
/// `PRAGMA data_version` on its own connection reports whether there was a commit (4.7 us).
// @unchecked Sendable because mutable state is only accessed while the lock is held.
final class RemoteWatch: @unchecked Sendable {
    private let path: String
    private let configuration: SQLiteConfiguration
    private let lock = NSRecursiveLock()
    private var connection: SQLiteConnection?
    private var dataVersion: Int64 = 0
    private var file: FileIdentity?
    private let wakening: WakePipe
    /// The state of the log at the last check.
    private(set) var last = ChangeLog.State(head: nil, revision: 0, schema: 0, knownSchema: 0)
    /// The state of a log that could not be repaired and was already reported.
    ///
    /// The repair is retried, but not reported again.
    var unrepairedState: ChangeLog.State?

    init(path: String, configuration: SQLiteConfiguration) throws {
        self.path = path
        self.configuration = configuration
        wakening = try WakePipe()
        try connect()
    }

    /// Opens the file that is currently at the path.
    func connect() throws {
        let connection = try SQLiteConnection(path: path, configuration: configuration)
        self.connection = connection
        file = FileIdentity(ofStore: path)
        try connection.control("BEGIN")
        defer { try? connection.rollBack() }
        try remember(ChangeLog.state(of: connection), connection)
    }

    /// Runs a body with exclusive access to the connection.
    func alone<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let connection else { throw StoreError(.closed, "\(path): the store is closed") }
        // Rolls back an earlier transaction whose rollback failed for lack of memory.
        if !connection.isInAutocommit { try connection.rollBack() }
        return try body(connection)
    }

    /// Returns whether another connection has committed since the last check.
    func hasCommit(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer("PRAGMA data_version") != dataVersion
    }

    /// Records the observed state, inside the transaction that read it.
    func remember(_ state: ChangeLog.State, _ connection: SQLiteConnection) throws {
        last = state
        dataVersion = try connection.integer("PRAGMA data_version")
    }

    /// Makes the next check compare with an earlier state, even without a new commit.
    func lookAgain(since state: ChangeLog.State) { (last, dataVersion) = (state, -1) }

    /// A Boolean value that indicates whether the file at the path is not the open file.
    var isReplaced: Bool {
        guard let present = FileIdentity(ofStore: path) else { return false }
        return present != file
    }

    // MARK: - Watch thread

    /// Starts a thread that checks automatically; the thread does not retain the store.
    func begin(for store: SQLiteStore, pollingInterval: Int) {
        let loop = WatchLoop(store, wakening, path: path, pollingInterval: pollingInterval)
        Thread.detachNewThread { loop.run() }
    }

    /// Wakes the thread to check immediately.
    func wake() { wakening.wake() }

    /// Stops the thread and closes the connection.
    func end() {
        wakening.end()
        lock.withLock { connection = nil }
    }
}

extension FileIdentity {
    /// Returns the identity of a store's file; `nil` if it does not exist or is empty.
    fileprivate init?(ofStore path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
        self.init(status)
    }
}
