internal import BridgeValues
internal import CSQLite
internal import Foundation
internal import Stores

// Commits of other processes become versions of this store at three points: when a read begins, when a write begins,
// and when the watch checks. All three hold the lock of `committed` and use a snapshot that was taken under it. Each
// version is therefore one state of the file, whichever process committed it.
extension SQLiteStore {
    /// Creates versions for the commits in a connection's snapshot that are newer than the last version.
    ///
    /// The lock of `committed` must be held. Does nothing if the store records no history.
    ///
    /// - Parameters:
    ///   - connection: A connection with an open transaction.
    ///   - committed: The current state, which is updated.
    ///   - isWriting: Whether the connection is about to write. Its log rows must not hide that the log was emptied
    ///     before.
    /// - Throws: ``StoreError``; no versions are created then.
    func takeIn(
        from connection: SQLiteConnection,
        _ committed: inout Committed,
        isWriting: Bool = false
    ) throws {
        guard let position = committed.position else { return }
        try readSchemaIfChanged(from: connection, &committed)
        guard let head = try presentHead(of: connection, isWriting: isWriting), head != position else {
            return
        }
        let reading = try ChangeLog.read(
            after: position,
            of: identifier,
            committed.schema,
            on: connection
        )
        committed.position = reading.head
        if let missed = reading.missed { return note(missed, at: reading.head, &committed) }
        for transaction in reading.transactions {
            committed.version += 1
            committed.undelivered.append(
                TransactionChanges(
                    version: committed.version,
                    changes: transaction.changes,
                    origin: .other(author: transaction.author),
                    token: transaction.token
                )
            )
        }
    }

    /// Returns the end of the log; `nil` if the log is missing, which the watch detects and repairs.
    private func presentHead(
        of connection: SQLiteConnection,
        isWriting: Bool
    ) throws -> ChangeLog.Position? {
        do {
            if let head = try ChangeLog.head(of: connection) { return head }
        } catch {
            // Only a dropped log is not an error here.
            if try isWriting || ChangeLog.isPresent(in: connection) { throw error }
            return nil
        }
        return try isWriting
            ? ChangeLog.append(.gap, MissedHistory.otherHistory.rawValue, in: connection) : nil
    }

    private func readSchemaIfChanged(
        from connection: SQLiteConnection,
        _ committed: inout Committed
    ) throws {
        let schemaVersion = try ChangeLog.schemaVersion(of: connection)
        guard schemaVersion != committed.schemaVersion else { return }
        committed.schema = try StoreSchema(from: connection)
        committed.schemaVersion = schemaVersion
    }

    /// Creates a version with unknown changes.
    private func note(
        _ missed: MissedHistory,
        at position: ChangeLog.Position?,
        _ committed: inout Committed
    ) {
        committed.version += 1
        committed.undelivered.append(
            TransactionChanges(
                version: committed.version,
                changes: [:],
                origin: .other(author: nil),
                token: position.map { StoreHistoryToken($0, of: identifier) },
                missedHistory: missed
            )
        )
    }

    /// Delivers versions of other processes to observers: those before a version, or all.
    func deliverRemoteVersions(before version: Int? = nil) {
        guard history != nil else { return }
        let waiting = committed.withLock { committed in
            let count = version.flatMap { version in committed.undelivered.firstIndex { $0.version > version }
            }
            let waiting = committed.undelivered.prefix(count ?? committed.undelivered.count)
            committed.undelivered.removeFirst(waiting.count)
            return waiting
        }
        for changes in waiting { delivery.deliver(changes) }
    }

    // MARK: - Checking for commits

    /// Merges new commits, and checks that every commit is in the log.
    ///
    /// - Returns: Whether the log was repaired, so that another check is needed.
    func look(_ watch: RemoteWatch, _ connection: SQLiteConnection) throws -> Bool {
        guard try watch.hasCommit(connection) else { return false }
        let last = watch.last
        try connection.control("BEGIN")
        defer { if !connection.isInAutocommit { try? connection.rollBack() } }
        let state = try committed.withLock { committed in
            let state = try ChangeLog.state(of: connection)
            guard state.isWhole else { return state }
            do {
                try takeIn(from: connection, &committed)
            } catch {
                // The rows are unreadable, so any row may have changed.
                note(.schemaChanged, at: state.head, &committed)
                committed.position = state.head
            }
            return state
        }
        do {
            try watch.remember(state, connection)
            try connection.rollBack()
        } catch {
            // The comparison below was not made, so the next check must repeat it.
            watch.lookAgain(since: last)
            throw error
        }
        // A commit that changed neither the log nor this package's other records bypassed the triggers. Alternatively,
        // a writer has restarted the log file and has not committed yet.
        let isUnlogged = state == last
        guard !state.isWhole || isUnlogged else { return false }
        do {
            try mend(since: last)
            return true
        } catch {
            // A broken log may prevent all writes, and does not show what is missing.
            watch.lookAgain(since: last)
            if !state.isWhole, watch.unrepairedState != state {
                watch.unrepairedState = state
                committed.withLock { committed in
                    note(.schemaChanged, at: state.head, &committed)
                    if let head = state.head { committed.position = head }
                }
            }
            // Another connection is writing; the next check compares the commits up to then.
            guard let error = error as? StoreError, error.code == .busy else { throw error }
            return false
        }
    }

