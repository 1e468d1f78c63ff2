import CollectionViews
import DataSources
import Foundation

@testable import PageViews

/// A delegate of drags and drops that writes down what it is asked, and takes the items of numbers.
final class DropShelf: CollectionViewDragDelegate, CollectionViewDropDelegate {
    let source: NumberSource
    var events: [String] = []
    var proposal = DropProposal(operation: .copy, intent: .insertAtDestinationIndexPath)
    var isRestricted = false
    /// The items of the last drop.
    var items: [DragItem] = []
    var texts: [String] = []

    init(_ run: SessionRun) {
        source = run.source
        run.view.dropDelegate = self
    }

    func collectionView(_ view: CollectionView, itemsForBeginning session: DragSession, at path: IndexPath)
        -> [DragItem]
    {
        let number = source.shown(path.section)[path.item]
        return [DragItem(itemProvider: ItemProvider(text: "\(number)"), localObject: number)]
    }

    func collectionView(_ view: CollectionView, itemsForAddingTo session: DragSession, at path: IndexPath)
        -> [DragItem]
    { collectionView(view, itemsForBeginning: session, at: path) }

    func collectionView(_ view: CollectionView, dragSessionDidEnd session: DragSession) {
        events.append("end \(session.operation.map { "\($0)" } ?? "-")")
    }

    func collectionView(
        _ view: CollectionView,
        dragSessionIsRestrictedToDraggingApplication session: DragSession
    ) -> Bool { isRestricted }

    func collectionView(_ view: CollectionView, dropSessionDidEnter session: DropSession) {
        events.append("enter \(session.items.count)")
    }

    func collectionView(
        _ view: CollectionView,
        dropSessionDidUpdate session: DropSession,
        withDestinationIndexPath path: IndexPath?
    ) -> DropProposal { proposal }

    func collectionView(_ view: CollectionView, dropSessionDidExit session: DropSession) {
        events.append("exit")
    }

    func collectionView(_ view: CollectionView, performDropWith coordinator: DropCoordinator) {
        items = coordinator.items.map(\.dragItem)
        events.append("drop \(items.count) at \(coordinator.destinationIndexPath?.item ?? -1)")
        coordinator.session.loadObjects(ofType: "text/plain") { [self] forms in
            texts += forms.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    func collectionView(_ view: CollectionView, dropSessionDidEnd session: DropSession) {
        events.append("over")
    }
}
