/// The history of a store that records one: its options, and the watch for commits of other processes.
///
/// A store has both or neither.
struct RecordedHistory {
    let options: HistoryOptions
    let watch: RemoteWatch

    /// Creates the history of the file at a path, whose other processes are not followed yet.
    init(_ options: HistoryOptions, path: String, configuration: SQLiteConfiguration) throws {
        self.options = options.withinBounds
        watch = try RemoteWatch(path: path, configuration: configuration)
    }

    /// Begins to follow other processes for a store, if the options say so.
    func begin(for store: SQLiteStore) {
        guard options.followsOtherProcesses else { return }
        watch.begin(for: store, pollingInterval: options.pollingInterval)
    }
}
