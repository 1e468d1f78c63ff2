internal import Stores

/// A pool of connections for reads that run during a write.
///
/// If no connection is idle, a thread opens a new one instead of waiting. Readers that wait for each other outside the
/// store therefore cannot deadlock here.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var isClosed = false
        /// The number of times that the file was replaced.
        var generation = 0
        /// The files that the store has open.
        ///
        /// A reader of other files would return another store's rows.
        var files: OpenFiles?
    }

    private let path: String
    private let configuration: SQLiteConfiguration
    private let state = Locked(State())

    init(path: String, configuration: SQLiteConfiguration, files: OpenFiles?) {
        self.path = path
        self.configuration = configuration
        state.withLock { $0.files = files }
    }

    /// Returns a connection for the caller's exclusive use.
    func take() throws -> SQLiteConnection {
        let (idle, generation, files) = try state.withLock { state in
            guard !state.isClosed else { throw StoreError(.closed, "\(path): the store is closed") }
            return (state.idle.popLast(), state.generation, state.files)
        }
        if let idle { return idle }
        let reader = try SQLiteConnection(path: path, configuration: configuration)
        reader.generation = generation
        try reader.execute(SQLiteConnection.listTable)
        try files?.requireUnmoved()
        return reader
    }

    /// Keeps a connection for the next caller, or closes it.
    func giveBack(_ reader: SQLiteConnection) {
        guard reader.isInAutocommit else { return }
        state.withLock { state in
            guard !state.isClosed, reader.generation == state.generation else { return }
            if state.idle.count < configuration.idleReaders { state.idle.append(reader) }
        }
    }

    /// Closes the idle connections to a replaced file, and switches to the new files.
    func renew(_ files: OpenFiles?) {
        let idle = state.withLock { state in
            state.generation += 1
            state.files = files
            defer { state.idle = [] }
            return state.idle
        }
        // Closed here, outside the lock.
        _ = idle
    }

    /// Closes the idle connections now, and the others when they are returned.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        // Closed here, outside the lock.
        _ = idle
    }
}
