internal import DataSources
public import Foundation

/// A data source of snapshots: it computes the difference between two of them, and applies it to its view as one batch.
public final class DiffableDataSource<SectionID: Hashable, ItemID: Hashable>: CollectionViewDataSource {
    /// A closure that returns a dequeued cell with the content of an item.
    public typealias CellProvider = (CollectionView, IndexPath, ItemID) throws -> Cell
    /// A closure that returns a dequeued supplementary view, or `nil` for none.
    public typealias SupplementaryViewProvider = (CollectionView, String, IndexPath) throws -> ReusableView?

    /// The provider of headers and footers; `nil` for none.
    public var supplementaryViewProvider: SupplementaryViewProvider?

    /// The closures for items that the user expands and collapses.
    public var sectionSnapshotHandlers = DiffableSectionSnapshotHandlers<ItemID>()
    /// The closures for items that the user moves.
    public var reorderingHandlers = DiffableReorderingHandlers<SectionID, ItemID>()

    /// The items, and the trees of sections that have one.
    struct State {
        var snapshot = DiffableDataSourceSnapshot<SectionID, ItemID>()
        var trees: [SectionID: DiffableDataSourceSectionSnapshot<ItemID>] = [:]
    }

    // The views that show the data source, of which the first may be gone.
    let peers: ViewPeers
    var view: CollectionView? { peers.first }
    private let cellProvider: CellProvider
    private(set) var state = State() { didSet { paths = nil } }
    // The paths of the current items, built on first use.
    private var paths: [ItemID: ItemPath]?

    /// Creates an empty data source, and makes it the data source of a view.
    public init(collectionView: CollectionView, cellProvider: @escaping CellProvider) {
        peers = collectionView.peers
        peers.add(collectionView)
        self.cellProvider = cellProvider
        collectionView.dataSource = self
    }

    /// Returns the current snapshot.
    public func snapshot() -> DiffableDataSourceSnapshot<SectionID, ItemID> { state.snapshot }

    /// Applies a snapshot by the difference from the current one, with the fewest moves.
    ///
    /// The trees of sections whose items differ from their visible items are discarded. In a callback of the view, the
    /// snapshot is queued, and its difference is computed when it is applied.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - animatingDifferences: A Boolean value that indicates whether renderers animate the changes.
    ///   - completion: A closure that is called once when the view has applied the snapshot.
    /// - Throws: ``CollectionViewError``. The current snapshot is then kept, also if a batch of the view that contains
    ///   this call fails later, and the completion is not called. An error of a queued snapshot is reported to the
    ///   delegate of the view.
    /// - Complexity: O(n) in the items of both snapshots.
    public func apply(
        _ snapshot: DiffableDataSourceSnapshot<SectionID, ItemID>,
        animatingDifferences: Bool = true,
        completion: (() -> Void)? = nil
    ) throws {
        try peers.performWhenIdle {
            try self.apply(self.withTrees(snapshot), animatingDifferences, completion)
        }
    }

    func apply(_ new: State, _ isAnimated: Bool = true, _ completion: (() -> Void)? = nil) throws {
        let snapshot = new.snapshot
        let current = state.snapshot
        let difference = try KeyedDiff.difference(from: current.sections, to: snapshot.sections, id: { $0 })
        let old = state
        let reloaded = snapshot.reloadedItemIdentifiers.compactMap(indexPath)
        let reloadedSections = snapshot.reloadedSectionIdentifiers.compactMap(current.indexOfSection)
        let reconfigured = snapshot.reconfiguredItemIdentifiers.compactMap(indexPath)
        let adopted = State(snapshot: snapshot.applied, trees: new.trees)
        guard let view else {
            state = adopted
            completion?()
            return
        }
        do {
            try view.performBatchUpdates {
                state = adopted
                if !isAnimated { view.updateQueue.batch?.isAnimated = false }
                view.record(difference.listed)
                view.reloadSections(IndexSet(reloadedSections))
                view.reloadItems(at: Array(Set(reloaded)))
                view.reconfigureItems(at: reconfigured)
                // The batch may be a part of another one, which fails later.
                view.performBatchUpdates({}) { isApplied in
                    if isApplied { completion?() } else { self.state = old }
                }
            }
        } catch {
            state = old
            throw error
        }
    }

    /// Applies a snapshot without a difference: the view discards its cells and reads everything again.
    ///
    /// The completion is called once, when the view has read the new counts, or has rejected the reload.
    public func applySnapshotUsingReloadData(
        _ snapshot: DiffableDataSourceSnapshot<SectionID, ItemID>,
        completion: (() -> Void)? = nil
    ) {
        // The closure throws no error.
        try? peers.performWhenIdle {
            let new = self.withTrees(snapshot)
            self.state = State(snapshot: new.snapshot.applied, trees: new.trees)
            guard let view = self.view else { return completion?() ?? () }
            view.reloadData(completion: completion.map { completion in { _ in completion() } })
        }
    }

