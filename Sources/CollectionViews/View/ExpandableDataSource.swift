internal import DataSources
public import Foundation

/// A data source of trees, whose items can be expanded and collapsed.
///
/// Expansion is a property of items, and not of paths: the data source keeps it by their identities.
public protocol ExpandableDataSource: CollectionViewDataSource {
    /// Returns whether an item is expanded; `nil` for an item that cannot be.
    func collectionView(_ collectionView: CollectionView, isItemExpandedAt indexPath: IndexPath) -> Bool?

    /// Expands or collapses an item, updates the view, and returns whether anything changed.
    func collectionView(
        _ collectionView: CollectionView,
        setExpanded isExpanded: Bool,
        forItemAt indexPath: IndexPath
    ) throws -> Bool

    /// The identifiers of the expanded items, for restoration.
    var expandedModelIdentifiers: [String] { get }

    /// Expands the items with these identifiers, and collapses the others.
    ///
    /// Restoration of a position comes afterwards, because its rows may be children.
    func restoreExpandedItems(_ modelIdentifiers: [String]) throws
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
}
