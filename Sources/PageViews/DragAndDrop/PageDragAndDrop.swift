internal import BridgeValues
internal import CollectionViews

/// The drags of one page: the one that began on it, and the one that is over it.
final class PageDragAndDrop {
    let source: PageDragSource
    let target: PageDropTarget
    /// The proposal that the page has.
    private var sent: DropProposal?

    init(_ view: CollectionView, _ drags: PageDrags) {
        source = PageDragSource(view, drags)
        target = PageDropTarget(view, drags)
    }

    /// The time of the next call of ``update(at:)``; `nil` for none.
    var deadline: Duration? { [source.deadline, target.deadline].compactMap(\.self).min() }

    /// Ends drags of which nothing was heard for too long.
    func update(at now: Duration) {
        source.update(at: now)
        target.update(at: now)
    }

    /// Ends all drags, because the page is gone.
    func end() {
        source.cancel()
        target.leave()
    }

    /// Returns the proposal for the page if it has another one: its effect and its intent, `null` without a drag.
    func takeChange() -> Value? {
        guard target.proposal != sent else { return nil }
        sent = target.proposal
        guard let sent else { return .null }
        return .array([.string(Self.name(sent.operation)), .string(Self.name(sent.intent))])
    }

    private static func name(_ operation: DropOperation) -> String {
        switch operation {
        case .cancel, .forbidden: "none"
        case .copy: "copy"
        case .move: "move"
        }
    }

    private static func name(_ intent: DropProposal.Intent) -> String {
        switch intent {
        case .unspecified: ""
        case .insertAtDestinationIndexPath: "at"
        case .insertIntoDestinationIndexPath: "into"
        }
    }
}
