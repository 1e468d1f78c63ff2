public import DataSources
public import Foundation

extension DiffableDataSource {
    /// Returns the tree of a section: the applied one, or the items of the section without children.
    public func snapshot(for section: SectionID) -> DiffableDataSourceSectionSnapshot<ItemID> {
        tree(of: section, in: state)
    }

    /// Applies a tree to a section, of which the visible items are the items of the section.
    ///
    /// A section that does not exist is appended. Cells of items that remain keep their objects. In a callback of the
    /// view, the tree is queued.
    ///
    /// - Throws: ``DiffableSnapshotError`` if another section has one of the items; ``CollectionViewError``. An error of a
    ///   queued tree is reported to the delegate of the view.
    /// - Complexity: O(n) in the items of the current snapshot and of the tree.
    public func apply(
        _ tree: DiffableDataSourceSectionSnapshot<ItemID>,
        to section: SectionID,
        animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) throws {
        try peers.performWhenIdle {
            try self.apply(tree, to: section, reconfigured: [], animatingDifferences, completion)
        }
    }

    private func apply(
        _ tree: DiffableDataSourceSectionSnapshot<ItemID>,
        to section: SectionID,
        reconfigured: [ItemID],
        _ isAnimated: Bool = true,
        _ completion: (() -> Void)? = nil
    ) throws {
        var new = State(snapshot: state.snapshot, trees: state.trees)
        if new.snapshot.indexOfSection(section) == nil { try new.snapshot.appendSections([section]) }
        try new.snapshot.replaceItems(inSection: section, by: tree.visibleItems)
        try new.snapshot.reconfigureItems(reconfigured)
        new.trees[section] = tree
        try apply(new, isAnimated, completion)
    }

    func tree(of section: SectionID, in state: State) -> DiffableDataSourceSectionSnapshot<ItemID> {
        if let tree = state.trees[section] { return tree }
        var tree = DiffableDataSourceSectionSnapshot<ItemID>()
        // The items of a snapshot are unique.
        try? tree.append(state.snapshot.itemIdentifiers(inSection: section))
        return tree
    }

    // MARK: - Expansion

    /// Returns whether an item is expanded; `nil` for an item without children, or that is not there.
    public func isExpanded(_ item: ItemID) -> Bool? {
        guard let section = state.snapshot.sectionIdentifier(containingItem: item),
            let tree = state.trees[section],
            !tree.children(of: item).isEmpty || sectionSnapshotHandlers.snapshotForExpandingParent != nil
        else { return nil }
        return tree.isExpanded(item)
    }

    /// Expands or collapses an item as the user asks, if the handlers allow it, and returns whether it did.
    ///
    /// The content of the item's cell is requested again. In a callback of the view, the change is queued: the handlers
    /// are called later, and the result is `true` if the item has another state now.
    ///
    /// - Throws: ``DiffableSnapshotError`` if the handlers give an item that is there already; ``CollectionViewError``.
    ///   An error of a queued change is reported to the delegate of the view.
    @discardableResult
    public func setExpanded(_ isExpanded: Bool, _ item: ItemID) throws -> Bool {
        var result = self.isExpanded(item).map { $0 != isExpanded } ?? false
        guard result else { return false }
        try peers.performWhenIdle { result = try self.setExpandedNow(isExpanded, item) }
        return result
    }

    private func setExpandedNow(_ isExpanded: Bool, _ item: ItemID) throws -> Bool {
        // A change that was queued may have nothing left to do.
        guard self.isExpanded(item).map({ $0 != isExpanded }) == true else { return false }
        let handlers = sectionSnapshotHandlers
        let isAllowed = isExpanded ? handlers.shouldExpandItem : handlers.shouldCollapseItem
        guard isAllowed?(item) != false else { return false }
        isExpanded ? handlers.willExpandItem?(item) : handlers.willCollapseItem?(item)
        // The handlers may apply another tree, such as one with loaded children.
        var children: DiffableDataSourceSectionSnapshot<ItemID>?
        if isExpanded, let load = handlers.snapshotForExpandingParent,
            let tree = treeWithItem(item)?.tree
        {
            children = load(item, try tree.snapshot(of: item))
        }
        guard let (section, present) = treeWithItem(item) else { return false }
        var tree = present
        if let children { try tree.replace(childrenOf: item, using: children) }
        try isExpanded ? tree.expand([item]) : tree.collapse([item])
        try apply(tree, to: section, reconfigured: [item])
        return true
    }

    private func treeWithItem(
        _ item: ItemID
    ) -> (section: SectionID, tree: DiffableDataSourceSectionSnapshot<ItemID>)? {
        state.snapshot.sectionIdentifier(containingItem: item).flatMap { section in
            state.trees[section].map { (section, $0) }
        }
    }
}

extension DiffableDataSource: ExpandableDataSource {
    /// Returns whether the item at a path is expanded; `nil` if it cannot be.
    public func collectionView(_ collectionView: CollectionView, isItemExpandedAt indexPath: IndexPath)
        -> Bool?
    {
        itemIdentifier(for: indexPath).flatMap(isExpanded)
    }

    /// Expands or collapses the item at a path, if the handlers allow it.
    public func collectionView(
        _ collectionView: CollectionView,
        setExpanded isExpanded: Bool,
        forItemAt indexPath: IndexPath
    ) throws -> Bool {
        guard let item = itemIdentifier(for: indexPath) else { return false }
        return try setExpanded(isExpanded, item)
    }

    /// The identifiers of the expanded items, as far as they have a form beyond the process.
    public var expandedModelIdentifiers: [String] {
        state.snapshot.sectionIdentifiers.compactMap { state.trees[$0] }.flatMap(\.expandedItems)
            .compactMap(modelIdentifier)
    }

    /// Expands the items with these identifiers, and collapses the others.
    public func restoreExpandedItems(_ modelIdentifiers: [String]) throws {
        let expanded = Set(modelIdentifiers)
        for section in state.snapshot.sectionIdentifiers {
            guard var tree = state.trees[section] else { continue }
            let items = tree.items
            let isExpanded = { (item: ItemID) in self.modelIdentifier(item).map(expanded.contains) == true }
            try tree.expand(items.filter(isExpanded))
            try tree.collapse(items.filter { !isExpanded($0) })
            try apply(tree, to: section)
        }
    }

    func modelIdentifier(_ item: ItemID) -> String? { (item as? any ModelIdentity)?.modelIdentifier }
}

extension DiffableDataSource: RestorableSource {
    /// The number of sections.
    public var numberOfSections: Int { state.snapshot.numberOfSections }

    /// Returns the number of items of a section, or 0 for an index out of range.
    public func numberOfItems(in section: Int) -> Int {
        state.snapshot.sections.indices.contains(section) ? state.snapshot.sections[section].items.count : 0
    }

    /// Returns the string of an item that is a `ModelIdentity`, or `nil`.
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        itemIdentifier(for: indexPath).flatMap(modelIdentifier)
    }

    /// Returns the path of the item with a string, or `nil` if there is none.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        let type = ItemID.self as? any ModelIdentity.Type
        return (type?.init(modelIdentifier: identifier) as? ItemID).flatMap(indexPath)
    }
}
