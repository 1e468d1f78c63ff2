internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import JavaScriptBridge

extension ViewCoordinator: CollectionViewDelegate {
    func collectionView(
        _ collectionView: CollectionView,
        willDisplay cell: Cell,
        forItemAt indexPath: IndexPath
    ) {
        _ = ask("willDisplay", indexPath)
    }

    func collectionView(
        _ collectionView: CollectionView,
        didEndDisplaying cell: Cell,
        forItemAt indexPath: IndexPath
    ) {
        _ = ask("didEndDisplaying", indexPath)
    }

    func collectionView(
        _ collectionView: CollectionView,
        willDisplaySupplementaryView view: ReusableView,
        forElementKind elementKind: String,
        at indexPath: IndexPath
    ) {
        let kind = ScriptElementKind.name(of: elementKind)
        _ = ask("willDisplaySupplementaryView", ["forElementKind": .string(kind), "at": indexPath.value])
    }

    func collectionView(
        _ collectionView: CollectionView,
        didEndDisplayingSupplementaryView view: ReusableView,
        forElementOfKind elementKind: String,
        at indexPath: IndexPath
    ) {
        let kind = ScriptElementKind.name(of: elementKind)
        _ = ask(
            "didEndDisplayingSupplementaryView",
            ["forElementOfKind": .string(kind), "at": indexPath.value]
        )
    }

    func collectionView(
        _ collectionView: CollectionView,
        targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
        atCurrentIndexPath currentIndexPath: IndexPath,
        toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath {
        path(
            "targetIndexPathForMoveOfItem",
            [
                "fromOriginalIndexPath": originalIndexPath.value,
                "atCurrentIndexPath": currentIndexPath.value,
                "toProposedIndexPath": proposedIndexPath.value,
            ]
        ) ?? proposedIndexPath
    }

    func collectionView(
        _ collectionView: CollectionView,
        targetContentOffsetForProposedContentOffset proposedContentOffset: Double
    ) -> Double {
        number("targetContentOffsetForProposedContentOffset", .number(proposedContentOffset))
            ?? proposedContentOffset
    }

    func collectionView(_ collectionView: CollectionView, shouldHighlightItemAt indexPath: IndexPath) -> Bool
    {
        allows("shouldHighlightItemAt", indexPath)
    }

    func collectionView(_ collectionView: CollectionView, didHighlightItemAt indexPath: IndexPath) {
        _ = ask("didHighlightItemAt", indexPath)
    }

    func collectionView(_ collectionView: CollectionView, didUnhighlightItemAt indexPath: IndexPath) {
        _ = ask("didUnhighlightItemAt", indexPath)
    }

    func collectionView(_ collectionView: CollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        allows("shouldSelectItemAt", indexPath)
    }

    func collectionView(_ collectionView: CollectionView, shouldDeselectItemAt indexPath: IndexPath) -> Bool {
        allows("shouldDeselectItemAt", indexPath)
    }

    func collectionView(_ collectionView: CollectionView, didSelectItemAt indexPath: IndexPath) {
        _ = ask("didSelectItemAt", indexPath)
    }

    func collectionView(_ collectionView: CollectionView, didDeselectItemAt indexPath: IndexPath) {
        _ = ask("didDeselectItemAt", indexPath)
    }

    func collectionView(
        _ collectionView: CollectionView,
        shouldBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) -> Bool { allows("shouldBeginMultipleSelectionInteractionAt", indexPath) }

    func collectionView(
        _ collectionView: CollectionView,
        didBeginMultipleSelectionInteractionAt indexPath: IndexPath
    ) {
        _ = ask("didBeginMultipleSelectionInteractionAt", indexPath)
    }

    func collectionViewDidEndMultipleSelectionInteraction(_ collectionView: CollectionView) {
        _ = ask("didEndMultipleSelectionInteraction", .undefined)
    }

    func collectionView(
        _ collectionView: CollectionView,
        canPerformPrimaryActionForItemAt indexPath: IndexPath
    ) -> Bool {
        let isThere = owner.map { $0.has("onPrimaryAction") || $0.has("performPrimaryActionForItemAt") }
        return isThere == true && allows("canPerformPrimaryActionForItemAt", indexPath)
    }

    func collectionView(_ collectionView: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath)
    {
        guard let owner else { return }
        _ = owner.ask {
            try owner.performPrimaryAction(at: indexPath, in: collectionView)
            return .undefined
        }
        owner.setNeedsDisplay()
    }

    func collectionView(_ collectionView: CollectionView, canFocusItemAt indexPath: IndexPath) -> Bool {
        allows("canFocusItemAt", indexPath)
    }

    func collectionView(
        _ collectionView: CollectionView,
        shouldUpdateFocusIn context: FocusUpdateContext
    ) -> Bool { allows(ask("shouldUpdateFocusIn", context.value)) }

    func collectionView(_ collectionView: CollectionView, didUpdateFocusIn context: FocusUpdateContext) {
        _ = ask("didUpdateFocusIn", context.value)
    }

    func indexPathForPreferredFocusedView(in collectionView: CollectionView) -> IndexPath? {
        path("indexPathForPreferredFocusedView", .undefined)
    }

    func collectionView(
        _ collectionView: CollectionView,
        selectionFollowsFocusForItemAt indexPath: IndexPath
    ) -> Bool {
        ask("selectionFollowsFocusForItemAt", indexPath)?.boolValue ?? collectionView.selectionFollowsFocus
    }

    func collectionView(_ collectionView: CollectionView, canEditItemAt indexPath: IndexPath) -> Bool {
        allows("canEditItemAt", indexPath)
    }

    func collectionViewDidScroll(_ collectionView: CollectionView) {
        guard collectionView === owner?.view else { return }
        _ = ask("didScroll", .double(collectionView.contentOffset))
    }

    func collectionViewWillBeginDragging(_ collectionView: CollectionView) {
        _ = ask("willBeginDragging", .double(collectionView.contentOffset))
    }

    func collectionViewWillEndDragging(
        _ collectionView: CollectionView,
        withVelocity velocity: Double,
        targetContentOffset: inout Double
    ) {
        let end: Value = [
            "withVelocity": .double(velocity), "targetContentOffset": .double(targetContentOffset),
        ]
        targetContentOffset = number("willEndDragging", end) ?? targetContentOffset
    }

    func collectionViewDidEndDragging(_ collectionView: CollectionView, willDecelerate decelerate: Bool) {
        _ = ask("didEndDragging", ["willDecelerate": .bool(decelerate)])
    }

    func collectionViewDidEndDecelerating(_ collectionView: CollectionView) {
        _ = ask("didEndDecelerating", .double(collectionView.contentOffset))
    }

    func collectionViewDidEndScrollingAnimation(_ collectionView: CollectionView) {
        _ = ask("didEndScrollingAnimation", .double(collectionView.contentOffset))
    }

    func collectionView(_ collectionView: CollectionView, didRejectUpdates error: any Error) {
        guard let owner else { return }
        guard owner.has("didRejectUpdates") else { return owner.report(error) }
        owner.lastError = BridgeError(wrapping: error)
        _ = ask("didRejectUpdates", .string("\(error)"))
    }
}

extension FocusUpdateContext {
    /// The move of the focus as scripts read it.
    fileprivate var value: Value {
        [
            "previouslyFocusedIndexPath": previouslyFocusedIndexPath?.value ?? .undefined,
            "nextFocusedIndexPath": nextFocusedIndexPath.value,
        ]
    }
}
