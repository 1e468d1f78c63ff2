internal import DataSources
internal import Foundation

/// The one loop of a view: queued updates in the order of their calls, then a layout pass, until neither is left.
extension CollectionView {
    /// The maximum number of rounds in which callbacks may request further updates and passes.
    private static let maximumRounds = 100

    /// Lays the view out, if something has changed: requests cells, measures them, and recycles others.
    ///
    /// Updates that callbacks make meanwhile are applied too, in the order of their calls.
    ///
    /// - Throws: ``CollectionViewError``, or an error of the data source. The view is then not laid out, and the next
    ///   call tries again. ``CollectionViewError/Code/layoutDoesNotSettle`` if callbacks change the view without end.
    public func layoutIfNeeded() throws {
        if !pass.needsLayout, updateQueue.queued.isEmpty, prefetchQueue.isDeferred, !pass.isBusy {
            // A frame in which nothing moves: the content is where it stays. The answer may change the view.
            calling { prefetch() }
            performQueuedUpdates()
        }
        guard pass.needsLayout || !updateQueue.queued.isEmpty else { return }
        guard !pass.isBusy, !updateQueue.isPerforming else {
            throw CollectionViewError(
                .calledFromCallback,
                "layoutIfNeeded() was called by a callback of the view"
            )
        }
        var rounds = 0
        while pass.needsLayout || !updateQueue.queued.isEmpty {
            rounds += 1
            guard rounds <= Self.maximumRounds else {
                callCompletions()
                throw CollectionViewError(
                    .layoutDoesNotSettle,
                    "callbacks still change the view after \(Self.maximumRounds) layout passes"
                )
            }
            performRound()
            guard updateQueue.queued.isEmpty else { continue }
            do {
                if pass.needsLayout { try performPass() }
            } catch {
                // Callbacks of the failed pass may have requested the change that cures it.
                performRound()
                callCompletions()
                throw error
            }
            if updateQueue.queued.isEmpty { callCompletions() }
        }
    }

    private func performPass() throws {
        pass.isBusy = true
        pass.needsAnother = false
        pass.source = dataSource
        defer {
            pass.isBusy = false
            pass.source = nil
        }
        try runPass()
        finishLayoutChange()
        pass.needsLayout = pass.needsAnother
    }

    /// Calls a data source or delegate, whose updates are queued.
    func calling<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let wasBusy = pass.isBusy
        pass.isBusy = true
        defer { pass.isBusy = wasBusy }
        return try body()
    }

    /// Performs a change now, or after the present layout pass or update, in the order of the calls.
    func performWhenIdle(_ change: @escaping (CollectionView) -> Void) {
        guard pass.isBusy || updateQueue.isPerforming else {
            change(self)
            return performQueuedUpdates()
        }
        updateQueue.queued.append(UpdateQueue.QueuedUpdate { view, _ in change(view) })
    }

    /// Performs a batch now, or after the present layout pass or update.
    ///
    /// A data source may have changed before the call, and may change again before the batch is applied. So the closure
    /// receives the counts at the time of the call.
    func performBatchWhenIdle(_ change: @escaping (CollectionView, _ counts: [Int]?) -> Void) {
        guard pass.isBusy || updateQueue.isPerforming else { return change(self, nil) }
        updateQueue.queued.append(
            UpdateQueue.QueuedUpdate(counts: (try? readCounts()) ?? [], perform: change)
        )
    }

    /// Performs the updates that callbacks have requested, without a layout pass.
    ///
    /// Updates that never end are left to the next pass, which throws the error.
    func performQueuedUpdates() {
        guard !pass.isBusy, !updateQueue.isPerforming, updateQueue.batch == nil else { return }
        var rounds = 0
        while !updateQueue.queued.isEmpty, rounds < Self.maximumRounds {
            rounds += 1
            performRound()
        }
        callCompletions()
    }

    /// Performs the updates that are queued; those that they queue are left to the next round.
    private func performRound() {
        guard !updateQueue.queued.isEmpty else { return }
        let updates = updateQueue.queued
        updateQueue.queued = []
        updateQueue.isPerforming = true
        for update in updates { update.perform(self, update.counts) }
        updateQueue.isPerforming = false
        guard updates.contains(where: { $0.counts != nil }) else { return }
        reloadIfCountsDiffer()
        for element in displayed.keys where displayed[element]?.isStale == true {
            displayed[element]?.isStale = false
            displayed[element]?.pendingChange = .reload
            setNeedsLayout()
        }
    }

    /// Reloads the view if queued batches did not lead to the present state of the data source.
    ///
    /// A batch that was rejected, or that was applied to another state than it was meant for, would otherwise be
    /// followed by rejections for ever.
    private func reloadIfCountsDiffer() {
        guard let shown = counts, interaction.shownMovement == nil,
            !updateQueue.hasBatches,
            let present = try? readCounts(), present != interaction.placeholders.sourceCounts(shown)
        else { return }
        reload()
        mirror { $0.performWhenIdle { $0.reloadIfCountsDiffer() } }
    }

    /// Calls the completions of queued batches, which may use the view like any caller.
    private func callCompletions() {
        while let completion = updateQueue.nextCompletion() { completion() }
    }
}

