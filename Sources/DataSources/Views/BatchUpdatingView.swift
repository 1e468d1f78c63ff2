public import Foundation

/// Is told whether a change set's updates of a view have come to their end.
public typealias ChangeSetCompletion = (Bool) -> Void

/// A view that takes several changes of its sections and items in one step.
///
/// The names are those of `UICollectionView`, so that it conforms as it is. A view conforms once;
/// ``performUpdates(withChangeSet:completion:)`` is here.
public protocol BatchUpdatingView: AnyObject {
    /// Takes the changes that a closure makes as one batch, and calls the completion once, now or later.
    ///
    /// When it returns, the view's counts and paths are those of the new state.
    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?)

    /// Forgets everything and reads the data source again.
    func reloadData()

    /// Sections have come, at indices of the new state.
    func insertSections(_ sections: IndexSet)
    /// Sections have gone, at indices of the old state.
    func deleteSections(_ sections: IndexSet)
    /// Sections have changed, at indices of the old state.
    func reloadSections(_ sections: IndexSet)
    /// A section has gone from an index of the old state to one of the new.
    func moveSection(_ section: Int, toSection newSection: Int)

    /// Items have come, at paths of the new state.
    func insertItems(at indexPaths: [IndexPath])
    /// Items have gone, at paths of the old state.
    func deleteItems(at indexPaths: [IndexPath])
    /// Items have changed, at paths of the old state; outside a batch there is only one state.
    func reloadItems(at indexPaths: [IndexPath])
    /// Items have changed that may keep their cells; ``reloadItems(at:)`` where a view has nothing better.
    func reconfigureItems(at indexPaths: [IndexPath])
    /// An item has gone from a path of the old state to one of the new.
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath)
}

extension BatchUpdatingView {
    /// Reloads the items.
    public func reconfigureItems(at indexPaths: [IndexPath]) { reloadItems(at: indexPaths) }

    /// Shows a data source's change set: the changes as one batch in the order of the list, or everything
    /// again.
    ///
    /// A moved item is drawn anew at its new path as soon as the batch is in, because its move is all that is
    /// told of it (F10, D20); an update of the same item in the list is left out, since views take no second
    /// change of one item. Call it where the data source has the new state already: in its reload block.
    ///
    /// - Parameters:
    ///   - changeSet: What has changed.
    ///   - completion: Called exactly once: when the view says that its batch has ended, with what the view
    ///     says; at once with `true` where everything is read again (D19).
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
        // A view may call back twice; who waits for the end must hear of one.
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
