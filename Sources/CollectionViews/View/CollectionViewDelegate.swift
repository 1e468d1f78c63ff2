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

    /// Returns the path to which an item moves interactively, for delegates without the method above; by default the
    /// proposed one.
    ///
    /// The path of the item is the one at which the movement began.
    func collectionView(
        _ collectionView: CollectionView,
        targetIndexPathForMoveFromItemAt originalIndexPath: IndexPath,
        toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath

    /// Returns the offset of the view after a batch, or with a new layout; by default the proposed one.
    ///
    /// The proposed offset keeps visible items in place. The view limits the returned one to its content.
    func collectionView(
        _ collectionView: CollectionView,
        targetContentOffsetForProposedContentOffset proposedContentOffset: Double
    ) -> Double

    /// Returns whether an item that the user presses is highlighted; `true` by default.
    func collectionView(_ collectionView: CollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool

    /// Reports that an item is highlighted.
    func collectionView(_ collectionView: CollectionView, didHighlightItemAt indexPath: IndexPath)

    /// Reports that an item is no longer highlighted.
    func collectionView(_ collectionView: CollectionView, didUnhighlightItemAt indexPath: IndexPath)

    /// Returns whether the user may select an item; `true` by default.
    func collectionView(_ collectionView: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool

    /// Returns whether the user may deselect an item; `true` by default.
    func collectionView(_ collectionView: CollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool

    /// Reports that the user has selected an item.
    func collectionView(_ collectionView: CollectionView, didSelectItemAt indexPath: IndexPath)

    /// Reports that the user has deselected an item.
    func collectionView(_ collectionView: CollectionView, didDeselectItemAt indexPath: IndexPath)

    /// Returns whether the user may begin to select neighbouring items at one of them; `true` by default.
    ///
    /// It is not called where only one item may be selected.
    func collectionView(
        _ collectionView: CollectionView,
        shouldBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) -> Bool

    /// Reports that the user begins to select neighbouring items.
    func collectionView(
        _ collectionView: CollectionView,
        didBeginMultipleSelectionInteractionAt indexPath: IndexPath
    )

    /// Reports that the user has selected neighbouring items.
    ///
    /// It is not called for an interaction that a reload or the deletion of its first item has ended.
    func collectionViewDidEndMultipleSelectionInteraction(_ collectionView: CollectionView)

    /// Returns whether an item has a primary action; `true` by default.
    func collectionView(
        _ collectionView: CollectionView,
        canPerformPrimaryActionForItemAt indexPath: IndexPath
    ) -> Bool

    /// Performs the primary action of an item, apart from its selection.
    func collectionView(_ collectionView: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath)

    /// Returns whether the user may move the focus to an item; `true` by default.
    func collectionView(_ collectionView: CollectionView, canFocusItemAt indexPath: IndexPath) -> Bool

    /// Returns whether the user may move the focus from one item to another; `true` by default.
    func collectionView(
        _ collectionView: CollectionView,
        shouldUpdateFocusIn context: FocusUpdateContext
    ) -> Bool

    /// Reports that the user has moved the focus.
    func collectionView(_ collectionView: CollectionView, didUpdateFocusIn context: FocusUpdateContext)

    /// Returns the path of the item that gets the focus when it enters the view; `nil`, the default, for the first
    /// visible one.
    func indexPathForPreferredFocusedView(in collectionView: CollectionView) -> IndexPath?

    /// Returns whether an item to which the user moves the focus is selected; by default
    /// ``CollectionView/selectionFollowsFocus``.
    func collectionView(
        _ collectionView: CollectionView,
        selectionFollowsFocusForItemAt indexPath: IndexPath
    ) -> Bool

    /// Returns whether an item is edited while the view is; `true` by default.
    ///
    /// Its cell has the answer in ``CellConfigurationState/isEditing``.
    func collectionView(_ collectionView: CollectionView, canEditItemAt indexPath: IndexPath) -> Bool

    /// Reports, after a layout pass, that the offset has changed.
    func collectionViewDidScroll(_ collectionView: CollectionView)

    /// Reports that the user begins to scroll.
    func collectionViewWillBeginDragging(_ collectionView: CollectionView)

    /// Reports that the user lets the content run, and may change the offset at which it ends.
    func collectionViewWillEndDragging(
        _ collectionView: CollectionView,
        withVelocity velocity: Double,
        targetContentOffset: inout Double
    )

    /// Reports that the user no longer scrolls, and whether the content runs on.
    func collectionViewDidEndDragging(_ collectionView: CollectionView, willDecelerate decelerate: Bool)

    /// Reports that the content has come to rest.
    func collectionViewDidEndDecelerating(_ collectionView: CollectionView)

    /// Reports, after the layout pass that shows it, that an animated scroll of the program has another offset.
    ///
    /// It comes after ``collectionViewDidScroll(_:)``.
    func collectionViewDidEndScrollingAnimation(_ collectionView: CollectionView)

    /// Reports that updates broke a rule, and were not applied; the view keeps the state before them.
    ///
    /// ``CollectionView/performBatchUpdates(_:)`` throws the error instead.
    func collectionView(_ collectionView: CollectionView, didRejectUpdates error: any Error)
}

extension CollectionViewDelegate {
    /// Returns `true`.
    public func collectionView(_ collectionView: CollectionView, shouldHighlightItemAt indexPath: IndexPath)
        -> Bool
    { true }

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, didHighlightItemAt indexPath: IndexPath) {}

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, didUnhighlightItemAt indexPath: IndexPath) {}

    /// Returns `true`.
    public func collectionView(_ collectionView: CollectionView, shouldSelectItemAt indexPath: IndexPath)
        -> Bool
    { true }

    /// Returns `true`.
    public func collectionView(_ collectionView: CollectionView, shouldDeselectItemAt indexPath: IndexPath)
        -> Bool
    { true }

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, didSelectItemAt indexPath: IndexPath) {}

    /// Does nothing.
    public func collectionView(_ collectionView: CollectionView, didDeselectItemAt indexPath: IndexPath) {}

    /// Returns `true`.
    public func collectionView(
        _ collectionView: CollectionView,
        shouldBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) -> Bool { true }

    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        didBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) {}

    /// Does nothing.
    public func collectionViewDidEndMultipleSelectionInteraction(_ collectionView: CollectionView) {}

    /// Returns `true`.
    public func collectionView(
        _ collectionView: CollectionView,
        canPerformPrimaryActionForItemAt indexPath: IndexPath
    ) -> Bool { true }

    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        performPrimaryActionForItemAt indexPath: IndexPath
    ) {}

    /// Returns `true`.
    public func collectionView(_ collectionView: CollectionView, canFocusItemAt indexPath: IndexPath) -> Bool
    { true }

    /// Returns `true`.
    public func collectionView(
        _ collectionView: CollectionView,
        shouldUpdateFocusIn context: FocusUpdateContext
    ) -> Bool { true }

    /// Does nothing.
    public func collectionView(
        _ collectionView: CollectionView,
        didUpdateFocusIn context: FocusUpdateContext
    ) {}

    /// Returns `nil`.
    public func indexPathForPreferredFocusedView(in collectionView: CollectionView) -> IndexPath? { nil }

    /// Returns the property of the view.
    public func collectionView(
        _ collectionView: CollectionView,
        selectionFollowsFocusForItemAt indexPath: IndexPath
    ) -> Bool { collectionView.selectionFollowsFocus }

    /// Returns `true`.
    public func collectionView(_ collectionView: CollectionView, canEditItemAt indexPath: IndexPath) -> Bool {
        true
    }

    /// Does nothing.
    public func collectionViewDidScroll(_ collectionView: CollectionView) {}

    /// Does nothing.
    public func collectionViewWillBeginDragging(_ collectionView: CollectionView) {}

    /// Does nothing.
    public func collectionViewWillEndDragging(
        _ collectionView: CollectionView,
        withVelocity velocity: Double,
        targetContentOffset: inout Double
    ) {}

    /// Does nothing.
    public func collectionViewDidEndDragging(
        _ collectionView: CollectionView,
        willDecelerate decelerate: Bool
    ) {}

    /// Does nothing.
    public func collectionViewDidEndDecelerating(_ collectionView: CollectionView) {}

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

    /// Returns the path of the method without a current path.
    public func collectionView(
        _ collectionView: CollectionView,
        targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
        atCurrentIndexPath currentIndexPath: IndexPath,
        toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath {
        self.collectionView(
            collectionView,
            targetIndexPathForMoveFromItemAt: originalIndexPath,
            toProposedIndexPath: proposedIndexPath
        )
    }

    /// Returns the proposed path.
    public func collectionView(
        _ collectionView: CollectionView,
        targetIndexPathForMoveFromItemAt originalIndexPath: IndexPath,
        toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath { proposedIndexPath }

    /// Returns the proposed offset.
    public func collectionView(
        _ collectionView: CollectionView,
        targetContentOffsetForProposedContentOffset proposedContentOffset: Double
    ) -> Double { proposedContentOffset }

    /// Does nothing.
    public func collectionViewDidEndScrollingAnimation(_ collectionView: CollectionView) {}
}
