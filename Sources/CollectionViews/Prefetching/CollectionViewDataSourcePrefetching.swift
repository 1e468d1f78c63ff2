public import Foundation

/// An object that loads the content of items before they become visible.
public protocol CollectionViewDataSourcePrefetching: AnyObject {
    /// Begins to load items, the nearest to the viewport first.
    func collectionView(_ collectionView: CollectionView, prefetchItemsAt indexPaths: [IndexPath])

    /// Cancels the loading of items that are no longer near the viewport and did not become visible, or are deleted.
    ///
    /// The paths are those of the state before the deletion.
    func collectionView(_ collectionView: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDataSourcePrefetching {
    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {}
}
