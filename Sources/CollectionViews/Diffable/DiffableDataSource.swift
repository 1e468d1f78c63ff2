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

    private weak var view: CollectionView?
    private let cellProvider: CellProvider
    private var current = DiffableDataSourceSnapshot<SectionID, ItemID>()
    // The paths of the current items, built on first use.
    private var paths: [ItemID: ItemPath]?

    /// Creates an empty data source, and makes it the data source of a view.
    public init(collectionView: CollectionView, cellProvider: @escaping CellProvider) {
        view = collectionView
        self.cellProvider = cellProvider
        collectionView.dataSource = self
    }

    /// Returns the current snapshot.
    public func snapshot() -> DiffableDataSourceSnapshot<SectionID, ItemID> { current }

    /// Applies a snapshot by the difference from the current one, with the fewest moves.
    ///
    /// - Throws: ``CollectionViewError`` in a callback of the view. The current snapshot is then kept, also if a batch of
    ///   the view that contains this call fails later.
    /// - Complexity: O(n) in the items of both snapshots.
    public func apply(_ snapshot: DiffableDataSourceSnapshot<SectionID, ItemID>) throws {
        let difference = try KeyedDiff.difference(from: current.sections, to: snapshot.sections, id: { $0 })
        let old = current
        let reloaded = snapshot.reloadedItemIdentifiers.compactMap(indexPath)
        let reloadedSections = snapshot.reloadedSectionIdentifiers.compactMap(current.indexOfSection)
        let reconfigured = snapshot.reconfiguredItemIdentifiers.compactMap(indexPath)
        guard let view else { return replace(by: snapshot) }
        do {
            try view.performBatchUpdates {
                replace(by: snapshot)
                view.record(difference.listed)
                view.reloadSections(IndexSet(reloadedSections))
                view.reloadItems(at: Array(Set(reloaded)))
                view.reconfigureItems(at: reconfigured)
                // The batch may be a part of another one, which fails later.
                view.performBatchUpdates({}, completion: { if !$0 { self.replace(by: old) } })
            }
        } catch {
            replace(by: old)
            throw error
        }
    }

    /// Applies a snapshot without a difference: the view discards its cells and reads everything again.
    public func applySnapshotUsingReloadData(_ snapshot: DiffableDataSourceSnapshot<SectionID, ItemID>) {
        replace(by: snapshot)
        view?.reloadData()
    }

    private func replace(by snapshot: DiffableDataSourceSnapshot<SectionID, ItemID>) {
        current = snapshot.applied
        paths = nil
    }

    // MARK: - Identifiers

    /// Returns the item at a path, or `nil` if there is none.
    public func itemIdentifier(for indexPath: IndexPath) -> ItemID? {
        guard current.sections.indices.contains(indexPath.section),
            current.sections[indexPath.section].items.indices.contains(indexPath.item)
        else { return nil }
        return current.sections[indexPath.section].items[indexPath.item]
    }

    /// Returns the path of an item, or `nil` if the current snapshot does not have it.
    ///
    /// - Complexity: O(1); O(n) for the first time after a snapshot was applied.
    public func indexPath(for identifier: ItemID) -> IndexPath? {
        if let paths { return paths[identifier]?.indexPath }
        var built: [ItemID: ItemPath] = [:]
        built.reserveCapacity(current.numberOfItems)
        for (section, content) in current.sections.enumerated() {
            for (item, id) in content.items.enumerated() {
                built[id] = ItemPath(section: section, item: item)
            }
        }
        paths = built
        return built[identifier]?.indexPath
    }

    /// Returns the section at an index, or `nil` if there is none.
    public func sectionIdentifier(for index: Int) -> SectionID? {
        current.sections.indices.contains(index) ? current.sections[index].key : nil
    }

    /// Returns the index of a section, or `nil` if the current snapshot does not have it.
    public func index(for identifier: SectionID) -> Int? { current.indexOfSection(identifier) }

    // MARK: - Data source

    /// Returns the number of sections.
    public func numberOfSections(in collectionView: CollectionView) -> Int { current.numberOfSections }

    /// Returns the number of items of a section.
    public func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        current.sections[section].items.count
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
}
