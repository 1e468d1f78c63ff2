public import DataSources
public import Foundation

extension CollectionView: BatchUpdatingView {
    /// Applies the changes that a closure makes as one batch, and calls the completion once.
    ///
    /// This is ``performBatchUpdates(_:)`` for callers that cannot take an error: changes that break a rule are
    /// reported to the delegate, and the completion receives `false`. In a callback of the view, the batch is queued.
    public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) {
        if updateQueue.batch != nil {
            updates?()
            if let completion { updateQueue.batch?.completions.append(completion) }
            return
        }
        performUpdatesWhenIdle({ updates?() }, completion: completion)
    }

    /// Applies the changes that a closure makes as one batch, after the present callback of the view.
    ///
    /// The error of the closure is reported to the delegate, as that of a broken rule is.
    package func performUpdatesWhenIdle(
        _ updates: @escaping () throws -> Void,
        completion: ((Bool) -> Void)?
    ) {
        performBatchWhenIdle { view, counts in
            do {
                try view.perform(updates, queued: counts, completion: completion)
            } catch {
                view.calling { view.delegate?.collectionView(view, didRejectUpdates: error) }
                completion?(false)
                view.performQueuedUpdates()
            }
        }
    }

    /// Updates the view by a data source's change set: the changes as one batch, or a full reload.
    ///
    /// A moved item keeps its cell, whose content is requested again, because the change set reports nothing else of it.
    /// The batch names it by its old path, so a change set can be a part of a larger batch.
    ///
    /// While placeholders of a drop are shown, updated items and sections keep their cells, whose content is requested
    /// again. The completion receives `false` for a full reload that is rejected.
    public func performUpdates(withChangeSet changeSet: ChangeSet, completion: ChangeSetCompletion? = nil) {
        guard case .some(let changes) = changeSet else { return reloadData(completion: completion) }
        let moved = changes.compactMap { if case .item(.move(let old, _)) = $0 { old } else { nil } }
        let paths = Set(moved)
        let applied = changes.filter {
            if case .item(.update(let path)) = $0 { !paths.contains(path) } else { true }
        }
        performBatchUpdates(
            {
                let (changes, reconfigured) =
                    self.hasUncommittedUpdates ? self.replacingReloads(applied) : (applied, [])
                self.record(changes)
                self.reconfigureItems(at: moved + reconfigured)
            },
            completion: completion
        )
    }

    /// Returns changes without updates, and the items of the updates.
    private func replacingReloads(_ changes: [Change]) -> ([Change], reconfigured: [IndexPath]) {
        let counts = interaction.placeholders.sourceCounts(counts ?? [])
        var reconfigured: Set<IndexPath> = []
        let others = changes.filter { change in
            switch change {
            case .item(.update(let path)): reconfigured.insert(path)
            case .section(.update(let path)):
                let count = counts.indices.contains(path.section) ? counts[path.section] : 0
                reconfigured.formUnion((0..<count).map { IndexPath(item: $0, section: path.section) })
            default: return true
            }
            return false
        }
        return (others, reconfigured.sorted())
    }

    /// Adds changes to the batch whose block runs, or applies them as a batch of their own.
    func record(_ changes: [Change]) {
        guard updateQueue.batch == nil else {
            updateQueue.batch?.changes += changes
            return
        }
        performBatchUpdates({ self.updateQueue.batch?.changes += changes }, completion: nil)
    }

    private func path(_ section: Int) -> IndexPath { IndexPath(item: 0, section: section) }

    /// Inserts sections, at indices of the new state.
    public func insertSections(_ sections: IndexSet) {
        record(sections.map { .section(type: .insert(path($0))) })
    }

    /// Deletes sections, at indices of the old state.
    public func deleteSections(_ sections: IndexSet) {
        record(sections.map { .section(type: .delete(path($0))) })
    }

    /// Replaces the views of sections, at indices of the old state.
    ///
    /// A section may then have another number of items, if the batch inserts, deletes and moves no sections, and no
    /// items of that section.
    public func reloadSections(_ sections: IndexSet) {
        record(sections.map { .section(type: .update(path($0))) })
    }

    /// Moves a section from an index of the old state to one of the new.
    public func moveSection(_ section: Int, toSection newSection: Int) {
        record([.section(type: .move(path(section), path(newSection)))])
    }

    /// Inserts items, at paths of the new state.
    public func insertItems(at indexPaths: [IndexPath]) {
        record(indexPaths.map { .item(type: .insert($0)) })
    }

    /// Deletes items, at paths of the old state.
    public func deleteItems(at indexPaths: [IndexPath]) {
        record(indexPaths.map { .item(type: .delete($0)) })
    }

    /// Replaces the cells of items, at paths of the old state.
    public func reloadItems(at indexPaths: [IndexPath]) {
        record(indexPaths.map { .item(type: .update($0)) })
    }

    /// Requests the content of items again, at paths of the old state, and keeps their cells.
    public func reconfigureItems(at indexPaths: [IndexPath]) {
        guard updateQueue.batch == nil else {
            updateQueue.batch?.reconfigured += indexPaths
            return
        }
        performBatchUpdates({ self.updateQueue.batch?.reconfigured += indexPaths }, completion: nil)
    }

    /// Moves an item from a path of the old state to one of the new.
    public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        record([.item(type: .move(indexPath, newIndexPath))])
    }
}

