/// A reason why a store cannot report, transaction by transaction, what changed since some point in its history.
///
/// The store reports it once, so that observers do not keep an outdated view. The remedy is to compare everything once.
public enum MissedHistory: String, Sendable, Hashable, Codable, CaseIterable {
    /// The transactions of that time were deleted from the history.
    case pruned
    /// The token belongs to another store.
    case otherStore
    /// The token is newer than this store's history: the file is a copy from an earlier time.
    case otherHistory
    /// The tables or their triggers were changed, so rows may have changed without a trace.
    case schemaChanged
    /// A commit is missing from the history because its connection had triggers disabled.
    case unloggedCommit
    /// The store's file was replaced by another file.
    case fileReplaced
}
