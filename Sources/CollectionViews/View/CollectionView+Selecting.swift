internal import DataSources
public import Foundation

/// Presses and selections of the user, which ask the delegate, unlike selections of the program.
extension CollectionView {
    /// A Boolean value that indicates whether the user may select an item; `true` by default.
    public var allowsSelection: Bool {
        get { marks.rules.allows.one }
        set { marks.rules.allows.one = newValue }
    }

    /// A Boolean value that indicates whether the user may select several items; `false` by default.
    public var allowsMultipleSelection: Bool {
        get { marks.rules.allows.several }
        set { marks.rules.allows.several = newValue }
    }

    /// A Boolean value that indicates whether the view is being edited, for which other rules of selection apply.
    public var isEditing: Bool {
        get { marks.rules.isEditing }
        set { marks.rules.isEditing = newValue }
    }

    /// A Boolean value that indicates whether the user may select an item during editing; `false` by default.
    public var allowsSelectionDuringEditing: Bool {
        get { marks.rules.allowsDuringEditing.one }
        set { marks.rules.allowsDuringEditing.one = newValue }
    }

    /// A Boolean value that indicates whether the user may select several items during editing; `false` by default.
    public var allowsMultipleSelectionDuringEditing: Bool {
        get { marks.rules.allowsDuringEditing.several }
        set { marks.rules.allowsDuringEditing.several = newValue }
    }

    /// A Boolean value that indicates whether an item to which the user moves the focus is selected; `false` by default.
    public var selectionFollowsFocus: Bool {
        get { marks.rules.followsFocus }
        set { marks.rules.followsFocus = newValue }
    }

    /// Begins a press of an item: it is highlighted, if the delegate allows it.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    public func beginPress(at indexPath: IndexPath) throws {
        try requireIdle("beginPress(at:)")
        let path = try existing(indexPath)
        cancelPress()
        defer { performQueuedUpdates() }
        guard marks.rules.present.one || marks.rules.present.several,
            ask({ $0.collectionView(self, shouldHighlightItemAt: indexPath) })
        else { return }
        interaction.pressed = path
        markCell(at: path)
        calling { delegate?.collectionView(self, didHighlightItemAt: indexPath) }
    }

    /// Ends a press: the item is no longer highlighted, and is selected or deselected as by ``selectByUser(at:)``.
    ///
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    public func endPress() throws {
        try requireIdle("endPress()")
        guard let path = interaction.pressed else { return }
        cancelPress()
        // Updates that the delegate has requested are applied, and may have deleted the item.
        guard hasItem(path) else { return }
        try selectByUser(at: path.indexPath)
    }

    /// Ends a press without an effect.
    public func cancelPress() {
        guard let path = interaction.pressed else { return }
        interaction.pressed = nil
        markCell(at: path)
        calling { delegate?.collectionView(self, didUnhighlightItemAt: path.indexPath) }
        if updateQueue.batch == nil { performQueuedUpdates() }
    }

    /// Selects an item as the user asks, or deselects it where several may be selected, if the delegate allows it.
    ///
    /// Where one item may be selected, the others are deselected. All questions come before all changes, so that a
    /// refusal leaves the selection as it was.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    public func selectByUser(at indexPath: IndexPath) throws {
        try requireIdle("selectByUser(at:)")
        let path = try existing(indexPath)
        let rules = marks.rules.present
        defer { performQueuedUpdates() }
        if marks.isSelected(path) {
            guard rules.several, ask({ $0.collectionView(self, shouldDeselectItemAt: indexPath) }) else {
                return
            }
            setSelected(false, path)
            calling { delegate?.collectionView(self, didDeselectItemAt: indexPath) }
            return
        }
        guard rules.one || rules.several, ask({ $0.collectionView(self, shouldSelectItemAt: indexPath) })
        else {
            return
        }
        let others = rules.several ? [] : indexPathsForSelectedItems
        guard others.allSatisfy({ other in ask { $0.collectionView(self, shouldDeselectItemAt: other) } })
        else {
            return
        }
        for other in others {
            setSelected(false, ItemPath(checking: other))
            calling { delegate?.collectionView(self, didDeselectItemAt: other) }
        }
        setSelected(true, path)
        calling { delegate?.collectionView(self, didSelectItemAt: indexPath) }
    }

    /// Performs the primary action of an item, such as for the Enter key or a double click, and returns whether the
    /// delegate allows it.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    @discardableResult
    public func performPrimaryAction(at indexPath: IndexPath) throws -> Bool {
        try requireIdle("performPrimaryAction(at:)")
        _ = try existing(indexPath)
        defer { performQueuedUpdates() }
        guard ask({ $0.collectionView(self, canPerformPrimaryActionForItemAt: indexPath) }) else {
            return false
        }
        calling { delegate?.collectionView(self, performPrimaryActionForItemAt: indexPath) }
        return true
    }

    /// Moves the focus to an item as the user asks, if the delegate allows it, and returns whether it did.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    @discardableResult
    public func focusByUser(at indexPath: IndexPath) throws -> Bool {
        try requireIdle("focusByUser(at:)")
        let path = try existing(indexPath)
        guard ask({ $0.collectionView(self, canFocusItemAt: indexPath) }) else {
            performQueuedUpdates()
            return false
        }
        try focusItem(at: indexPath)
        if selectionFollowsFocus, !marks.isSelected(path) { try selectByUser(at: indexPath) }
        performQueuedUpdates()
        return true
    }

    /// Asks the delegate; without one, everything is allowed.
    private func ask(_ question: (any CollectionViewDelegate) -> Bool) -> Bool {
        guard let delegate else { return true }
        return calling { question(delegate) }
    }
}
