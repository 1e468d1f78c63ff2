internal import Stores

/// A write of a store that is open on this thread: a script's transaction, or a write of the host in which a script
/// runs.
///
/// A query that is read inside it retains it, and asks it later whether that content may still be shown.
final class OpenTransaction {
    /// The number of times that content read inside may have become wrong: parts were rolled back, or it ended.
    private(set) var generation = 0
    /// A Boolean value that indicates whether the transaction was committed.
    ///
    /// It is `false` for a write of the host, and for a part of one, because its end is unknown here.
    private(set) var isCommitted = false

    /// Records that a part of the transaction was rolled back.
    func partWasRolledBack() { generation += 1 }

    /// Records the end of the transaction.
    func end(isCommitted: Bool) {
        self.isCommitted = isCommitted
        generation += 1
    }
}

extension DataSession {
    /// A transaction of a script that is open on this thread.
    struct ScriptTransaction {
        /// The name of the store in the script.
        let name: String
        let store: any Store
        let transaction: any WriteTransaction
        let open: OpenTransaction
    }

    /// Returns whether a transaction of a store is open on this thread, a script's or the host's.
    func isInTransaction(of store: any Store) -> Bool {
        if openTransactions.contains(where: { $0.store === store }) { return true }
        return (store as? any ThreadWriting)?.isWritingOnThisThread ?? false
    }

    /// Returns the transaction of a store that is open on this thread, if there is one.
    func openTransaction(of store: any Store) -> OpenTransaction? {
        if let script = openTransactions.last(where: { $0.store === store }) { return script.open }
        return isInTransaction(of: store) ? OpenTransaction() : nil
    }
}
