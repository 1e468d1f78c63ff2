internal import DataSources
public import Foundation

/// A selection of neighbouring items in one gesture of the user.
struct MultipleSelection {
    /// The item at which it began.
    var anchor: ItemPath
    /// The items that it has selected.
    var selected: Set<ItemPath> = []

    /// Moves the paths to those after a batch; `nil` if the first item is gone.
    func following(_ tracking: PathTracking) -> MultipleSelection? {
        tracking.newPath(of: anchor).map { anchor in
            MultipleSelection(anchor: anchor, selected: Set(selected.compactMap(tracking.newPath)))
        }
    }
}

/// Selections of neighbouring items, as by a drag over rows, or by the Shift key.
extension CollectionView {
    /// A Boolean value that indicates whether a selection of neighbouring items is in progress.
    public var isPerformingMultipleSelectionInteraction: Bool { interaction.multipleSelection != nil }

    /// Begins to select neighbouring items as the user asks, and returns whether that is allowed.
    ///
    /// Several items must be selectable, and the delegate must allow it. An interaction in progress is ended.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    public func beginMultipleSelectionInteraction(at indexPath: IndexPath) throws -> Bool {
        try requireIdle("beginMultipleSelectionInteraction(at:)")
        let path = try existing(indexPath)
        endMultipleSelectionInteraction()
        defer { performQueuedUpdates() }
        guard marks.rules.present.several,
            ask({ $0.collectionView(self, shouldBeginMultipleSelectionInteractionAt: indexPath) })
        else { return false }
        interaction.multipleSelection = MultipleSelection(anchor: path)
        calling { delegate?.collectionView(self, didBeginMultipleSelectionInteractionAt: indexPath) }
        return true
    }

    /// Selects the items from the first one of the interaction to another, as far as the delegate allows it.
    ///
    /// Items that the interaction has selected, and that are no longer among them, are deselected.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    /// - Complexity: O(k) in the items between.
    public func updateMultipleSelectionInteraction(to indexPath: IndexPath) throws {
        try requireIdle("updateMultipleSelectionInteraction(to:)")
        let path = try existing(indexPath)
        guard var selection = interaction.multipleSelection else { return }
        defer { performQueuedUpdates() }
        let range = min(path, selection.anchor)...max(path, selection.anchor)
        for old in selection.selected.filter({ !range.contains($0) }).sorted() {
            // The paths are those of before the updates that a callback has requested.
            guard updateQueue.queued.isEmpty else { break }
            selection.selected.remove(old)
            guard marks.isSelected(old) else { continue }
            // Read before the delegate is called, which may change the data.
            let identity = identity(of: old)
            guard ask({ $0.collectionView(self, shouldDeselectItemAt: old.indexPath) }) else { continue }
            setSelected(false, old, identity: identity)
            calling { delegate?.collectionView(self, didDeselectItemAt: old.indexPath) }
        }
        for section in range.lowerBound.section...range.upperBound.section {
            let first = section == range.lowerBound.section ? Int(range.lowerBound.item) : 0
            let count = numberOfItems(inSection: Int(section))
            let last = section == range.upperBound.section ? Int(range.upperBound.item) : count - 1
            guard first <= last else { continue }
            for item in first...last {
                guard updateQueue.queued.isEmpty else { break }
                let new = ItemPath(section: Int(section), item: item)
                guard !marks.isSelected(new) else { continue }
                let identity = identity(of: new)
                guard ask({ $0.collectionView(self, shouldSelectItemAt: new.indexPath) }) else { continue }
                selection.selected.insert(new)
                setSelected(true, new, identity: identity)
                calling { delegate?.collectionView(self, didSelectItemAt: new.indexPath) }
            }
        }
        // The delegate may have ended it.
        if isPerformingMultipleSelectionInteraction { interaction.multipleSelection = selection }
    }

    /// Ends the selection of neighbouring items, which stay selected.
    public func endMultipleSelectionInteraction() {
        guard isPerformingMultipleSelectionInteraction else { return }
        interaction.multipleSelection = nil
        calling { delegate?.collectionViewDidEndMultipleSelectionInteraction(self) }
        performQueuedUpdates()
    }
}
