internal import Foundation
internal import Stores

/// Sees that another connection has committed to a store's file: woken by the system where it reports changes
/// of files, else by looking now and then.
///
/// `PRAGMA data_version` on one connection of its own tells whether there was a commit (4.7 us).
// @unchecked Sendable because what changes is only touched under the lock.
final class RemoteWatch: @unchecked Sendable {
    private let path: String
    private let configuration: SQLiteConfiguration
    private let lock = NSRecursiveLock()
    private var connection: SQLiteConnection?
    private var dataVersion: Int64 = 0
    private var file: FileIdentity?
    private let wakening: WakeningPipe
    /// What the log was at the last look.
    private(set) var last = ChangeLog.State(head: nil, revision: 0, schema: 0, knownSchema: 0)
    /// The log that could not be mended, once that was told: it is tried again, and told no more.
    var unmended: ChangeLog.State?

    init(path: String, configuration: SQLiteConfiguration) throws {
        self.path = path
        self.configuration = configuration
        wakening = try WakeningPipe()
        try connect()
    }

    /// Opens the file that stands at the path now.
    func connect() throws {
        let connection = try SQLiteConnection(path: path, configuration: configuration)
        self.connection = connection
        file = FileIdentity(path)
        try connection.control("BEGIN")
        defer { try? connection.rollBack() }
        try remember(ChangeLog.state(of: connection), connection)
    }

    /// Runs a body with the connection, alone.
    func alone<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard let connection else { throw StoreError(.closed, "\(path): the store is closed") }
        // What could not even be ended, for want of memory, is ended now.
        if !connection.isInAutocommit { try connection.rollBack() }
        return try body(connection)
    }

    /// Whether another connection has committed since the last look.
    func hasCommit(_ connection: SQLiteConnection) throws -> Bool {
        try connection.integer("PRAGMA data_version") != dataVersion
    }

    /// Keeps what was seen, inside the transaction that saw it.
    func remember(_ state: ChangeLog.State, _ connection: SQLiteConnection) throws {
        last = state
        dataVersion = try connection.integer("PRAGMA data_version")
    }

    /// Makes the next look compare with an earlier one, whether there was a commit since or not.
    func lookAgain(since state: ChangeLog.State) { (last, dataVersion) = (state, -1) }

    /// Whether another file stands at the path than the one that is open.
    var isReplaced: Bool {
        guard let present = FileIdentity(path) else { return false }
        return present != file
    }

    // MARK: - The thread

    /// Begins to look by itself, on a thread of its own that keeps nothing of the store alive.
    func begin(for store: SQLiteStore, pollingInterval: Int) {
        let loop = WatchLoop(store, wakening, path: path, pollingInterval: pollingInterval)
        Thread.detachNewThread { loop.run() }
    }

    /// Makes the thread look now.
    func wake() { wakening.wake() }

    /// Ends the thread and closes the connection.
    func end() {
        wakening.end()
        lock.withLock { connection = nil }
    }
}

/// Which file stands at a path.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// The file at a path; `nil` where there is none, or one that nobody has written yet.
    init?(_ path: String, isEmptyCounted: Bool = false) {
        var status = stat()
        guard stat(path, &status) == 0, isEmptyCounted || status.st_size > 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