    /// Records a gap in the log, unless another process has done so, and repairs its triggers.
    private func mend(since last: ChangeLog.State) throws {
        try alone {
            guard let writer else { throw StoreError(.closed, "the store is closed") }
            try writer.beginImmediate()
            do {
                let state = try ChangeLog.state(of: writer)
                if !state.isWhole {
                    try ChangeLog.install(StoreSchema(from: writer), in: writer)
                } else if state == last {
                    // No other connection is writing now, so the observed change was committed without a log row.
                    _ = try ChangeLog.append(.gap, MissedHistory.unloggedCommit.rawValue, in: writer)
                }
                try writer.control("COMMIT")
            } catch {
                if !writer.isInAutocommit { try? writer.rollBack() }
                throw error
            }
        }
    }

    /// Creates or repairs the log and its triggers.
    static func installLog(_ schema: StoreSchema, in connection: SQLiteConnection) throws {
        try connection.beginImmediate()
        do {
            // A repair is recorded, so that other processes can distinguish this commit from others.
            if try !ChangeLog.state(of: connection).isWhole {
                try ChangeLog.install(schema, in: connection)
            }
            try connection.control("COMMIT")
        } catch {
            if !connection.isInAutocommit { try? connection.rollBack() }
            throw error
        }
    }

    // MARK: - Replaced files

    /// Switches to the file that is now at the path; if that is another store, closes this one.
    func reopen(_ watch: RemoteWatch) {
        writeLock.withLock {
            guard writer != nil else { return }
            do {
                let (connection, found) = try StoreFile.open(path, configuration: configuration)
                guard found == identifier else {
                    throw StoreError(.cannotOpen, "\(path) was replaced by another store")
                }
                let schema = try StoreSchema(from: connection)
                try Self.installLog(schema, in: connection)
                try watch.connect()
                recorder.attach(to: connection)
                connection.countLogPages()
                writer = connection
                readers?.renew(connection.files)
                let position = try ChangeLog.head(of: connection)
                let schemaVersion = try ChangeLog.schemaVersion(of: connection)
                committed.withLock { committed in
                    committed.schema = schema
                    committed.schemaVersion = schemaVersion
                    committed.position = position
                    note(.fileReplaced, at: position, &committed)
                }
            } catch {
                writer = nil
                readers?.close()
                watch.end()
                committed.withLock { note(.fileReplaced, at: nil, &$0) }
            }
        }
    }

    // MARK: - Pruning

    /// Deletes the oldest changes if the history exceeds its limit by an eighth.
    ///
    /// Errors are ignored; the next commit retries.
    func pruneHistoryIfLong() {
        guard let limit = history?.changeLimit, let head = committed.withLock({ $0.position }) else { return }
        let bound = Int64(limit) + Int64(max(16, limit / 8))
        guard head.sequence - oldestChange.withLock({ $0 }) > bound else { return }
        writeLock.withLockIfFree {
            guard let writer else { return }
            do {
                let oldest = try ChangeLog.oldest(of: writer)
                oldestChange.withLock { $0 = oldest }
                guard head.sequence - oldest > bound else { return }
                try writer.beginImmediate()
                try ChangeLog.prune(keeping: limit, in: writer)
                try writer.control("COMMIT")
                oldestChange.withLock { $0 = head.sequence - Int64(limit) }
            } catch {
                if !writer.isInAutocommit { try? writer.rollBack() }
            }
        }
    }
}

extension ChangeLog.State {
    /// A Boolean value that indicates whether the log exists and the schema is unchanged since this package last
    /// checked the triggers.
    var isWhole: Bool { head != nil && schema == knownSchema }
}