extension CollectionView {
    /// Applies the changes that a closure makes as one batch, or none of them.
    ///
    /// Deletes, reloads and the starts of moves name the state before the batch; inserts and the ends of moves name the
    /// state after it. The order of the calls does not matter. A nested batch is part of the outermost one. The data
    /// source has the new state when the closure returns.
    ///
    /// A closure that throws, and changes that do not lead from the old counts to the new ones, leave the view as it
    /// was. The completions of nested batches are then called in reverse order, so that each can undo its own changes.
    /// Visible rows stay in place by the rule of ``scrollAnchoring``. A batch cancels an interactive movement.
    ///
    /// - Throws: The error of the closure; `ChangeSetError` with the broken rule; ``CollectionViewError`` for counts
    ///   that cannot be, or in a callback of the view.
    public func performBatchUpdates(_ updates: () throws -> Void) throws {
        if let outer = updateQueue.batch {
            do {
                try updates()
            } catch {
                let dropped = updateQueue.batch?.completions.dropFirst(outer.completions.count) ?? []
                updateQueue.batch = outer
                for completion in dropped.reversed() { completion(false) }
                throw error
            }
            return
        }
        try requireIdle("performBatchUpdates(_:)")
        try perform(updates)
    }

    /// Records and applies a batch.
    ///
    /// - Parameters:
    ///   - updates: The block.
    ///   - queued: The counts of the data source when the batch was queued; `nil` if it was not.
    ///   - completion: A closure that is called after the completions of nested batches, if the batch was applied.
    /// - Throws: The errors of ``performBatchUpdates(_:)``.
    func perform(
        _ updates: () throws -> Void,
        queued: [Int]? = nil,
        completion: ((Bool) -> Void)? = nil
    ) throws {
        // A block that changes the data source leads to the counts after it. Otherwise the source changed before the
        // batch was queued, and may have changed again since.
        let before = queued == nil ? nil : try? readCounts()
        let recorded = try record(updates)
        do {
            try commit(recorded, before: before, queued: queued)
        } catch {
            for completion in recorded.completions.reversed() { completion(false) }
            performQueuedUpdates()
            throw error
        }
        if recorded.isReload {
            reload()
            reloadPeers()
        }
        let completions = recorded.completions + (completion.map { [$0] } ?? [])
        guard !updateQueue.isPerforming else {
            // The loop that performs the queue runs the pass.
            updateQueue.finish(completions.map { completion in { completion(true) } })
            return
        }
        if displayed.isEmpty {
            performQueuedUpdates()
        } else {
            // An error of the data source is thrown by the next frame, which requests its cells again.
            try? layoutIfNeeded()
        }
        for completion in completions { completion(true) }
    }

    /// Runs a block, and returns the calls that it made.
    private func record(_ updates: () throws -> Void) throws -> UpdateBatch {
        updateQueue.batch = UpdateBatch()
        defer { updateQueue.batch = nil }
        do {
            try updates()
        } catch {
            let completions = updateQueue.batch?.completions ?? []
            // A completion may reload the view, which is not a part of the discarded batch.
            updateQueue.batch = nil
            for completion in completions.reversed() { completion(false) }
            throw error
        }
        return updateQueue.batch ?? UpdateBatch()
    }

    private func commit(_ batch: UpdateBatch, before unchanged: [Int]?, queued: [Int]?) throws {
        if batch.isReload ? hasPlaceholdersInPeers : hasUncommittedUpdates && batch.hasReloads {
            if batch.isReload { peers.isReloadPending = true }
            throw Self.uncommittedUpdates("a reload")
        }
        guard !batch.isReload else { return }
        guard var before = counts else {
            // The old state was never read, so there is nothing to lead from: the next pass reads the new one.
            pass.version += 1
            setNeedsLayout()
            // The other views may have read the old state.
            reloadPeers()
            return
        }
        // The changes lead from the state of the data source, in which a moving item is at its original path.
        let movement = interaction.shownMovement
        if let movement { before = movement.sourceCounts(before) }
        before = interaction.placeholders.sourceCounts(before)
        var after = try readCounts()
        if let queued, after == unchanged { after = queued }
        var batch = batch
        batch.replaceResizedSections(before, after)
        try ChangeSet.some(batch.changes).check(from: before, to: after, namesInsertedRows: false)
        for path in batch.reconfigured {
            guard before.indices.contains(path.section), (0..<before[path.section]).contains(path.item) else {
                throw CollectionViewError(
                    .indexPathOutOfRange,
                    "item \(Array(path)) was reconfigured, which does not exist"
                )
            }
        }
        if let movement { undo(movement) }
        // Callbacks of the other views may request updates of this one, which are for the state after the batch.
        calling { mirror { $0.applyMirrored(batch, from: before, to: after) } }
        count(batch)
        let translated = interaction.placeholders.translate(batch)
        apply(translated, interaction.placeholders.shownCounts(after))
        performPendingReload()
    }

