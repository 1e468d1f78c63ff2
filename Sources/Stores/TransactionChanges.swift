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

    /// The store's ``ReadTransaction/version`` after this transaction.
    public let version: Int
    /// The changed rows by entity, in ascending order of identity.
    ///
    /// A row that ended as it began is not here.
    public let changes: [String: [RowChange]]

    /// Makes the changes of a transaction.
    public init(version: Int, changes: [String: [RowChange]]) {
        self.version = version
        self.changes = changes
    }
}
