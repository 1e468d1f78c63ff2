internal import BridgeValues
internal import Stores

/// Which transaction each thread is in the middle of.
final class ThreadTransactions: Sendable {
    // @unchecked Sendable because a thread only ever gets its own transaction back.
    private struct Entry: @unchecked Sendable {
        let transaction: SQLiteTransaction
    }

    private let entries = Locked<[ThreadID: Entry]>([:])

    /// The calling thread's transaction.
    var current: SQLiteTransaction? { entries.withLock { $0[.current] }?.transaction }

    /// Runs a body inside a transaction, which cannot be used afterwards.
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
