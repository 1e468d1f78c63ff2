public import Foundation

/// A store that records the changes of its transactions, no matter which process committed them.
///
/// ```swift
/// let token = try store.currentHistoryToken()                  // saved with the program's own state
/// switch try store.fetchHistory(after: token) {                // after a restart, for example
/// case .transactions(let transactions, let token): ...         // row by row, with old and new values
/// case .missed(let reason, let token): ...                     // compare everything once
/// }
/// ```
public protocol StoreHistory: Store {
    /// The name of this store object's transactions in the history.
    var transactionAuthor: String? { get }

    /// Returns the current position in the history.
    ///
    /// - Throws: ``StoreError`` `invalidRequest` if the store records no history.
    func currentHistoryToken() throws -> StoreHistoryToken

    /// Returns all transactions of all processes since a position, oldest first.
    ///
    /// The changes of each transaction are exact: they contain the values before and after it, even if later
    /// transactions changed the same rows.
    ///
    /// - Parameters:
    ///   - token: The position.
    ///   - author: The author whose transactions are excluded, usually the caller's own ``transactionAuthor``; `nil`
    ///     excludes none.
    /// - Returns: The transactions, or the reason why the store cannot report all of them.
    /// - Throws: ``StoreError``; an unusable token is not an error but a result.
    /// - Complexity: O(k) in the changes since the token.
    func fetchHistory(
        after token: StoreHistoryToken,
        excludingAuthor author: String?
    ) throws -> StoreHistoryResult

    /// Deletes the transactions up to a position.
    ///
    /// Later requests with an older token get ``MissedHistory/pruned``.
    func deleteHistory(before token: StoreHistoryToken) throws

    /// Merges the changes that other processes have committed so far, and delivers them to observers before it returns.
    ///
    /// The store also does this automatically, soon after each commit. Call this method if you cannot wait for that.
    ///
    /// - Returns: Whether there were new changes.
    @discardableResult
    func mergeRemoteChanges() throws -> Bool
}

extension StoreHistory {
    /// Returns all transactions of all processes since a position, oldest first.
    public func fetchHistory(after token: StoreHistoryToken) throws -> StoreHistoryResult {
        try fetchHistory(after: token, excludingAuthor: nil)
    }
}

/// The result of a request for a store's history.
public enum StoreHistoryResult: Sendable {
    /// The complete history: the transactions, and the position after the last one.
    case transactions([StoreHistoryTransaction], StoreHistoryToken)
    /// An incomplete history: compare everything once, then continue from this token.
    case missed(MissedHistory, StoreHistoryToken)
}

/// One transaction in a store's history.
public struct StoreHistoryTransaction: Sendable {
    /// The position in the history after this transaction.
    public let token: StoreHistoryToken
    /// The name that the committing store object gave itself.
    ///
    /// `nil` if it has no name, or if a program without this package committed the transaction. Consecutive
    /// transactions of such programs are combined into one.
    public let author: String?
    /// The time of the commit; `nil` for transactions of programs without this package.
    public let timestamp: Date?
    /// The process that committed the transaction; `nil` for transactions of programs without this package.
    public let processIdentifier: Int32?
    /// The changed rows by entity, in ascending order of identity, each with its values before and after.
    public let changes: [String: [TransactionChanges.RowChange]]

    /// Creates a transaction.
    public init(
        token: StoreHistoryToken,
        author: String?,
        timestamp: Date?,
        processIdentifier: Int32?,
        changes: [String: [TransactionChanges.RowChange]]
    ) {
        self.token = token
        self.author = author
        self.timestamp = timestamp
        self.processIdentifier = processIdentifier
        self.changes = changes
    }
}
