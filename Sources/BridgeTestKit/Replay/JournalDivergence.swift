public import BridgeProtocol
internal import BridgeValues

/// The first place at which the behavior of a script differs from its journal.
public struct JournalDivergence: Sendable, Hashable {
    /// The index of the entry, from 0; in the journal's text it is line `position + 2`.
    public var position: Int
    /// The entry in the journal; `nil` after its end.
    public var expected: JournalEntry?
    /// The action of the script; `nil` if there was none.
    public var actual: JournalEntry?
}

extension JournalDivergence: CustomStringConvertible {
    /// The place, the expected entry and the actual one, in three lines.
    public var description: String {
        """
        entry \(position) (line \(position + 2)): the script does not do what it did
          expected  \(expected?.excerpt ?? "nothing more")
          got       \(actual?.excerpt ?? "nothing more")
        """
    }
}

extension JournalEntry {
    /// The entry on a line that a terminal can show, cut if it is long.
    package var excerpt: String {
        let text = description
        return Printable.text(text.utf8.count > 400 ? text.prefix(400) + " [...]" : text)
    }
}
