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
        set {
            guard newValue != marks.rules.isEditing else { return }
            marks.rules.isEditing = newValue
            markCells()
        }
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

    /// Begins a press of an item: it is highlighted, if the delegate allows it.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    public func beginPress(at indexPath: IndexPath) throws {
        try requireIdle("beginPress(at:)")
        let path = try existing(indexPath)
        defer { performQueuedUpdates() }
        unhighlight()
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
        // Updates that the delegate requests are applied at the end, because they change the path of the item.
        defer { performQueuedUpdates() }
        let identity = identity(of: path)
        unhighlight()
        select(path, identity)
    }

    /// Ends a press without an effect.
    public func cancelPress() {
        guard interaction.pressed != nil else { return }
        unhighlight()
        performQueuedUpdates()
    }

    private func unhighlight() {
        guard let path = interaction.pressed else { return }
        interaction.pressed = nil
        markCell(at: path)
        calling { delegate?.collectionView(self, didUnhighlightItemAt: path.indexPath) }
    }

    /// Selects an item as the user asks, or deselects it where several may be selected, if the delegate allows it.
    ///
    /// If only one item may be selected, the others are deselected. All questions come before all changes, so that a
    /// refusal leaves the selection as it was.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    public func selectByUser(at indexPath: IndexPath) throws {
        try requireIdle("selectByUser(at:)")
        let path = try existing(indexPath)
        defer { performQueuedUpdates() }
        select(path, identity(of: path))
    }

    /// Selects or deselects an item as the user asks.
    ///
    /// The identity is read before the delegate is called, which may change the data.
    func select(_ path: ItemPath, _ identity: String?) {
        let rules = marks.rules.present
        let indexPath = path.indexPath
        if marks.isSelected(path) {
            guard rules.several, ask({ $0.collectionView(self, shouldDeselectItemAt: indexPath) }) else {
                return
            }
            setSelected(false, path, identity: identity)
            calling { delegate?.collectionView(self, didDeselectItemAt: indexPath) }
            return
        }
        // The marks have the identities of selected items, unless they name the items that are not selected.
        let others = (rules.several ? [] : indexPathsForSelectedItems).map(ItemPath.init(checking:))
            .map { (path: $0, identity: marks.rows[$0] ?? self.identity(of: $0)) }
        guard rules.one || rules.several, ask({ $0.collectionView(self, shouldSelectItemAt: indexPath) })
        else {
            return
        }
        guard
            others.allSatisfy({ other in
                ask { $0.collectionView(self, shouldDeselectItemAt: other.path.indexPath) }
            })
        else {
            return
        }
        for other in others {
            setSelected(false, other.path, identity: other.identity)
            calling { delegate?.collectionView(self, didDeselectItemAt: other.path.indexPath) }
        }
        setSelected(true, path, identity: identity)
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

    /// Asks the delegate; without one, everything is allowed.
    func ask(_ question: (any CollectionViewDelegate) -> Bool) -> Bool {
        guard let delegate else { return true }
        return calling { question(delegate) }
    }
}
