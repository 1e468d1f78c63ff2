public import DataSources
public import Foundation

/// Index titles, which lead to sections, and typed letters, which lead to items.
extension CollectionView {
    /// The titles of the jump strip: those of the data source, or the first characters of its sections' titles.
    public var indexTitles: [String] {
        guard let dataSource else { return [] }
        return calling {
            if let titles = dataSource.indexTitles(for: self) { return titles }
            var seen: Set<String> = []
            return sectionTitles(of: dataSource).compactMap { $0.title.first.map { $0.uppercased() } }
                .filter { seen.insert($0).inserted }
        }
    }

    /// Returns the path to which an index title leads, or `nil` if the view is empty.
    ///
    /// If the data source does not say it, it is the first section whose title is not before the index title, or else
    /// the last section with a title. A section without items leads to the next item.
    ///
    /// - Complexity: O(s) in the sections if the data source does not say it.
    public func indexPath(forIndexTitle title: String, at index: Int) -> IndexPath? {
        guard let dataSource, numberOfSections > 0 else { return nil }
        let path = calling { dataSource.collectionView(self, indexPathForIndexTitle: title, at: index) }
        if let path, let shown = presentationIndexPath(forDataSourceIndexPath: path) { return shown }
        let titles = calling { sectionTitles(of: dataSource) }
        guard let last = titles.last else { return nil }
        let key = title.lowercased()
        let section = (titles.first { $0.title.lowercased() >= key } ?? last).section
        let sections = Array(section..<numberOfSections) + (0..<section).reversed()
        return sections.first { numberOfItems(inSection: $0) > 0 }.map { IndexPath(item: 0, section: $0) }
    }

    /// Scrolls to the path of an index title, and returns it.
    ///
    /// - Throws: ``CollectionViewError`` if the data source returned a path that does not exist.
    @discardableResult
    public func scrollToIndexTitle(_ title: String, at index: Int) throws -> IndexPath? {
        guard let path = indexPath(forIndexTitle: title, at: index) else { return nil }
        try scrollToItem(at: path, at: .start)
        return path
    }

    /// Returns the sections that have a title.
    private func sectionTitles(
        of source: any CollectionViewDataSource
    ) -> [(section: Int, title: String)] {
        (0..<(counts?.count ?? 0)).compactMap { section in
            source.collectionView(self, titleForSection: section).map { (section, $0) }
        }
    }

    // MARK: - Typed letters

    /// Moves the focus to the next item whose title begins with the typed letters, and returns its path.
    ///
    /// Letters that are typed within a second of each other are one beginning, with which the focused item may still
    /// begin. A letter that is typed again leads to the next item. The search continues at the start of the content.
    ///
    /// - Parameters:
    ///   - letters: The typed characters.
    ///   - time: The time in seconds, on any clock.
    /// - Returns: The path, or `nil` if no title begins so, or the delegate forbids the focus.
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    @discardableResult
    public func focusItem(typing letters: String, at time: Double) throws -> IndexPath? {
        try requireIdle("focusItem(typing:at:)")
        guard let dataSource, !letters.isEmpty else { return nil }
        let (prefix, staysAtFocus) = interaction.typed.type(letters, at: time)
        let start = focusedIndexPath.flatMap { dataSourceIndexPath(forPresentationIndexPath: $0) }
        let found = calling { () -> IndexPath? in
            if staysAtFocus, let start,
                dataSource.collectionView(self, titleForItemAt: start)?.hasPrefix(ignoringCase: prefix)
                    == true
            {
                return start
            }
            return dataSource.collectionView(self, indexPathForItemWithTitlePrefix: prefix, after: start)
        }
        // Updates that callbacks request are applied at the end, because they change the path of the item.
        defer { performQueuedUpdates() }
        guard let found, let path = presentationIndexPath(forDataSourceIndexPath: found),
            focus(try existing(path))
        else { return nil }
        try scrollToItem(at: path, at: .nearest)
        return focusedIndexPath
    }
}

