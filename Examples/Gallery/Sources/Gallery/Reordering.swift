import CollectionViews
import DataSources
import Foundation

// Reordering within a view, and drag and drop from one view to another, with the delegates of UIKit.

private final class Tasks: CollectionViewDataSource, CollectionViewDelegate {
    let view = makeList(lines: 5)
    private(set) var items: [String]

    init(_ items: [String]) {
        self.items = items
        view.dataSource = self
        view.delegate = self
        view.dragDelegate = self
        view.dropDelegate = self
    }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        items.count
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
        cell.content.text = StyledText(items[indexPath.item])
        return cell
    }

    // The first task stays the first.
    func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        indexPath.item > 0
    }

    func collectionView(
        _ collectionView: CollectionView,
        targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
        atCurrentIndexPath currentIndexPath: IndexPath,
        toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath { IndexPath(item: max(1, proposedIndexPath.item), section: 0) }

    func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) { items.insert(items.remove(at: sourceIndexPath.item), at: destinationIndexPath.item) }
}

extension Tasks: CollectionViewDragDelegate, CollectionViewDropDelegate {
    func collectionView(
        _ collectionView: CollectionView,
        itemsForBeginning session: DragSession,
        at indexPath: IndexPath
    ) -> [DragItem] {
        let task = items[indexPath.item]
        return [DragItem(itemProvider: ItemProvider(text: task), localObject: task)]
    }

    func collectionView(
        _ collectionView: CollectionView,
        dropSessionDidUpdate session: DropSession,
        withDestinationIndexPath destinationIndexPath: IndexPath?
    ) -> DropProposal { DropProposal(operation: .move, intent: .insertAtDestinationIndexPath) }

    func collectionView(_ collectionView: CollectionView, performDropWith coordinator: DropCoordinator) {
        for item in coordinator.items {
            guard let task = item.dragItem.localObject as? String else { continue }
            let path = coordinator.destinationIndexPath ?? IndexPath(item: items.count, section: 0)
            view.performBatchUpdates(
                {
                    self.items.insert(task, at: path.item)
                    self.view.insertItems(at: [path])
                },
                completion: nil
            )
            coordinator.drop(item.dragItem, toItemAt: path)
        }
    }

    func collectionView(_ collectionView: CollectionView, dragSessionDidEnd session: DragSession) {
        guard session.operation == .move else { return }
        for task in session.items.compactMap({ $0.localObject as? String }) {
            guard let index = items.firstIndex(of: task) else { continue }
            view.performBatchUpdates(
                {
                    self.items.remove(at: index)
                    self.view.deleteItems(at: [IndexPath(item: index, section: 0)])
                },
                completion: nil
            )
        }
    }
}

func showReordering() throws {
    let today = Tasks(["wake up", "write", "walk", "read"])
    let later = Tasks(["wait", "paint the door"])
    let view = today.view
    try show("today", view)
    // The steps of a pointer: press, move over rows, release.
    print(
        "'wake up' can be moved: \(try view.beginInteractiveMovementForItem(at: IndexPath(item: 0, section: 0)))"
    )
    guard try view.beginInteractiveMovementForItem(at: IndexPath(item: 3, section: 0)) else { return }
    try view.updateInteractiveMovementTargetPosition(Point(x: 5, y: 0.5))
    try show("'read' is moving to the top, and the delegate proposes the place after it", view)
    try view.endInteractiveMovement()
    print("the data: \(today.items.joined(separator: ", "))")

    guard let session = try view.beginDrag(at: IndexPath(item: 2, section: 0)) else { return }
    let proposal = try session.move(over: later.view, to: IndexPath(item: 1, section: 0))
    print("over the other list: \(proposal.operation)")
    print("dropped: \(try session.drop())")
    try show("today", view)
    try show("later", later.view)
}
