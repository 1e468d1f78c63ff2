public import Foundation

/// A position in the history of one store.
///
/// It stays valid across processes: save it, and request the changes since then later.
///
/// The store detects a token of another store, of a copy whose history diverged, and of a time whose history was
/// deleted.
public struct StoreHistoryToken: Sendable, Hashable, Codable {
    /// The identifier of the store that the token belongs to.
    public let storeIdentifier: UUID
    /// The number of the last change before this position; it increases with every change of every process.
    public let sequence: Int64
    /// The mark of the change with that number.
    ///
    /// It distinguishes the same number in another history.
    package let mark: Int64

    package init(storeIdentifier: UUID, sequence: Int64, mark: Int64) {
        self.storeIdentifier = storeIdentifier
        self.sequence = sequence
        self.mark = mark
    }
}
