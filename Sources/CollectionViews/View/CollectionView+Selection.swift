public import DataSources
public import Foundation

extension CollectionView {
    /// The paths of the selected items, in ascending order.
    ///
    /// - Complexity: O(k log k) in the selected items; O(n) in all items if all but some are selected.
    public var indexPathsForSelectedItems: [IndexPath] {
        guard marks.selectsAllExcept else { return marks.rows.keys.sorted().map(\.indexPath) }
        return (0..<numberOfSections).flatMap { section in
            (0..<numberOfItems(inSection: section)).map { ItemPath(section: section, item: $0) }
        }
        .filter(marks.isSelected).map(\.indexPath)
    }

    /// The marks as restoration saves them.
    public var restorableMarks: RestorableMarks {
        RestorableMarks(
            selection: marks.rows.keys.sorted().map(\.indexPath),
            selectsAllExcept: marks.selectsAllExcept,
            focus: focusedIndexPath,
            expanded: (dataSource as? any ExpandableDataSource)?.expandedModelIdentifiers ?? []
        )
    }

    /// The number of selected items, or of the others if all but some are selected.
    ///
    /// - Complexity: O(1).
    package var markCount: (count: Int, isOfUnselectedItems: Bool) {
        (marks.rows.count, marks.selectsAllExcept)
    }

    /// Returns whether an item is selected.
    ///
    /// - Complexity: O(1).
    public func isItemSelected(at indexPath: IndexPath) -> Bool {
        ItemPath(indexPath).map { marks.isSelected($0) } ?? false
    }

    /// Selects an item, and scrolls to it if there is a position; deselects all items for no path.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist.
    public func selectItem(
        at indexPath: IndexPath?,
        animated: Bool = false,
        scrollPosition: ScrollPosition? = nil
    ) throws {
        guard let indexPath else { return deselectAllItems() }
        try setSelected(true, indexPath)
        if animated { pass.transitions.isAnimated = true }
        if let scrollPosition { try scrollToItem(at: indexPath, at: scrollPosition, animated: animated) }
    }

    /// Deselects an item.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist.
    public func deselectItem(at indexPath: IndexPath, animated: Bool = false) throws {
        try setSelected(false, indexPath)
        if animated { pass.transitions.isAnimated = true }
    }

    /// Selects all items, also those that are inserted later.
    ///
    /// - Complexity: O(v) in the visible items; the memory is O(e) in the items that are deselected afterwards.
    public func selectAllItems() {
        marks.rows = [:]
        marks.selectsAllExcept = true
        markCells()
        mirror { $0.selectAllItems() }
    }

    /// Deselects all items.
    public func deselectAllItems() {
        marks.rows = [:]
        marks.selectsAllExcept = false
        markCells()
        mirror { $0.deselectAllItems() }
    }

    /// The path of the item that has the focus.
    public var focusedIndexPath: IndexPath? { marks.focus?.path.indexPath }

    /// Gives the focus to an item, or removes it.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist.
    public func focusItem(at indexPath: IndexPath?) throws {
        let old = marks.focus?.path
        marks.focus = try indexPath.map { indexPath in
            let path = try existing(indexPath)
            return (path, identity(of: path))
        }
        for path in [old, marks.focus?.path].compactMap(\.self) { markCell(at: path) }
        if marks.keepsFocusedCell { setNeedsLayout() }
        requestFrame()
    }

    private func setSelected(_ isSelected: Bool, _ indexPath: IndexPath) throws {
        let path = try existing(indexPath)
        setSelected(isSelected, path, identity: identity(of: path))
    }

    func setSelected(_ isSelected: Bool, _ path: ItemPath, identity: String?) {
        if isSelected != marks.selectsAllExcept {
            marks.rows.updateValue(identity, forKey: path)
        } else {
            marks.rows.removeValue(forKey: path)
        }
        markCell(at: path)
        mirrorSelection(isSelected, path, identity)
    }

    /// A Boolean value that indicates whether the item with the focus has a cell also outside the window; `false` by
    /// default.
    ///
    /// A renderer needs it whose focus must always be an element, as that of a page for screen readers.
    public var keepsFocusedCell: Bool {
        get { marks.keepsFocusedCell }
        set {
            marks.keepsFocusedCell = newValue
            setNeedsLayout()
        }
    }

    /// Marks the cells after the focus has moved.
    func focusChanged() {
        markCells()
        if marks.keepsFocusedCell { setNeedsLayout() }
        requestFrame()
    }

    func markCell(at path: ItemPath) {
        requestFrame()
        if let cell = displayed[.cell(path)]?.view as? Cell { mark(cell, at: path) }
    }

    func existing(_ indexPath: IndexPath) throws(CollectionViewError) -> ItemPath {
        _ = numberOfSections
        guard let path = ItemPath(indexPath), hasItem(path) else {
            throw CollectionViewError(.indexPathOutOfRange, "there is no item at \(Array(indexPath))")
        }
        return path
    }

    func identity(of path: ItemPath) -> String? {
        sourcePath(of: path).flatMap { path in
            (dataSource as? any DataSourceModelAssociation)?
                .modelIdentifierForElement(at: path.indexPath, in: self)
        }
    }

    /// Finds the marked rows after a reload by their identities; rows without one lose their marks.
    func findMarksByIdentity() {
        guard !marks.isEmpty || !interaction.lifted.isEmpty else { return }
        let association = dataSource as? any DataSourceModelAssociation
        _ = numberOfSections
        func path(of identity: String?) -> ItemPath? {
            guard let identity, let association,
                let path = association.indexPathForElement(withModelIdentifier: identity, in: self)
                    .flatMap(ItemPath.init), hasItem(path)
            else { return nil }
            return path
        }
        marks.mapPaths { _, identity in path(of: identity) }
        for index in interaction.lifted.indices {
            interaction.lifted[index].path = path(of: interaction.lifted[index].identity)
        }
    }

    /// Gives a cell the state of its item; a cell with new content updates it also if the state is the same.
    func mark(_ cell: Cell, at path: ItemPath, hasNewContent: Bool = false) {
        var state = CellConfigurationState()
        state.isSelected = marks.isSelected(path)
        state.isFocused = marks.focus?.path == path
        state.isHighlighted = interaction.pressed == path
        if marks.rules.isEditing {
            state.isEditing = ask { $0.collectionView(self, canEditItemAt: path.indexPath) }
        }
        if interaction.lifted.contains(where: { $0.path == path }) { state.cellDragState = .dragging }
        if hasNewContent, cell.configurationState == state {
            cell.updateConfiguration(using: state)
        } else {
            cell.configurationState = state
        }
    }

    func markCells() {
        requestFrame()
        for (element, item) in displayed where element.category == .cell {
            if let cell = item.view as? Cell { mark(cell, at: element.path) }
        }
    }
}

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
