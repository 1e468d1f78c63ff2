internal import BridgeValues
internal import CSQLite
internal import Foundation
public import Stores

extension SQLiteStore: ThreadWriting {
    /// Runs a body that sees one committed state of the store.
    public func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
        if let current = transactions.current { return try body(current) }
        guard let readers else { return try readInMemory(body) }
        let reader = try readers.take()
        defer { readers.giveBack(reader) }
        // Atomic, so that the version belongs exactly to the state: a commit acquires the same lock.
        let state = try committed.withLock { committed in
            try reader.control("BEGIN")
            if committed.position == nil {
                _ = try reader.integer(#"SELECT format FROM "$store""#)
            } else {
                // Commits of other processes become versions first, so that this also holds for them.
                try takeIn(from: reader, &committed)
            }
            return committed
        }
        defer {
            try? reader.rollBack()
            // Without a watch, this read delivers the versions that it has created.
            if !state.undelivered.isEmpty, history?.followsOtherProcesses == false { deliverRemoteVersions() }
        }
        if !state.undelivered.isEmpty { remoteWatch?.wake() }
        let transaction = SQLiteTransaction(
            connection: reader,
            version: state.version,
            schema: state.schema,
            recorder: nil,
            isLogged: isLogged
        )
        return try transactions.run(transaction) { try body(transaction) }
    }

    /// Runs a body that may change the store, and commits its changes.
    ///
    /// If the body throws, all its changes are rolled back.
    @discardableResult
    public func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result {
        if let current = transactions.current {
            guard current.isWriting else {
                throw StoreError(
                    .invalidRequest,
                    "a write cannot begin inside a read on the same thread: do both in one write"
                )
            }
            return try current.savepoint { try body(current) }
        }
        let result: Result
        let changes: TransactionChanges?
        do {
            (result, changes) = try alone { try commit(body) }
        } catch {
            deliverRemoteVersions()
            throw error
        }
        // In order of versions: delivering a later version first would wait for this one, which only this thread
        // delivers.
        deliverRemoteVersions(before: changes?.version)
        if let changes {
            delivery.deliver(changes)
            deliverRemoteVersions()
        }
        moveLogIfLong()
        pruneHistoryIfLong()
        return result
    }

    /// A Boolean value that indicates whether the calling thread has an open write.
    package var isWritingOnThisThread: Bool { transactions.current?.isWriting ?? false }

    private func readInMemory<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
        try alone {
            let connection = try openWriter()
            let state = committed.withLock { $0 }
            let transaction = SQLiteTransaction(
                connection: connection,
                version: state.version,
                schema: state.schema,
                recorder: nil,
                isLogged: isLogged
            )
            return try transactions.run(transaction) { try body(transaction) }
        }
    }

    /// Runs a body with the write lock held.
    ///
    /// - Throws: ``StoreError`` `wouldDeadlock` if the writing thread waits for this one; the error of the body.
    func alone<Result>(_ body: () throws -> Result) throws -> Result {
        try writeLock.withLock(
            orThrow: StoreError(
                .wouldDeadlock,
                "deadlock: the store is in a transaction on a thread that waits for this thread"
            ),
            body
        )
    }

    private func openWriter() throws -> SQLiteConnection {
        guard let writer else { throw StoreError(.closed, "the store is closed") }
        return writer
    }

    /// Runs and commits a transaction while the write lock is held.
    ///
    /// - Returns: The body's result, and the change set if rows have changed.
    private func commit<Result>(
        _ body: (any WriteTransaction) throws -> Result
    ) throws -> (Result, TransactionChanges?) {
        guard configuration.access == .write else {
            throw StoreError(
                .invalidRequest,
                "\(path) is open for reading, and cannot be changed",
                forScripts: "the store is open for reading, and cannot be changed"
            )
        }
        let connection = try openWriter()
        // Rolls back an earlier transaction whose rollback failed for lack of memory.
        if !connection.isInAutocommit { try connection.rollBack() }
        try connection.beginImmediate()
        do {
            let before = try committed.withLock { committed in
                try takeIn(from: connection, &committed, isWriting: true)
                return committed
            }
            let transaction = SQLiteTransaction(
                connection: connection,
                version: before.version,
                schema: before.schema,
                recorder: recorder,
                isLogged: isLogged
            )
            recorder.watch(before.schema)
            let log = try isLogged ? CommitLog(connection) : nil
            let result = try transactions.run(transaction) {
                let result = try body(transaction)
                // An error that ended the transaction counts even if the body caught it.
                try transaction.requireUsable()
                // From here on, limits do not interrupt the transaction.
                try WorkLimit.check()
                return result
            }
            let hasRows = recorder.mark > 0
            let changes = recorder.seal()
            if !changes.isEmpty { try Self.removeStamp(in: connection) }
            let end = try log?.close(hasRows: hasRows, transaction.schema, author: transactionAuthor)
            try connection.files?.requireUnmoved()
            let sealed: TransactionChanges? = try committed.withLock { committed in
                try connection.control("COMMIT")
                committed.schema = transaction.schema
                let position = end?.position
                if let position, committed.position != nil { committed.position = position }
                if let end { committed.schemaVersion = end.schemaVersion }
                if changes.isEmpty { return nil }
                committed.version += 1
                return TransactionChanges(
                    version: committed.version,
                    changes: changes,
                    token: position.map { StoreHistoryToken($0, of: identifier) }
                )
            }
            return (result, sealed)
        } catch {
            recorder.rollBack(to: 0)
            // If this fails too, SQLite has ended the transaction, or the next transaction rolls it back first.
            if !connection.isInAutocommit { try? connection.rollBack() }
            throw error
        }
    }

    /// Moves the log into the database file when it has grown long.
    ///
    /// This is done outside of the commit, so that neither readers nor observers wait for the disk. Errors are ignored,
    /// because the rows are safe in the log and the next commit retries.
    private func moveLogIfLong() {
        guard readers != nil else { return }
        writeLock.withLockIfFree {
            guard let writer, writer.logPages >= configuration.checkpointPages else { return }
            writer.logPages = 0
            sqlite3_wal_checkpoint_v2(writer.handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
    }
}
