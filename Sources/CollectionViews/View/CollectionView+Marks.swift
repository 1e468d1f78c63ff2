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
