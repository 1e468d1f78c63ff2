internal import DataSources
public import Foundation

/// A move of the focus by the user, about which a delegate is asked and notified.
public struct FocusUpdateContext: Sendable, Hashable {
    /// The path of the item that has the focus before; `nil` for none.
    public let previouslyFocusedIndexPath: IndexPath?
    /// The path of the item that has the focus afterwards.
    public let nextFocusedIndexPath: IndexPath
}

/// The focus of the keyboard and of screen readers, as the user moves it.
extension CollectionView {
    /// A Boolean value that indicates whether the user may move the focus to an item; `true` by default.
    public var allowsFocus: Bool {
        get { marks.rules.allowsFocus }
        set { marks.rules.allowsFocus = newValue }
    }

    /// A Boolean value that indicates whether the user may move the focus to an item during editing; `true` by default.
    public var allowsFocusDuringEditing: Bool {
        get { marks.rules.allowsFocusDuringEditing }
        set { marks.rules.allowsFocusDuringEditing = newValue }
    }

    /// A Boolean value that indicates whether the focus returns to the item that had it last; `false` by default.
    ///
    /// The item is followed through batches, and found again after a reload by its identity. ``focusByUser()`` reads it.
    public var remembersLastFocusedIndexPath: Bool {
        get { marks.rules.remembersFocus }
        set { marks.rules.remembersFocus = newValue }
    }

    /// A Boolean value that indicates whether an item to which the user moves the focus is selected; `false` by default.
    ///
    /// The delegate may decide it for each item.
    public var selectionFollowsFocus: Bool {
        get { marks.rules.followsFocus }
        set { marks.rules.followsFocus = newValue }
    }

    /// Moves the focus into the view as the user asks, such as with the Tab key, and returns the path that has it.
    ///
    /// An item that has the focus keeps it. Otherwise the view tries in turn the item that had it last, if it remembers
    /// it, the item that the delegate prefers, and the first visible item.
    ///
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    @discardableResult
    public func focusByUser() throws -> IndexPath? {
        try requireIdle("focusByUser()")
        if let focusedIndexPath { return focusedIndexPath }
        _ = numberOfSections
        defer { performQueuedUpdates() }
        let last = remembersLastFocusedIndexPath ? marks.lastFocus?.path : nil
        let preferred =
            last == nil ? calling { delegate?.indexPathForPreferredFocusedView(in: self) } : nil
        let path = last ?? preferred.flatMap(ItemPath.init) ?? visibleIndexPaths.first.flatMap(ItemPath.init)
        guard let path, hasItem(path), focus(path) else { return nil }
        return path.indexPath
    }

    /// Moves the focus to an item as the user asks, if the delegate allows it, and returns whether it did.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    @discardableResult
    public func focusByUser(at indexPath: IndexPath) throws -> Bool {
        try requireIdle("focusByUser(at:)")
        let path = try existing(indexPath)
        defer { performQueuedUpdates() }
        return focus(path)
    }

    /// Moves the focus as the user asks; updates that the delegate requests are left to the caller.
    func focus(_ path: ItemPath) -> Bool {
        let indexPath = path.indexPath
        let identity = identity(of: path)
        let context = FocusUpdateContext(
            previouslyFocusedIndexPath: focusedIndexPath,
            nextFocusedIndexPath: indexPath
        )
        let isUpdate = context.previouslyFocusedIndexPath != indexPath
        guard marks.rules.presentAllowsFocus,
            ask({ $0.collectionView(self, canFocusItemAt: indexPath) }),
            !isUpdate || ask({ $0.collectionView(self, shouldUpdateFocusIn: context) })
        else { return false }
        marks.focus = (path, identity)
        focusChanged()
        if isUpdate { calling { delegate?.collectionView(self, didUpdateFocusIn: context) } }
        let selects =
            delegate == nil
            ? selectionFollowsFocus
            : ask { $0.collectionView(self, selectionFollowsFocusForItemAt: indexPath) }
        if selects, !marks.isSelected(path) { select(path, identity) }
        return true
    }
}