extension CollectionView {
    /// Replaces the layout.
    ///
    /// The first visible item keeps its distance from the edge of the viewport, unless the delegate returns another
    /// offset. Views that stay visible keep their numbers in the next frame, so a renderer can move them.
    ///
    /// - Parameters:
    ///   - layout: The new layout.
    ///   - animated: A Boolean value that indicates whether the next frame has ``ViewTransitions/isAnimated`` set.
    ///   - completion: A closure that is called once: with `true` after the layout pass that shows the layout, or with
    ///     `false` if another layout replaces it before.
    public func setCollectionViewLayout(
        _ layout: CollectionLayout,
        animated: Bool = false,
        completion: ((Bool) -> Void)? = nil
    ) {
        performWhenIdle { $0.replaceLayout(by: layout, animated, completion) }
    }

    private func replaceLayout(
        by layout: CollectionLayout,
        _ animated: Bool,
        _ completion: ((Bool) -> Void)?
    ) {
        let earlier = pass.layoutChange
        guard layout !== collectionViewLayout else {
            guard let completion else { return }
            guard let earlier else { return performCompletions([{ completion(true) }]) }
            pass.layoutChange?.completion = { isShown in
                earlier.completion?(isShown)
                completion(isShown)
            }
            return
        }
        let old = collectionViewLayout
        old.host = nil
        attach(layout)
        collectionViewLayout = layout
        let views = displayed.keys.sorted().compactMap { displayed[$0]?.view }
        pass.layoutChange = LayoutChange(old: earlier?.old ?? old, views: views, completion: completion)
        if animated { pass.transitions.isAnimated = true }
        setNeedsMeasurement()
        setNeedsLayout()
        calling { for view in views { view.willTransition(from: old, to: layout) } }
        if let completion = earlier?.completion { performCompletions([{ completion(false) }]) }
    }

    /// Calls completions now, or after the queue of updates whose loop runs.
    private func performCompletions(_ completions: [() -> Void]) {
        if updateQueue.isPerforming {
            updateQueue.finish(completions)
        } else {
            for completion in completions { completion() }
        }
    }

    /// Asks the delegate for the offset at which a batch or a new layout ends, and returns whether it differs.
    func adoptTargetOffset() -> Bool {
        guard let delegate else { return false }
        let proposed = limited(offset)
        let target = calling {
            delegate.collectionView(self, targetContentOffsetForProposedContentOffset: proposed)
        }
        guard !target.isNaN, target != proposed else { return false }
        offset = limited(target)
        return true
    }

    /// Ends the replacement of the layout after a successful pass; the loop calls the completion.
    func finishLayoutChange() {
        guard let change = pass.layoutChange else { return }
        pass.layoutChange = nil
        for view in change.views where view.layoutAttributes != nil {
            view.didTransition(from: change.old, to: collectionViewLayout)
        }
        if let completion = change.completion { updateQueue.finish([{ completion(true) }]) }
    }
}
