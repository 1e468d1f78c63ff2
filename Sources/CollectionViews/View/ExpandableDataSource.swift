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
