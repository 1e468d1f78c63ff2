/// How a store keeps its history, and follows what other processes commit.
///
/// Keeping it costs writers: each changed row is written once more, by a trigger of its table, also when a
/// program that knows nothing of this package changes it (measured: 100,000 inserts in one transaction take
/// three to four times as long). So it is for stores that several processes write, or that somebody resumes
/// from a token.
public struct HistoryOptions: Sendable, Hashable {
    /// The name under which this store object's transactions stand in the history.
    public var author: String?
    /// How many changes are kept at least; older ones are deleted in passing.
    ///
    /// It stops the file from growing for ever. A process that falls further behind than this compares
    /// everything once.
    public var changeLimit: Int
    /// Whether commits of other processes are taken in soon after they happen; else only with
    /// ``SQLiteStore/mergeRemoteChanges()``, reads and writes.
    public var followsOtherProcesses: Bool
    /// How often to look where the system does not report changes of the file, in milliseconds.
    public var pollingInterval: Int

    /// Makes options.
    public init(
        author: String? = nil,
        changeLimit: Int = 100_000,
        followsOtherProcesses: Bool = true,
        pollingInterval: Int = 50
    ) {
        self.author = author
        self.changeLimit = changeLimit
        self.followsOtherProcesses = followsOtherProcesses
        self.pollingInterval = pollingInterval
    }

    /// The same with a limit that can be counted with: from one change to 2^40 of them.
    var withinBounds: HistoryOptions {
        var options = self
        options.changeLimit = min(max(1, changeLimit), 1 << 40)
        return options
    }
}
