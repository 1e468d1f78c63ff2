/// Options for a store's history, and for following the commits of other processes.
///
/// A history makes writes slower: a trigger writes each changed row once more, even if a program without this package
/// changes it. For example, 100,000 inserts in one transaction take three to four times as long. Use it for stores that
/// several processes write, or whose changes you resume from a token.
public struct HistoryOptions: Sendable, Hashable {
    /// The name of this store object's transactions in the history.
    public var author: String?
    /// The minimum number of changes to keep; older changes are deleted automatically.
    ///
    /// The limit bounds the size of the file. A process that falls further behind must compare everything once.
    public var changeLimit: Int
    /// A Boolean value that indicates whether commits of other processes are merged soon after they happen.
    ///
    /// If not, they are merged only by ``SQLiteStore/mergeRemoteChanges()``, reads and writes.
    public var followsOtherProcesses: Bool
    /// The polling interval in milliseconds where the system does not report file changes.
    public var pollingInterval: Int

    /// Creates options.
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

    /// The options with the change limit clamped to 1 ...
    ///
    /// 2^40.
    var withinBounds: HistoryOptions {
        var options = self
        options.changeLimit = min(max(1, changeLimit), 1 << 40)
        return options
    }
}
