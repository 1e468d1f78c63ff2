public import Foundation

/// A place in the history of one store, which outlives the process: keep it, and ask later what has changed
/// since.
///
/// It is `Codable`. A token of another store, of a copy that went another way, or of a time that is no longer
/// kept is known as such.
public struct StoreHistoryToken: Sendable, Hashable, Codable {
    /// The store that it belongs to.
    public let storeIdentifier: UUID
    /// The number of the last change before this place; it grows with every change of every process.
    public let sequence: Int64
    /// What the change of that number was marked with, so that the same number in another history is not taken
    /// for it.
    package let mark: Int64

    package init(storeIdentifier: UUID, sequence: Int64, mark: Int64) {
        self.storeIdentifier = storeIdentifier
        self.sequence = sequence
        self.mark = mark
    }
}
