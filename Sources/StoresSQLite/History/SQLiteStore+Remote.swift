internal import BridgeValues
internal import CSQLite
internal import Foundation
internal import Stores

// Commits of other processes become versions of this store in one of three places: where a read begins, where
// a write begins, and where the watch looks. All three do it under the lock of `committed`, in a snapshot that
// was taken under it, so that every version is one state of the file whoever made it.
extension SQLiteStore {
    /// Makes versions of what a connection's snapshot has beyond the last one.
    ///
    /// Under the lock of `committed`. It does nothing where the store keeps no history.
    ///
    /// - Parameters:
    ///   - connection: A connection with a transaction open.
    ///   - committed: What is known so far.
    ///   - isWriting: Whether the connection is about to write: what it logs must not hide a log that was
    ///     emptied before.
    /// - Throws: ``StoreError``; nothing is taken in then.
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

    /// The end of the log; `nil` where there is none, which the watch finds and mends.
    private func presentHead(
        of connection: SQLiteConnection,
        isWriting: Bool
    ) throws -> ChangeLog.Position? {
        do {
            if let head = try ChangeLog.head(of: connection) { return head }
        } catch {
            // Only a log that somebody dropped is no error here.
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

    /// Makes a version of which only is known that anything may have changed.
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

    /// Tells observers of versions that other processes made: of those before one, or of all.
    func deliverTakenIn(before version: Int? = nil) {
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

    // MARK: - Looking

    /// Takes in what there is, and checks that every commit is in the log.
    ///
    /// - Returns: Whether something was noted in the log, so that another look is needed.
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
                // Rows of which nothing can be read may have changed.
                note(.schemaChanged, at: state.head, &committed)
                committed.position = state.head
            }
            return state
        }
        do {
            try watch.remember(state, connection)
            try connection.rollBack()
        } catch {
            // What is compared below was not: the next look must not take it for compared.
            watch.lookAgain(since: last)
            throw error
        }
        // A commit that changed neither the log nor what this package notes beside it went past the triggers,
        // or a writer has begun the log file anew and has not committed yet.
        let isUnlogged = state == last
        guard !state.isWhole || isUnlogged else { return false }
        do {
            try mend(since: last)
            return true
        } catch {
            // A log that is not mended may keep everybody from writing, and has no word of what is missing.
            watch.lookAgain(since: last)
            if !state.isWhole, watch.unmended != state {
                watch.unmended = state
                committed.withLock { committed in
                    note(.schemaChanged, at: state.head, &committed)
                    if let head = state.head { committed.position = head }
                }
            }
            // Somebody is writing: what is committed by then is compared with the next look.
            guard let error = error as? StoreError, error.code == .busy else { throw error }
            return false
        }
    }

    /// Notes in the log that it has a gap, unless another process has done so, and puts its triggers right.
    private func mend(since last: ChangeLog.State) throws {
        try alone {
            guard let writer else { throw StoreError(.closed, "the store is closed") }
            try writer.beginImmediate()
            do {
                let state = try ChangeLog.state(of: writer)
                if !state.isWhole {
                    try ChangeLog.install(StoreSchema(from: writer), in: writer)
                } else if state == last {
                    // Nobody else is writing now, so that what has changed was committed, and is not in the log.
                    _ = try ChangeLog.append(.gap, MissedHistory.unloggedCommit.rawValue, in: writer)
                }
                try writer.control("COMMIT")
            } catch {
                if !writer.isInAutocommit { try? writer.rollBack() }
                throw error
            }
        }
    }

    /// Makes the log and its triggers where they are missing or not as they should be.
    static func installLog(_ schema: StoreSchema, in connection: SQLiteConnection) throws {
        try connection.beginImmediate()
        do {
            // Whatever was changed is noted, so that those who follow can tell this commit from others.
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

    /// Goes over to the file that stands at the path now; a file of another store closes this one.
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

    /// Deletes the oldest part of the history when it has grown an eighth beyond its limit.
    ///
    /// An error is let go: the next commit tries again.
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
    /// Whether the log is there, and nobody else has changed the schema since this package looked after the
    /// triggers.
    var isWhole: Bool { head != nil && schema == knownSchema }
}
