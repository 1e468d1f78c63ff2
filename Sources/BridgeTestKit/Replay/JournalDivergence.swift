public import BridgeProtocol
internal import BridgeValues

/// The first place at which a script does not do what a journal says that it did.
public struct JournalDivergence: Sendable, Hashable {
    /// The crossing, counted from 0; in the journal's text it is line `position + 2`.
    public var position: Int
    /// What the journal has there; `nil` where it has nothing more.
    public var expected: JournalEntry?
    /// What the script did; `nil` where it did nothing more.
    public var actual: JournalEntry?
}

extension JournalDivergence: CustomStringConvertible {
    /// Where, what was expected and what came, in three lines.
    public var description: String {
        """
        crossing \(position) (line \(position + 2)): the script does not do what it did
          expected  \(expected?.excerpt ?? "nothing more")
          got       \(actual?.excerpt ?? "nothing more")
        """
    }
}

extension JournalEntry {
    /// The entry in a line that a terminal can show, cut where it is long.
    package var excerpt: String {
        let text = description
        return Printable.text(text.utf8.count > 400 ? text.prefix(400) + " [...]" : text)
    }
}
