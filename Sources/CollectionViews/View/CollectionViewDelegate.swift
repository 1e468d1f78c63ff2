public import Foundation

/// An object that a view notifies.
///
/// Every method has a default.
public protocol CollectionViewDelegate: AnyObject {
    /// Reports that a cell becomes visible.
    func collectionView(
        _ collectionView: CollectionView,
        willDisplay cell: Cell,
        forItemAt indexPath: IndexPath
    )

    /// Reports that a cell is no longer visible; the path is that of the state in which it was visible.
    func collectionView(
        _ collectionView: CollectionView,
        didEndDisplaying cell: Cell,
        forItemAt indexPath: IndexPath
    )

    /// Reports that a supplementary view becomes visible.
    func collectionView(
        _ collectionView: CollectionView,
        willDisplaySupplementaryView view: ReusableView,
        forElementKind elementKind: String,
        at indexPath: IndexPath
    )

    /// Reports that a supplementary view is no longer visible.
    func collectionView(
        _ collectionView: CollectionView,
        didEndDisplayingSupplementaryView view: ReusableView,
        forElementOfKind elementKind: String,
        at indexPath: IndexPath
    )

    /// Returns the path to which an item moves interactively; by default the proposed one.
    func collectionView(
        _ collectionView: CollectionView,
        targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
        atCurrentIndexPath currentIndexPath: IndexPath,
        toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath

    /// Reports that updates broke a rule, and were not applied; the view keeps the state before them.
    ///
    /// ``CollectionView/performBatchUpdates(_:)`` throws the error instead.
    func collectionView(_ collectionView: CollectionView, didRejectUpdates error: any Error)
}

extension CollectionViewDelegate {
    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        willDisplay cell: Cell,
        forItemAt indexPath: IndexPath
    ) {}

    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        didEndDisplaying cell: Cell,
        forItemAt indexPath: IndexPath
    ) {}

    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        willDisplaySupplementaryView view: ReusableView,
        forElementKind elementKind: String,
        at indexPath: IndexPath
    ) {}

    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        didEndDisplayingSupplementaryView view: ReusableView,
        forElementOfKind elementKind: String,
        at indexPath: IndexPath
    ) {}

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, didRejectUpdates error: any Error) {}

    /// Returns the proposed path.
    public func collectionView(
        _ collectionView: CollectionView,
        targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
        atCurrentIndexPath currentIndexPath: IndexPath,
        toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath { proposedIndexPath }
}
