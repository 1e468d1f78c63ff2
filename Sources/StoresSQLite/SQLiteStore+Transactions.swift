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
        // One step, so that the version belongs exactly to the state: a commit takes the same lock.
        let state = try committed.withLock { committed in
            try reader.control("BEGIN")
            if committed.position == nil {
                _ = try reader.integer(#"SELECT format FROM "$store""#)
            } else {
                // What other processes have committed becomes versions first, so that this holds for it too.
                try takeIn(from: reader, &committed)
            }
            return committed
        }
        defer {
            try? reader.rollBack()
            // Where nobody watches, what this read has taken in is told by it.
            if !state.undelivered.isEmpty, history?.followsOtherProcesses == false { deliverTakenIn() }
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

    /// Runs a body that may change the store, and commits what it did; if it throws, nothing was done.
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
            deliverTakenIn()
            throw error
        }
        // Version by version: who delivers a later one first would wait for this one, which only this thread delivers.
        deliverTakenIn(before: changes?.version)
        if let changes {
            delivery.deliver(changes)
            deliverTakenIn()
        }
        moveLogIfLong()
        pruneHistoryIfLong()
        return result
    }

    /// Whether a write is open on the calling thread.
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

    /// Runs a body as the only one that writes.
    ///
    /// - Throws: ``StoreError`` `wouldDeadlock` where the thread that writes waits for this one; what the body throws.
    func alone<Result>(_ body: () throws -> Result) throws -> Result {
        try writeLock.withLock(
            orThrow: StoreError(
                .wouldDeadlock,
                "the store is held by a transaction on a thread that waits for this one: neither would ever go on"
            ),
            body
        )
    }

    private func openWriter() throws -> SQLiteConnection {
        guard let writer else { throw StoreError(.closed, "the store is closed") }
        return writer
    }

    /// Runs and commits a transaction under the write lock.
    ///
    /// - Returns: What the body returned, and the change set if rows have changed.
    private func commit<Result>(
        _ body: (any WriteTransaction) throws -> Result
    ) throws -> (Result, TransactionChanges?) {
        let connection = try openWriter()
        // What an earlier transaction could not even undo, for want of memory, is undone now.
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
                // An error that ended the transaction counts even if the body swallowed it.
                try transaction.requireUsable()
                // From here on nothing ends the transaction but its commit.
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
            // If even this fails, SQLite has ended the transaction, or the next one begins with it.
            if !connection.isInAutocommit { try? connection.rollBack() }
            throw error
        }
    }

    /// Moves the log into the database file when it has grown long.
    ///
    /// Done here instead of inside the commit, so that neither readers nor observers wait for the disk. An
    /// error is let go: the rows are safe in the log, and the next commit tries again.
    private func moveLogIfLong() {
        guard readers != nil else { return }
        writeLock.withLockIfFree {
            guard let writer, writer.logPages >= configuration.checkpointPages else { return }
            writer.logPages = 0
            sqlite3_wal_checkpoint_v2(writer.handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
    }
}
