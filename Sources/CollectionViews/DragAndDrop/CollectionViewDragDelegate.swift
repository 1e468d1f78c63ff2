public import Foundation

/// An object that provides the items of drags that begin in a view.
public protocol CollectionViewDragDelegate: AnyObject {
    /// Returns the items of a drag that begins at an item; none if it cannot be dragged.
    func collectionView(
        _ collectionView: CollectionView,
        itemsForBeginning session: DragSession,
        at indexPath: IndexPath
    ) -> [DragItem]

    /// Returns the items that another item adds to a drag; none by default.
    func collectionView(
        _ collectionView: CollectionView,
        itemsForAddingTo session: DragSession,
        at indexPath: IndexPath
    ) -> [DragItem]

    /// Reports that a drag begins.
    func collectionView(_ collectionView: CollectionView, dragSessionWillBegin session: DragSession)

    /// Reports that a drag has ended, with ``DragSession/operation``.
    func collectionView(_ collectionView: CollectionView, dragSessionDidEnd session: DragSession)

    /// Returns whether the items may be moved; `true` by default. Otherwise a proposal to move them is forbidden.
    func collectionView(
        _ collectionView: CollectionView,
        dragSessionAllowsMoveOperation session: DragSession
    ) -> Bool

    /// Returns whether the items stay in this process; `false` by default.
    func collectionView(
        _ collectionView: CollectionView,
        dragSessionIsRestrictedToDraggingApplication session: DragSession
    ) -> Bool
}

extension CollectionViewDragDelegate {
    /// Returns no items.
    public func collectionView(
        _ collectionView: CollectionView,
        itemsForAddingTo session: DragSession,
        at indexPath: IndexPath
    ) -> [DragItem] { [] }

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, dragSessionWillBegin session: DragSession) {}

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, dragSessionDidEnd session: DragSession) {}

    /// Returns `true`.
    public func collectionView(
        _ collectionView: CollectionView,
        dragSessionAllowsMoveOperation session: DragSession
    ) -> Bool { true }

    /// Returns `false`.
    public func collectionView(
        _ collectionView: CollectionView,
        dragSessionIsRestrictedToDraggingApplication session: DragSession
    ) -> Bool { false }
}
