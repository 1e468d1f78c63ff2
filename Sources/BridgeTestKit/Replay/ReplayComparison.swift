internal import BridgeProtocol

/// The rules by which the actions of a script are compared with a journal.
struct ReplayComparison {
    let mode: JournalPlayer.Mode
    /// A Boolean value that indicates whether the use of the clock is compared.
    let comparesReadings: Bool
    private let isRedacted: Bool
    /// A Boolean value that indicates whether the journal has the end of its bridge, so that additional actions of a
    /// script are a divergence.
    let isWhole: Bool

    init(_ entries: [JournalEntry], of journal: Journal, mode: JournalPlayer.Mode, comparesReadings: Bool) {
        self.mode = mode
        self.comparesReadings = comparesReadings || mode == .exact
        isRedacted = journal.header.redactsSecrets
        isWhole = entries.last == .closed
    }

    /// Returns whether an entry that the script did not repeat is a divergence, where the script may omit others.
    func requires(_ entry: JournalEntry) -> Bool {
        mode == .renumbered && (entry.isCompared || comparesReadings && entry.isReading)
    }

    /// Returns whether an entry is a clock reading whose use is not compared.
    func isOptionalReading(_ entry: JournalEntry) -> Bool { !comparesReadings && entry.isReading }

    /// Returns whether an action of the script is the recorded one.
    func matches(_ entry: JournalEntry, _ recorded: JournalEntry) -> Bool {
        entry.matches(recorded, isRedacted: isRedacted)
    }
}

extension JournalEntry {
    /// A Boolean value that indicates whether a missing entry of this kind is a divergence.
    fileprivate var isCompared: Bool {
        switch self {
        case .received, .malformed, .request, .evaluated, .dataCall, .dataResult: true
        default: false
        }
    }

    /// A Boolean value that indicates whether the script reads a clock.
    var isReading: Bool {
        switch self {
        case .date, .clock: true
        default: false
        }
    }
}
