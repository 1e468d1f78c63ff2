/// The capture of the tables of both sides after a number of entries: a script cannot be stopped there, but its state
/// can be read.
struct TableCapture {
    /// The number of entries; `nil` captures nothing, and follows the capture.
    private var position: Int?
    private(set) var tables: JournalTables?

    /// Requests the tables after a number of entries; `nil` requests none.
    mutating func request(at position: Int?) { self.position = position }

    /// Returns whether the tables must be captured before the entry at a position, which is true once.
    mutating func takeRequest(at position: Int) -> Bool {
        guard let wanted = self.position, position >= wanted else { return false }
        self.position = nil
        return true
    }

    /// Keeps the captured tables.
    mutating func keep(_ tables: JournalTables) { self.tables = tables }
}
