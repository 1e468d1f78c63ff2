internal import Foundation
public import Stores

extension SQLiteStore: StoreHistory {
    /// The name of this store object's transactions in the history.
    public var transactionAuthor: String? { history?.author }

    /// Returns the current position in the history.
    ///
    /// - Throws: ``StoreError`` `invalidRequest` if the store records no history (``HistoryOptions``), or inside a
    ///   transaction of the same thread.
    public func currentHistoryToken() throws -> StoreHistoryToken {
        let watch = try requireHistory()
        try requireNoTransaction()
        return try watch.alone { connection in
            guard let head = try ChangeLog.head(of: connection) else {
                throw StoreError(
                    .failed,
                    "\(path): the history is empty, although the store never empties it"
                )
            }
            return StoreHistoryToken(head, of: identifier)
        }
    }

    /// Returns all transactions of all processes since a position, oldest first.
    public func fetchHistory(
        after token: StoreHistoryToken,
        excludingAuthor author: String?
    ) throws -> StoreHistoryResult {
        let watch = try requireHistory()
        try requireNoTransaction()
        return try watch.alone { connection in
            try connection.control("BEGIN")
            defer { try? connection.rollBack() }
            let state = try ChangeLog.state(of: connection)
            guard let head = state.head else {
                throw StoreError(
                    .failed,
                    "\(path): the history is empty, although the store never empties it"
                )
            }
            let now = StoreHistoryToken(head, of: identifier)
            guard token.storeIdentifier == identifier else { return .missed(.otherStore, now) }
            guard state.schema == state.knownSchema else { return .missed(.schemaChanged, now) }
            let reading = try ChangeLog.read(
                after: ChangeLog.Position(sequence: token.sequence, mark: token.mark),
                of: identifier,
                StoreSchema(from: connection),
                on: connection
            )
            if let missed = reading.missed { return .missed(missed, now) }
            let transactions = reading.transactions.filter { author == nil || $0.author != author }
            return .transactions(transactions, now)
        }
    }

    /// Deletes the transactions up to a position.
    public func deleteHistory(before token: StoreHistoryToken) throws {
        _ = try requireHistory()
        guard token.storeIdentifier == identifier else {
            throw StoreError(
                .invalidRequest,
                "the token belongs to another store than \(path)",
                forScripts: "the token belongs to another store"
            )
        }
        try write { transaction in
            guard let connection = (transaction as? SQLiteTransaction)?.connection else { return }
            // The log row of the token is kept, so that the token stays valid.
            try connection.run(
                #"DELETE FROM "$changes" WHERE sequence < min(?, (SELECT max(sequence) FROM "$changes"))"#,
                .integer(token.sequence)
            )
        }
    }

    /// Merges the changes that other processes have committed so far, and delivers them to observers before it returns.
    ///
    /// - Returns: Whether there were new changes.
    /// - Throws: ``StoreError``: `invalidRequest` if the store records no history, and inside a transaction. Other
    ///   errors mean that the log could not be read or repaired; the next call retries.
    @discardableResult
    public func mergeRemoteChanges() throws -> Bool {
        let watch = try requireHistory()
        try requireNoTransaction()
        let before = committed.withLock { $0.version }
        try watch.alone { connection in
            if watch.isReplaced { return reopen(watch) }
            // Twice if the log was repaired: the second pass reads the gap that the first one recorded.
            for _ in 0..<2 { if try !look(watch, connection) { return } }
        }
        let after = committed.withLock { $0.version }
        deliverRemoteVersions()
        // Another thread may be delivering them.
        delivery.wait(for: after)
        pruneHistoryIfLong()
        return after != before
    }

    // The watch's connection and the writing one are always locked in this order.
    private func requireNoTransaction() throws {
        guard transactions.current == nil else {
            throw StoreError(
                .invalidRequest,
                "the history cannot be read inside a transaction of the same thread"
            )
        }
    }

    private func requireHistory() throws -> RemoteWatch {
        guard let remoteWatch else {
            throw StoreError(
                .invalidRequest,
                "\(path) was opened without a history: open it with HistoryOptions",
                forScripts: "the store was opened without a history"
            )
        }
        return remoteWatch
    }
}
