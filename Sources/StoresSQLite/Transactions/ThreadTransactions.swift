internal import BridgeValues
internal import Stores

/// The open transactions, by thread.
final class ThreadTransactions: Sendable {
    // @unchecked Sendable because a thread only gets its own transaction.
    private struct Entry: @unchecked Sendable {
        let transaction: SQLiteTransaction
    }

    private let entries = Locked<[ThreadID: Entry]>([:])

    /// The calling thread's transaction.
    var current: SQLiteTransaction? { entries.withLock { $0[.current] }?.transaction }

    /// Runs a body inside a transaction, and ends the transaction afterwards.
    func run<Result>(_ transaction: SQLiteTransaction, _ body: () throws -> Result) rethrows -> Result {
        let entry = Entry(transaction: transaction)
        entries.withLock { $0[.current] = entry }
        defer {
            _ = entries.withLock { $0.removeValue(forKey: .current) }
            transaction.end()
        }
        return try body()
    }
}
