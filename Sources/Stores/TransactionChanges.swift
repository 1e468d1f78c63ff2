/// The net changes of a committed transaction, one per row.
public struct TransactionChanges: Sendable {
    /// The change of one row from the state before the transaction to the state after it.
    ///
    /// At most one of `old` and `new` is `nil`.
    public struct RowChange: Sendable, Hashable {
        /// The row's identity.
        public let id: RowID
        /// All values before, in the order of the entity's attributes; `nil` if the row did not exist.
        public let old: [AttributeValue]?
        /// All values after; `nil` if the row does not exist any more.
        public let new: [AttributeValue]?

        /// Creates a change.
        public init(id: RowID, old: [AttributeValue]?, new: [AttributeValue]?) {
            self.id = id
            self.old = old
            self.new = new
        }
    }

    /// The origin of a transaction.
    public enum Origin: Sendable, Hashable {
        /// This store object.
        case own
        /// Another process, or another store object on the same file, with the name that it gave itself.
        ///
        /// The author is `nil` if it has no name, or if it is a program without this package.
        case other(author: String?)
    }

    /// The store's ``ReadTransaction/version`` after this transaction.
    public let version: Int
    /// The changed rows by entity, in ascending order of identity.
    ///
    /// Rows whose values are the same as before the transaction are not included.
    public let changes: [String: [RowChange]]
    /// The origin of the transaction.
    public let origin: Origin
    /// The position in the store's history; `nil` if the store records no history.
    public let token: StoreHistoryToken?
    /// The reason why the changes are unknown; `nil` if they are known.
    ///
    /// If it is set, ``changes`` is empty, any row may have changed, and observers must compare everything once.
    public let missedHistory: MissedHistory?

    /// Creates the changes of a transaction.
    public init(
        version: Int,
        changes: [String: [RowChange]],
        origin: Origin = .own,
        token: StoreHistoryToken? = nil,
        missedHistory: MissedHistory? = nil
    ) {
        self.version = version
        self.changes = changes
        self.origin = origin
        self.token = token
        self.missedHistory = missedHistory
    }
}
