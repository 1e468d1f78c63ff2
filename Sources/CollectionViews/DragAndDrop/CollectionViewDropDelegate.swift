public import Foundation

/// An object that takes the items that are dropped on a view.
///
/// Paths are those that the view shows, in which placeholders are counted.
public protocol CollectionViewDropDelegate: AnyObject {
    /// Returns whether the view can take the items of a session; `true` by default.
    func collectionView(_ collectionView: CollectionView, canHandle session: DropSession) -> Bool

    /// Reports that a drag has entered the view.
    func collectionView(_ collectionView: CollectionView, dropSessionDidEnter session: DropSession)

    /// Returns the effect of a drop at a position; by default the items are copied.
    ///
    /// The destination is the path of the item at the position, or `nil` if there is none.
    func collectionView(
        _ collectionView: CollectionView,
        dropSessionDidUpdate session: DropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> DropProposal

    /// Reports that a drag has left the view.
    func collectionView(_ collectionView: CollectionView, dropSessionDidExit session: DropSession)

    /// Takes the items.
    func collectionView(_ collectionView: CollectionView, performDropWith coordinator: DropCoordinator)

    /// Reports that a session has ended, dropped or not.
    func collectionView(_ collectionView: CollectionView, dropSessionDidEnd session: DropSession)
}

extension CollectionViewDropDelegate {
    /// Returns `true`.
    public func collectionView(_ collectionView: CollectionView, canHandle session: DropSession) -> Bool {
        true
    }

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, dropSessionDidEnter session: DropSession) {}

    /// Returns a proposal to copy.
    public func collectionView(
        _ collectionView: CollectionView,
        dropSessionDidUpdate session: DropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> DropProposal { DropProposal(operation: .copy) }

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, dropSessionDidExit session: DropSession) {}

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, dropSessionDidEnd session: DropSession) {}
}
