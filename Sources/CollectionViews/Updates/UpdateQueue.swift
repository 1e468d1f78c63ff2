/// The updates that wait for the end of a callback, and the completions of those that were applied.
struct UpdateQueue {
    /// A change that a callback of the view has requested.
    struct QueuedUpdate {
        /// The counts of the data source at the call; `nil` if the update is not a batch.
        var counts: [Int]?
        /// A closure that performs the update; the argument is ``counts``.
        let perform: (CollectionView, _ counts: [Int]?) -> Void
    }

    /// The updates, in the order of their calls.
    var queued: [QueuedUpdate] = []
    /// A Boolean value that indicates whether the updates of a round are being performed.
    var isPerforming = false
    /// The changes of the batch whose block runs.
    var batch: UpdateBatch?
    private var completions: [() -> Void] = []
    // The completions before this index have been called.
    private var called = 0

    /// A Boolean value that indicates whether batches wait, which the data source may have made already.
    var hasBatches: Bool { queued.contains { $0.counts != nil } }

    /// Adds completions of updates that have been applied.
    mutating func finish(_ new: [() -> Void]) { completions += new }

    /// Returns the first completion that was not yet called.
    mutating func nextCompletion() -> (() -> Void)? {
        guard called < completions.count else {
            completions = []
            called = 0
            return nil
        }
        defer { called += 1 }
        return completions[called]
    }
}