    /// Counts the items that a batch of the data changes.
    func count(_ batch: UpdateBatch) {
        for case .item(let change) in batch.changes {
            switch change {
            case .insert: counters.insertedItems += 1
            case .delete: counters.deletedItems += 1
            case .move: counters.movedItems += 1
            case .update: break
            }
        }
    }

    static func uncommittedUpdates(_ what: String) -> CollectionViewError {
        CollectionViewError(
            .uncommittedUpdates,
            "\(what) was requested while placeholders of a drop are shown"
        )
    }

    /// Applies checked changes.
    func apply(_ batch: UpdateBatch, _ newCounts: [Int]) {
        finalizeUpdates()
        let scrollsToEnd = keepAnchor()
        let updates = LayoutUpdates(Difference(batch.changes), reloadedSections: batch.reloadedSections)
        let anchor = scrollAnchoring.anchor(applying: updates.difference, from: self)
        pass.isBusy = true
        counts = newCounts
        pass.version += 1
        if batch.isAnimated { pass.transitions.isAnimated = true }
        pass.isInvalidatingItself = true
        if !collectionViewLayout.applyUpdates(updates) { collectionViewLayout.needsPrepare = true }
        try? prepareLayoutIfNeeded()
        collectionViewLayout.prepare(forCollectionViewUpdates: updates)
        pass.isFinalizing = true
        pass.isInvalidatingItself = false
        if scrollsToEnd || anchor == .end {
            // Beyond the content, because the rows that arrived at the end may be longer than their estimates.
            scroll.anchor = nil
            offset = Self.farthestOffset
        } else {
            var kept = LayoutAnchor(anchor)
            // A layout with wrong attributes keeps the offset, and the next pass throws.
            try? place(&kept)
            scroll.anchor = kept
            offset = limited(offset)
            // While an item moves interactively, the offset is the renderer's.
            if interaction.movement == nil, adoptTargetOffset() { scroll.anchor = nil }
        }
        marks.follow(updates.tracking)
        interaction.follow(updates.tracking)
        cancelPrefetching(prefetchQueue.follow(updates.tracking))
        follow(updates, reconfigured: batch.reconfigured.compactMap(ItemPath.init))
        rememberContent()
        pass.isBusy = false
        if displayed.isEmpty { finalizeUpdates() }
        setNeedsLayout()
    }

    /// Ends the updates of the last batch in the layout, once.
    func finalizeUpdates() {
        guard pass.isFinalizing else { return }
        pass.isFinalizing = false
        collectionViewLayout.finalizeCollectionViewUpdates()
    }

    /// Moves the displayed elements to their new paths, ends the display of the deleted ones, and marks reloaded ones.
    private func follow(_ updates: LayoutUpdates, reconfigured: [ItemPath]) {
        let tracking = updates.tracking
        if let target = scroll.target {
            scroll.target = tracking.newPath(of: target.path).map { ($0, target.position) }
        }
        func newPath(_ element: ElementIdentifier) -> ItemPath? {
            guard element.category != .cell, element.path.item == 0 else {
                return tracking.newPath(of: element.path)
            }
            return tracking.newSection(of: element.path.section).map { ItemPath(section: $0, item: 0) }
        }
        for element in displayed.keys.sorted() where newPath(element) == nil { endDisplay(of: element) }
        let reloaded = Set(updates.difference.updates.map(\.new))
        let reloadedSections = Set(updates.reloadedSections.map(\.new))
        let kept = Set(reconfigured.compactMap(tracking.newPath))
        var followed: [ElementIdentifier: DisplayedElement] = [:]
        followed.reserveCapacity(displayed.count)
        for (old, element) in displayed {
            guard let path = newPath(old) else { continue }
            element.attributes = element.attributes.moved(to: path)
            if old.category == .cell {
                // The positions of the new state, from which the next pass finds what has moved since.
                if let attributes = try? itemAttributes(path) { element.attributes = attributes }
                if kept.contains(path) { element.pendingChange = .reconfigure }
                if reloaded.contains(path) { element.pendingChange = .reload }
            }
            if reloadedSections.contains(path.section), old.category != .decorationView {
                element.pendingChange = .reload
            }
            // The view adopts them in the next pass.
            element.view?.layoutAttributes = element.attributes
            followed[element.attributes.element] = element
        }
        displayed = followed
    }
}
