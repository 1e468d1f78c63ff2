internal import Stores

/// The connections that read while another one writes.
///
/// A thread that finds none idle opens one more instead of waiting, so that readers that wait for each other
/// outside the store cannot block here.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var isClosed = false
        /// How often the file was replaced by another one.
        var generation = 0
        /// The files that the store has open; a reader of others would give another store's rows.
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

    /// A connection for the taker alone.
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

    /// Keeps a connection for the next taker, or closes it.
    func giveBack(_ reader: SQLiteConnection) {
        guard reader.isInAutocommit else { return }
        state.withLock { state in
            guard !state.isClosed, reader.generation == state.generation else { return }
            if state.idle.count < configuration.idleReaders { state.idle.append(reader) }
        }
    }

    /// Lets go of the connections to a file that is no longer there, and goes over to others.
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

    /// Closes the idle connections, and the others when they come back.
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
