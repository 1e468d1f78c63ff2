public import Foundation

/// A closure that receives whether a view has finished the updates of a change set.
public typealias ChangeSetCompletion = (Bool) -> Void

/// A view that applies several changes of its sections and items in one batch.
///
/// The names are those of `UICollectionView`, which conforms without further code.
/// ``performUpdates(withChangeSet:completion:)`` has an implementation for every conforming view.
public protocol BatchUpdatingView: AnyObject {
    /// Applies the changes that a closure makes as one batch, and calls the completion once, now or later.
    ///
    /// When this method returns, the view's counts and paths are those of the new state.
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?)

    /// Discards all content and reads the data source again.
    func reloadData()

    /// Inserts sections, at indices of the new state.
    func insertSections(_ sections: IndexSet)
    /// Deletes sections, at indices of the old state.
    func deleteSections(_ sections: IndexSet)
    /// Reloads sections, at indices of the old state.
    func reloadSections(_ sections: IndexSet)
    /// Moves a section from an index of the old state to one of the new.
    func moveSection(_ section: Int, toSection newSection: Int)

    /// Inserts items, at paths of the new state.
    func insertItems(at indexPaths: [IndexPath])
    /// Deletes items, at paths of the old state.
    func deleteItems(at indexPaths: [IndexPath])
    /// Reloads items, at paths of the old state; outside a batch there is only one state.
    func reloadItems(at indexPaths: [IndexPath])
    /// Updates items that may keep their cells.
    ///
    /// The default implementation calls ``reloadItems(at:)``.
    func reconfigureItems(at indexPaths: [IndexPath])
    /// Moves an item from a path of the old state to one of the new.
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath)
}

extension BatchUpdatingView {
    /// Reloads the items.
    public func reconfigureItems(at indexPaths: [IndexPath]) { reloadItems(at: indexPaths) }

    /// Updates the view by a data source's change set: the changes as one batch in their order, or a full reload.
    ///
    /// A moved item is updated at its new path after the batch, because the change set reports nothing else of it. An
    /// update of the same item in the change set is left out, because views reject a second change of one item. Call
    /// this method when the data source already has the new state: in its reload block.
    ///
    /// - Parameters:
    ///   - changeSet: The changes.
    ///   - completion: Called exactly once: when the view's batch has ended, with the view's result; immediately with
    ///     `true` after a full reload.
    public func performUpdates(withChangeSet changeSet: ChangeSet, completion: ChangeSetCompletion? = nil) {
        guard case .some(let changes) = changeSet else {
            reloadData()
            completion?(true)
            return
        }
        let moves = changes.compactMap { change -> (old: IndexPath, new: IndexPath)? in
            if case .item(.move(let old, let new)) = change { (old, new) } else { nil }
        }
        let moved = Set(moves.map(\.old))
        // A view may call back twice, but the completion must be called once.
        var waiting = completion
        performBatchUpdates(
            {
                for change in changes {
                    if case .item(.update(let path)) = change, moved.contains(path) { continue }
                    self.take(change)
                }
            },
            completion: { finished in
                let completion = waiting
                waiting = nil
                completion?(finished)
            }
        )
        if !moves.isEmpty { reconfigureItems(at: moves.map(\.new)) }
    }

    private func take(_ change: Change) {
        switch change {
        case .section(.insert(let path)): insertSections([path.section])
        case .section(.delete(let path)): deleteSections([path.section])
        case .section(.update(let path)): reloadSections([path.section])
        case .section(.move(let old, let new)): moveSection(old.section, toSection: new.section)
        case .item(.insert(let path)): insertItems(at: [path])
        case .item(.delete(let path)): deleteItems(at: [path])
        case .item(.update(let path)): reloadItems(at: [path])
        case .item(.move(let old, let new)): moveItem(at: old, to: new)
        }
    }
}
