public import Foundation

/// A store that remembers what its transactions changed, whichever process committed them.
///
/// ```swift
/// let token = try store.currentHistoryToken()                  // kept with the program's own state
/// switch try store.fetchHistory(after: token) {                // some time and a restart later
/// case .transactions(let transactions, let token): ...         // row by row, with old and new values
/// case .missed(let reason, let token): ...                     // compare everything once
/// }
/// ```
public protocol StoreHistory: Store {
    /// The name under which this store object's transactions stand in the history.
    var transactionAuthor: String? { get }

    /// The place in the history that the store has now.
    ///
    /// - Throws: ``StoreError`` `invalidRequest` where the store keeps no history.
    func currentHistoryToken() throws -> StoreHistoryToken

    /// Gives all transactions since a place, oldest first, of all processes.
    ///
    /// The changes are exact for each transaction: its values before and after, also where later ones changed
    /// the same rows.
    ///
    /// - Parameters:
    ///   - token: The place.
    ///   - author: Whose transactions to leave out: mostly one's own ``transactionAuthor``; `nil` leaves out
    ///     none.
    /// - Returns: The transactions, or why they cannot all be told.
    /// - Throws: ``StoreError``; a token that is of no use is no error but a result.
    /// - Complexity: O(k) in the changes since the token.
    func fetchHistory(
        after token: StoreHistoryToken,
        excludingAuthor author: String?
    ) throws -> StoreHistoryResult

    /// Forgets the transactions up to a place; a token before it is answered with ``MissedHistory/pruned``
    /// afterwards.
    func deleteHistory(before token: StoreHistoryToken) throws

    /// Takes in what other processes have committed until now, and delivers it to observers before it returns.
    ///
    /// The store does so by itself, soon after each commit; this is for those who cannot wait for it.
    ///
    /// - Returns: Whether there was something that had not been taken in.
    @discardableResult
    func mergeRemoteChanges() throws -> Bool
}

extension StoreHistory {
    /// Gives all transactions since a place, oldest first, of all processes.
    public func fetchHistory(after token: StoreHistoryToken) throws -> StoreHistoryResult {
        try fetchHistory(after: token, excludingAuthor: nil)
    }
}

/// What a store knows of the time since a token.
public enum StoreHistoryResult: Sendable {
    /// All of it: the transactions, and the place after the last one.
    case transactions([StoreHistoryTransaction], StoreHistoryToken)
    /// Not all of it: compare everything once, and go on from this token.
    case missed(MissedHistory, StoreHistoryToken)
}

/// One transaction in a store's history.
public struct StoreHistoryTransaction: Sendable {
    /// The place in the history after it.
    public let token: StoreHistoryToken
    /// The name that its store object gave itself.
    ///
    /// `nil` where it gave none, as programs do that know nothing of this package; theirs that were committed
    /// one right after the other stand here as one.
    public let author: String?
    /// When it was committed; `nil` for those of such programs.
    public let timestamp: Date?
    /// The process that committed it; `nil` for those of such programs.
    public let processIdentifier: Int32?
    /// The changed rows by entity, in ascending order of identity, each with its values before and after.
    public let changes: [String: [TransactionChanges.RowChange]]

    /// Makes a transaction.
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
