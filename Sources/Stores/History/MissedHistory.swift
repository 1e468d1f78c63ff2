/// Why a store cannot tell, transaction by transaction, what happened since some moment.
///
/// It is told once, where silence would leave a wrong view; the answer is to compare everything once.
public enum MissedHistory: String, Sendable, Hashable, Codable, CaseIterable {
    /// The transactions of that time have been deleted from the history.
    case pruned
    /// The token is of another store.
    case otherStore
    /// The token is of a future that this store has not had: the file is a copy from before it.
    case otherHistory
    /// Somebody changed the tables or their triggers, so that rows may have changed unseen.
    case schemaChanged
    /// A commit left no trace in the history: its connection had switched triggers off.
    case unloggedCommit
    /// The store's file was replaced by another one.
    case fileReplaced
}
