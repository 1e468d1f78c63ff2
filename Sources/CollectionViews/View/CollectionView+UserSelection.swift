internal import DataSources
public import Foundation

/// Selections of many items by one key of the user.
extension CollectionView {
    /// The items that a key selects.
    package enum ManyItems: Sendable {
        case all
        case none
        /// The items that are not selected.
        case inverted
    }

    /// The maximum number of items about which the delegate is asked for one key.
    package static let maximumAskedItems = 100_000

    /// Selects all items, none, or the others, as the user asks.
    ///
    /// - Parameters:
    ///   - items: The items that are selected afterwards, as far as the delegate allows it.
    ///   - asksDelegate: Whether the delegate is asked about each item, and notified. Otherwise one step selects all.
    /// - Throws: ``CollectionViewError`` if several items may not be selected, if there are more than
    ///   ``maximumAskedItems``, or in a callback of the view.
    package func selectByUser(_ items: ManyItems, asksDelegate: Bool) throws {
        guard items == .none || allowsMultipleSelectionNow else {
            throw CollectionViewError(.selectionNotAllowed, "only one row can be marked")
        }
        guard delegate != nil, asksDelegate else { return selectManyItems(items) }
        let count = itemIndex.itemCount
        let selected = marks.selectsAllExcept ? count - marks.rows.count : marks.rows.count
        let changed =
            switch items {
            case .all: count - selected
            case .none: selected
            case .inverted: count
            }
        guard changed <= Self.maximumAskedItems else {
            throw CollectionViewError(
                .selectionNotAllowed,
                """
                \(changed) rows would be asked one by one whether they can be marked \
                (limit \(Self.maximumAskedItems))
                """
            )
        }
        let version = version
        if items == .all {
            return try setSelectedByUser(true, at: unselectedPaths)
        }
        let wasSelected = indexPathsForSelectedItems
        if items == .inverted {
            try setSelectedByUser(true, at: Array(unselectedPaths))
        }
        guard self.version == version else { return }
        try setSelectedByUser(false, at: wasSelected)
        // Items that are inserted later are not selected either.
        if items == .none, indexPathsForSelectedItems.isEmpty { deselectAllItems() }
    }

    /// Selects or deselects items as the user asks: the delegate is asked about each, and notified.
    ///
    /// It ends when the delegate changes the data, after which a path may be that of another item.
    ///
    /// - Throws: ``CollectionViewError`` if an item does not exist, or in a callback of the view.
    package func setSelectedByUser(_ isSelected: Bool, at paths: some Sequence<IndexPath>) throws {
        let version = version
        for path in paths {
            guard self.version == version else { return }
            if isItemSelected(at: path) != isSelected { try selectByUser(at: path) }
        }
    }

    /// The paths of the items that are not selected when they are reached.
    private var unselectedPaths: AnySequence<IndexPath> {
        AnySequence(
            (0..<numberOfSections).lazy
                .flatMap { section in
                    (0..<self.numberOfItems(inSection: section)).lazy
                        .map { IndexPath(item: $0, section: section) }
                }
                .filter { !self.isItemSelected(at: $0) }
        )
    }

    private func selectManyItems(_ items: ManyItems) {
        switch items {
        case .all: selectAllItems()
        case .none: deselectAllItems()
        case .inverted:
            let (rows, selectsAllExcept) = (marks.rows.keys.sorted(), marks.selectsAllExcept)
            if selectsAllExcept { deselectAllItems() } else { selectAllItems() }
            for path in rows { setSelected(selectsAllExcept, path, identity: identity(of: path)) }
        }
    }

    /// A Boolean value that indicates whether the user may select several items at present.
    package var allowsMultipleSelectionNow: Bool { marks.rules.present.several }
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
