internal import Foundation
public import Stores

extension SQLiteStore: StoreHistory {
    /// The name under which this store object's transactions stand in the history.
    public var transactionAuthor: String? { history?.author }

    /// The place in the history that the store has now.
    ///
    /// - Throws: ``StoreError`` `invalidRequest` where the store keeps no history (``HistoryOptions``).
    /// Inside a transaction of the same thread it throws `invalidRequest` too.
    public func currentHistoryToken() throws -> StoreHistoryToken {
        let watch = try requireHistory()
        try requireNoTransaction()
        return try watch.alone { connection in
            guard let head = try ChangeLog.head(of: connection) else {
                throw StoreError(.failed, "\(path): the history is empty, which it never is by itself")
            }
            return StoreHistoryToken(head, of: identifier)
        }
    }

    /// Gives all transactions since a place, oldest first, of all processes.
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
                throw StoreError(.failed, "\(path): the history is empty, which it never is by itself")
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

    /// Forgets the transactions up to a place.
    public func deleteHistory(before token: StoreHistoryToken) throws {
        _ = try requireHistory()
        guard token.storeIdentifier == identifier else {
            throw StoreError(
                .invalidRequest,
                "the token is of another store than \(path)",
                forScripts: "the token is of another store"
            )
        }
        try write { transaction in
            guard let connection = (transaction as? SQLiteTransaction)?.connection else { return }
            // The row of the token stays, so that the token itself is of use.
            try connection.run(
                #"DELETE FROM "$changes" WHERE sequence < min(?, (SELECT max(sequence) FROM "$changes"))"#,
                .integer(token.sequence)
            )
        }
    }

    /// Takes in what other processes have committed until now, and delivers it to observers before it returns.
    ///
    /// - Returns: Whether there was something that had not been taken in.
    /// - Throws: ``StoreError``: `invalidRequest` where the store keeps no history, and inside a transaction; any other
    ///   where the log cannot be read or mended, and then it is looked at again next time.
    @discardableResult
    public func mergeRemoteChanges() throws -> Bool {
        let watch = try requireHistory()
        try requireNoTransaction()
        let before = committed.withLock { $0.version }
        try watch.alone { connection in
            if watch.isReplaced { return reopen(watch) }
            // Twice where the log had to be mended: the second look sees what the first one noted.
            for _ in 0..<2 { if try !look(watch, connection) { return } }
        }
        let after = committed.withLock { $0.version }
        deliverTakenIn()
        // Another thread may be in the middle of it.
        delivery.wait(for: after)
        pruneHistoryIfLong()
        return after != before
    }

    // The watch's connection and the writing one are locked in this order everywhere.
    private func requireNoTransaction() throws {
        guard transactions.current == nil else {
            throw StoreError(
                .invalidRequest,
                "the history cannot be asked inside a transaction of the same thread: ask before or after it"
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