extension CollectionView {
    /// Returns whether an item is expanded; `nil` for an item that cannot be, or a data source without trees.
    public func isItemExpanded(at indexPath: IndexPath) -> Bool? {
        guard let source = dataSource as? any ExpandableDataSource, let path = sourcePath(indexPath) else {
            return nil
        }
        return calling { source.collectionView(self, isItemExpandedAt: path.indexPath) }
    }

    /// Expands or collapses an item as the user asks, and returns whether the data source did.
    ///
    /// In a callback of the view, a ``DiffableDataSource`` queues the change.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in the block of a batch; an error of the data
    ///   source.
    @discardableResult
    public func setItemExpanded(_ isExpanded: Bool, at indexPath: IndexPath) throws -> Bool {
        guard updateQueue.batch == nil else {
            throw CollectionViewError(
                .calledFromCallback,
                "setItemExpanded(_:at:) was called in the block of a batch"
            )
        }
        let shown = try existing(indexPath)
        guard let source = dataSource as? any ExpandableDataSource, let path = sourcePath(of: shown) else {
            return false
        }
        return try source.collectionView(self, setExpanded: isExpanded, forItemAt: path.indexPath)
    }

    func sourcePath(_ indexPath: IndexPath) -> ItemPath? {
        (try? existing(indexPath)).flatMap { sourcePath(of: $0) }
    }

    /// Returns the paths of the selected items or, if there are none, that of the item with the focus.
    package func selectedPaths(orFocused focus: IndexPath?) -> [IndexPath] {
        let paths = indexPathsForSelectedItems
        return paths.isEmpty ? [focus].compactMap(\.self) : paths
    }

    /// Creates a view that shows the same data as another one, for a second renderer.
    ///
    /// Both have the data source, its batches and reloads, the expansion and the selection in common. Layout, lengths,
    /// bounds, focus, delegates and interactions in progress are each one's own. Classes that are registered so far are
    /// registered in the new view too. A batch or a reload of either view is one of both.
    public convenience init(
        sharing other: CollectionView,
        frame: Rect,
        collectionViewLayout: CollectionLayout
    ) {
        self.init(frame: frame, collectionViewLayout: collectionViewLayout)
        queues.adoptRegistrations(of: other.queues)
        other.peers.add(other)
        peers = other.peers
        peers.add(self)
        pass.isMirroring = true
        dataSource = other.dataSource
        pass.isMirroring = false
        marks.rules = other.marks.rules
        adoptSelection(of: other)
    }

    /// Selects the items that another view of the data has selected, and no others.
    func adoptSelection(of other: CollectionView) {
        marks.selectsAllExcept = other.marks.selectsAllExcept
        marks.rows = [:]
        _ = numberOfSections
        for (path, identity) in other.marks.rows {
            guard
                let own = other.sourcePath(of: path)
                    .flatMap({ presentationIndexPath(forDataSourceIndexPath: $0.indexPath) })
                    .flatMap(ItemPath.init), hasItem(own)
            else { continue }
            marks.rows.updateValue(identity, forKey: own)
        }
        markCells()
    }

    /// The views that show the data of this one, itself included.
    package var sharingViews: [CollectionView] { [self] + peers.others(than: self) }

    /// Applies a change to the other views of the data source; changes that these make in turn are not passed on.
    func mirror(_ change: (CollectionView) -> Void) {
        guard !pass.isMirroring else { return }
        for view in peers.others(than: self) {
            view.pass.isMirroring = true
            change(view)
            view.pass.isMirroring = false
        }
    }

    /// Reloads the other views of the data source, now or after their present callback.
    func reloadPeers() { mirror { $0.performWhenIdle { $0.reload() } } }

    /// A Boolean value that indicates whether this view, or another one of its data source, shows placeholders.
    var hasPlaceholdersInPeers: Bool {
        hasUncommittedUpdates || peers.others(than: self).contains { $0.hasUncommittedUpdates }
    }

