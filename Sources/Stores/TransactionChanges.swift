/// What one committed transaction changed: the net change of each row, whatever happened on the way.
public struct TransactionChanges: Sendable {
    /// One row's way from the state before the transaction to the state after it.
    ///
    /// Never `nil` twice.
    public struct RowChange: Sendable, Hashable {
        /// The row's identity.
        public let id: RowID
        /// All values before, in the order of the entity's attributes; `nil` if the row was not there.
        public let old: [AttributeValue]?
        /// All values after; `nil` if the row is not there any more.
        public let new: [AttributeValue]?

        /// Makes a change.
        public init(id: RowID, old: [AttributeValue]?, new: [AttributeValue]?) {
            self.id = id
            self.old = old
            self.new = new
        }
    }

    /// Who made the transaction.
    public enum Origin: Sendable, Hashable {
        /// This store object.
        case own
        /// Another process, or another store object on the same file, under the name that it gave itself;
        /// `nil` where it gave none, as programs that know nothing of this package do.
        case other(author: String?)
    }

    /// The store's ``ReadTransaction/version`` after this transaction.
    public let version: Int
    /// The changed rows by entity, in ascending order of identity.
    ///
    /// A row that ended as it began is not here.
    public let changes: [String: [RowChange]]
    /// Who made it.
    public let origin: Origin
    /// Its place in the store's history; `nil` where the store keeps none.
    public let token: StoreHistoryToken?
    /// Why it is not known what changed, where it is not: then ``changes`` is empty, any row may have changed,
    /// and whoever keeps something of the store has to compare all of it once.
    public let missedHistory: MissedHistory?

    /// Makes the changes of a transaction.
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
