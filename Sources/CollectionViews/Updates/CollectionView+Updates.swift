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
