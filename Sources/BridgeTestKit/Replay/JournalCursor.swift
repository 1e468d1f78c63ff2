internal import BridgeProtocol

/// A position in the entries of a journal, and the number of uses of the clock reading there.
struct JournalCursor {
    let entries: [JournalEntry]
    /// The index of the next entry.
    private(set) var position = 0
    /// The number of uses of the next entry, if that is a reading.
    private var uses = 0

    init(_ entries: [JournalEntry]) { self.entries = entries }

    /// The next entry; `nil` at the end.
    var entry: JournalEntry? { isAtEnd ? nil : entries[position] }
    var isAtEnd: Bool { position >= entries.count }

    /// Moves to the entry after the next one.
    mutating func advance() { move(to: position + 1) }

    /// Moves to an entry, of which nothing was used yet.
    mutating func move(to position: Int) {
        self.position = position
        uses = 0
    }

    /// Uses the next entry, which is a reading, and moves on after its last use.
    mutating func useReading(of count: Int) {
        uses += 1
        if uses >= count { advance() }
    }
}