    private func withTrees(_ snapshot: DiffableDataSourceSnapshot<SectionID, ItemID>) -> State {
        let trees = state.trees.filter { section, tree in
            snapshot.indexOfSection(section).map { snapshot.sections[$0].items == tree.visibleItems } == true
        }
        return State(snapshot: snapshot, trees: trees)
    }

    // MARK: - Identifiers

    /// Returns the item at a path, or `nil` if there is none.
    public func itemIdentifier(for indexPath: IndexPath) -> ItemID? {
        guard state.snapshot.sections.indices.contains(indexPath.section),
            state.snapshot.sections[indexPath.section].items.indices.contains(indexPath.item)
        else { return nil }
        return state.snapshot.sections[indexPath.section].items[indexPath.item]
    }

    /// Returns the path of an item, or `nil` if the current snapshot does not have it.
    ///
    /// - Complexity: O(1); O(n) for the first time after a snapshot was applied.
    public func indexPath(for identifier: ItemID) -> IndexPath? {
        if let paths { return paths[identifier]?.indexPath }
        var built: [ItemID: ItemPath] = [:]
        built.reserveCapacity(state.snapshot.numberOfItems)
        for (section, content) in state.snapshot.sections.enumerated() {
            for (item, id) in content.items.enumerated() {
                built[id] = ItemPath(section: section, item: item)
            }
        }
        paths = built
        return built[identifier]?.indexPath
    }

    /// Returns the section at an index, or `nil` if there is none.
    public func sectionIdentifier(for index: Int) -> SectionID? {
        state.snapshot.sections.indices.contains(index) ? state.snapshot.sections[index].key : nil
    }

    /// Returns the index of a section, or `nil` if the current snapshot does not have it.
    public func index(for identifier: SectionID) -> Int? { state.snapshot.indexOfSection(identifier) }

    // MARK: - Data source

    /// Returns the number of sections.
    public func numberOfSections(in collectionView: CollectionView) -> Int { state.snapshot.numberOfSections }

    /// Returns the number of items of a section.
    public func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        state.snapshot.sections[section].items.count
    }

    /// Returns the cell of the provider.
    public func collectionView(
        _ collectionView: CollectionView,
        cellForItemAt indexPath: IndexPath
    ) throws -> Cell {
        guard let item = itemIdentifier(for: indexPath) else {
            throw CollectionViewError(.indexPathOutOfRange, "the snapshot has no item at \(Array(indexPath))")
        }
        return try cellProvider(collectionView, indexPath, item)
    }

    /// Returns the view of the provider.
    public func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        try supplementaryViewProvider?(collectionView, kind, indexPath)
    }

    // MARK: - Reordering

    /// Returns whether the handlers allow an item to be moved; items of a tree with children cannot be.
    public func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        guard let item = itemIdentifier(for: indexPath),
            let section = sectionIdentifier(for: indexPath.section),
            state.trees[section].map({ $0.rootItems.count == $0.items.count }) != false
        else { return false }
        return reorderingHandlers.canReorderItem?(item) == true
    }

    /// Adopts a move of the user, and calls the handlers with both states.
    public func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        guard let from = ItemPath(sourceIndexPath), let to = ItemPath(destinationIndexPath),
            let item = itemIdentifier(for: sourceIndexPath),
            let sections = sectionIdentifier(for: sourceIndexPath.section)
                .flatMap({ old in sectionIdentifier(for: destinationIndexPath.section).map { [old, $0] } })
        else { return }
        let old = state
        var new = old
        new.snapshot.relocate(from, to: to)
        for section in Set(sections) {
            guard var tree = new.trees[section] else { continue }
            tree.delete([item])
            let items = new.snapshot.itemIdentifiers(inSection: section)
            if let index = items.firstIndex(of: item) {
                let next = items.indices.contains(index + 1) ? items[index + 1] : nil
                // After an expanded item, the row is the first of its children.
                if index > 0, next.flatMap(tree.parent) != items[index - 1] {
                    try? tree.insert([item], after: items[index - 1])
                } else if let next {
                    try? tree.insert([item], before: next)
                } else {
                    try? tree.append([item])
                }
            }
            new.trees[section] = tree
        }
        var difference = Difference()
        difference.moves = [Difference.PathPair(old: from, new: to)]
        let transaction = DiffableTransaction(
            initialSnapshot: old.snapshot,
            finalSnapshot: new.snapshot,
            difference: difference,
            sectionTransactions: (sections[0] == sections[1] ? [sections[0]] : sections).map { section in
                DiffableTransaction<SectionID, ItemID>.SectionTransaction(
                    sectionIdentifier: section,
                    initialSnapshot: tree(of: section, in: old),
                    finalSnapshot: tree(of: section, in: new)
                )
            }
        )
        reorderingHandlers.willReorder?(transaction)
        state = new
        reorderingHandlers.didReorder?(transaction)
    }
}