    /// Reloads all views of the data source, if a reload was rejected because of placeholders that are gone now.
    func performPendingReload() {
        guard peers.isReloadPending, !hasPlaceholdersInPeers else { return }
        peers.isReloadPending = false
        reloadData()
    }

    /// Applies a batch of the data source that another view has checked, now or after the present callback.
    ///
    /// A view that does not have the counts before the batch is reloaded.
    func applyMirrored(_ batch: UpdateBatch, from before: [Int], to after: [Int]) {
        let change = { (view: CollectionView) in
            guard view.counts != nil else { return view.setNeedsLayout() }
            if let movement = view.interaction.shownMovement { view.undo(movement) }
            guard view.counts.map(view.interaction.placeholders.sourceCounts) == before else {
                return view.reload()
            }
            view.count(batch)
            let translated = view.interaction.placeholders.translate(batch)
            view.apply(translated, view.interaction.placeholders.shownCounts(after))
        }
        guard pass.isBusy || updateQueue.isPerforming else { return change(self) }
        updateQueue.queued.append(UpdateQueue.QueuedUpdate(counts: after) { view, _ in change(view) })
    }

    /// Selects or deselects an item in the other views.
    func mirrorSelection(_ isSelected: Bool, _ path: ItemPath, _ identity: String?) {
        guard let source = sourcePath(of: path) else { return }
        mirror { view in
            _ = view.numberOfSections
            guard
                let path = view.presentationIndexPath(forDataSourceIndexPath: source.indexPath)
                    .flatMap(ItemPath.init), view.hasItem(path)
            else { return }
            view.setSelected(isSelected, path, identity: identity)
        }
    }
}

extension CollectionView: RestorableView {
    /// The length of the whole content, along the direction of the layout.
    public var contentLength: Double {
        ensureLayoutIsPrepared()
        let length = scrollDirection.length(of: collectionViewLayout.collectionViewContentSize)
        return length.isFinite ? max(0, length) : 0
    }

    /// The length of the viewport.
    public var viewportLength: Double { scrollDirection.length(of: frame.size) }

    /// The paths of the items in the viewport, by their position.
    public var visibleIndexPaths: [IndexPath] {
        ensureLayoutIsPrepared()
        let viewport = limitedBounds
        return collectionViewLayout.layoutAttributesForElements(in: viewport)
            .filter { $0.element.category == .cell && !$0.isHidden && $0.frame.intersects(viewport) }
            .sorted(by: scrollDirection.isBefore).map(\.indexPath)
    }

    /// Returns the range of an item in the content, or `nil` for a path out of range.
    public func position(of indexPath: IndexPath) -> Range<Double>? {
        ensureLayoutIsPrepared()
        guard let path = ItemPath(indexPath), let attributes = try? itemAttributes(path) else { return nil }
        return scrollDirection.range(of: attributes.frame)
    }
}

extension CollectionView {
    /// Scrolls to a restored position, and restores selection and focus.
    ///
    /// The selection is also that of the views that share the data.
    ///
    /// The next layout pass measures the visible rows and keeps the first one at its position. The state comes from
    /// `RestorableSource.restoredState(from:in:)` with this view, and a source saves it with ``restorableMarks``.
    public func restore(_ state: RestoredState) {
        contentOffset = state.contentOffset
        _ = numberOfSections
        var restored = ItemMarks()
        restored.selectsAllExcept = state.marks.selectsAllExcept
        for path in state.marks.selection.compactMap(ItemPath.init) where hasItem(path) {
            restored.rows.updateValue(identity(of: path), forKey: path)
        }
        if let path = state.marks.focus.flatMap(ItemPath.init), hasItem(path) {
            restored.focus = (path, identity(of: path))
        }
        restored.rules = marks.rules
        restored.keepsFocusedCell = marks.keepsFocusedCell
        marks = restored
        focusChanged()
        mirror { $0.adoptSelection(of: self) }
    }
}
