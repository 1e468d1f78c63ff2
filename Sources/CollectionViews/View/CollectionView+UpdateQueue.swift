internal import DataSources
internal import Foundation

/// The one loop of a view: queued updates in the order of their calls, then a layout pass, until neither is left.
extension CollectionView {
    /// The maximum number of rounds in which callbacks may request further updates and passes.
    private static let maximumRounds = 100

    /// A change that a callback of the view has requested.
    struct QueuedUpdate {
        /// The counts of the data source at the call; `nil` if the update is not a batch.
        var counts: [Int]?
        /// Performs the update; the argument is ``counts``.
        let perform: (CollectionView, _ counts: [Int]?) -> Void
    }

    /// Lays the view out, if something has changed: requests cells, measures them, and recycles others.
    ///
    /// Updates that callbacks make meanwhile are applied too, in the order of their calls.
    ///
    /// - Throws: ``CollectionViewError``, or an error of the data source. The view is then not laid out, and the next
    ///   call tries again. ``CollectionViewError/Code/layoutDoesNotSettle`` if callbacks change the view without end.
    public func layoutIfNeeded() throws {
        guard needsLayout || !queuedUpdates.isEmpty else { return }
        guard !isBusy, !isPerformingQueue else {
            throw CollectionViewError(
                .calledFromCallback,
                "layoutIfNeeded() was called by a callback of the view"
            )
        }
        var rounds = 0
        while needsLayout || !queuedUpdates.isEmpty {
            rounds += 1
            guard rounds <= Self.maximumRounds else {
                callCompletions()
                throw CollectionViewError(
                    .layoutDoesNotSettle,
                    "callbacks still change the view after \(Self.maximumRounds) layout passes"
                )
            }
            performRound()
            guard queuedUpdates.isEmpty else { continue }
            do {
                if needsLayout { try performPass() }
            } catch {
                // Callbacks of the failed pass may have requested the change that cures it.
                performRound()
                callCompletions()
                throw error
            }
            if queuedUpdates.isEmpty { callCompletions() }
        }
    }

    private func performPass() throws {
        isBusy = true
        needsAnotherPass = false
        // A data source that is set by a callback knows nothing of the paths of this pass.
        passSource = dataSource
        defer {
            isBusy = false
            passSource = nil
        }
        try runPass()
        needsLayout = needsAnotherPass
    }

    /// Calls a data source or delegate, whose updates are queued.
    func calling<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let wasBusy = isBusy
        isBusy = true
        defer { isBusy = wasBusy }
        return try body()
    }

    /// Performs a change now, or after the present layout pass or update, in the order of the calls.
    func performWhenIdle(_ change: @escaping (CollectionView) -> Void) {
        guard isBusy || isPerformingQueue else {
            change(self)
            return performQueuedUpdates()
        }
        queuedUpdates.append(QueuedUpdate { view, _ in change(view) })
    }

    /// Performs a batch now, or after the present layout pass or update.
    ///
    /// A data source may have changed before the call, and may change again before the batch is applied. So the closure
    /// receives the counts at the time of the call.
    func performBatchWhenIdle(_ change: @escaping (CollectionView, _ counts: [Int]?) -> Void) {
        guard isBusy || isPerformingQueue else { return change(self, nil) }
        queuedUpdates.append(QueuedUpdate(counts: (try? readCounts()) ?? [], perform: change))
    }

    /// Performs the updates that callbacks have requested, without a layout pass.
    ///
    /// Updates that never end are left to the next pass, which throws the error.
    func performQueuedUpdates() {
        guard !isBusy, !isPerformingQueue, batch == nil else { return }
        var rounds = 0
        while !queuedUpdates.isEmpty, rounds < Self.maximumRounds {
            rounds += 1
            performRound()
        }
        callCompletions()
    }

    /// Performs the updates that are queued; those that they queue are left to the next round.
    private func performRound() {
        guard !queuedUpdates.isEmpty else { return }
        let updates = queuedUpdates
        queuedUpdates = []
        isPerformingQueue = true
        for update in updates { update.perform(self, update.counts) }
        isPerformingQueue = false
        if updates.contains(where: { $0.counts != nil }) { reloadIfCountsDiffer() }
    }

    /// Reloads the view if queued batches did not lead to the present state of the data source.
    ///
    /// A batch that was rejected, or that was applied to another state than it was meant for, would otherwise be
    /// followed by rejections for ever.
    private func reloadIfCountsDiffer() {
        guard let counts, reordering == nil, unreportedMovement == nil,
            !queuedUpdates.contains(where: { $0.counts != nil }),
            let present = try? readCounts(), present != counts
        else { return }
        reload()
    }

    /// Calls the completions of queued batches, which may use the view like any caller.
    private func callCompletions() {
        while !finished.isEmpty { finished.removeFirst()() }
    }
}
