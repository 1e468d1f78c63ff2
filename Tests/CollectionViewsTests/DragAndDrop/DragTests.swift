import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Drag and drop")
struct DragTests {
    /// A source whose numbers can be dragged from it and dropped on it.
    class Shelf: TestSource, CollectionViewDragDelegate, CollectionViewDropDelegate {
        var events: [String] = []
        var operation = DropOperation.move
        var allowsMove = true
        var handles = true
        var isMovable = false
        var perform: (CollectionView, DropCoordinator) -> Void = { _, _ in }
        var destinations: [IndexPath?] = []

        override func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath)
            -> Bool
        {
            isMovable
        }
        override func collectionView(
            _ collectionView: CollectionView,
            moveItemAt sourceIndexPath: IndexPath,
            to destinationIndexPath: IndexPath
        ) {
            let number = sections[sourceIndexPath.section].remove(at: sourceIndexPath.item)
            sections[destinationIndexPath.section].insert(number, at: destinationIndexPath.item)
        }

        private func item(_ path: IndexPath) -> DragItem {
            let number = sections[path.section][path.item]
            return DragItem(itemProvider: ItemProvider(text: "\(number)"), localObject: number)
        }
        func collectionView(
            _ collectionView: CollectionView,
            itemsForBeginning session: DragSession,
            at indexPath: IndexPath
        ) -> [DragItem] { sections[indexPath.section][indexPath.item] == 0 ? [] : [item(indexPath)] }
        func collectionView(
            _ collectionView: CollectionView,
            itemsForAddingTo session: DragSession,
            at indexPath: IndexPath
        ) -> [DragItem] { [item(indexPath)] }
        func collectionView(_ view: CollectionView, dragSessionWillBegin session: DragSession) {
            events.append("begin \(session.items.count)")
        }
        func collectionView(_ view: CollectionView, dragSessionDidEnd session: DragSession) {
            events.append("end \(session.operation.map { "\($0)" } ?? "-")")
        }
        func collectionView(_ view: CollectionView, dragSessionAllowsMoveOperation session: DragSession)
            -> Bool
        {
            allowsMove
        }
        func collectionView(_ view: CollectionView, canHandle session: DropSession) -> Bool {
            events.append("canHandle")
            return handles
        }
        func collectionView(_ view: CollectionView, dropSessionDidEnter session: DropSession) {
            events.append("enter")
        }
        func collectionView(
            _ view: CollectionView,
            dropSessionDidUpdate session: DropSession,
            withDestinationIndexPath path: IndexPath?
        ) -> DropProposal {
            destinations.append(path)
            return DropProposal(operation: operation, intent: .insertAtDestinationIndexPath)
        }
        func collectionView(_ view: CollectionView, dropSessionDidExit session: DropSession) {
            events.append("exit")
        }
        func collectionView(_ view: CollectionView, performDropWith coordinator: DropCoordinator) {
            events.append("perform")
            perform(view, coordinator)
        }
        func collectionView(_ view: CollectionView, dropSessionDidEnd session: DropSession) {
            events.append("dropEnd")
        }
    }

    private func path(_ item: Int, _ section: Int = 0) -> IndexPath {
        IndexPath(item: item, section: section)
    }

    private func make(_ sections: [[Int]]) throws -> (Shelf, CollectionView) {
        let shelf = Shelf(sections)
        let view = CollectionView.list(shelf, height: 400)
        view.dragDelegate = shelf
        view.dropDelegate = shelf
        try view.layoutIfNeeded()
        return (shelf, view)
    }

    private func texts(_ view: CollectionView) throws -> [String] {
        try view.makeFrame().elements.map(\.content.text.string)
    }

    /// Inserts the dropped numbers at the destination, and removes them from the other shelf.
    private func takeNumbers(from source: Shelf, _ sourceView: CollectionView, to target: Shelf) {
        target.perform = { view, coordinator in
            for item in coordinator.items {
                guard let number = item.dragItem.localObject as? Int,
                    let path = coordinator.destinationIndexPath
                else { continue }
                target.sections[path.section].insert(number, at: path.item)
                view.insertItems(at: [path])
                coordinator.drop(item.dragItem, toItemAt: path)
                guard coordinator.proposal.operation == .move,
                    let old = source.sections[0].firstIndex(of: number)
                else { continue }
                source.sections[0].remove(at: old)
                sourceView.deleteItems(at: [IndexPath(item: old, section: 0)])
            }
        }
    }

    @Test("C12 V18 items move from one view to another, and each delegate is called once in turn")
    func betweenViews() throws {
        let (source, sourceView) = try make([[0, 1, 2, 3]])
        let (target, targetView) = try make([[10, 11]])
        takeNumbers(from: source, sourceView, to: target)
        #expect(try sourceView.beginDrag(at: path(0)) == nil)
        let session = try #require(try sourceView.beginDrag(at: path(1)))
        #expect(try sourceView.beginDrag(at: path(2)) == nil && sourceView.hasActiveDrag)
        #expect(try session.addItems(at: path(3)))
        #expect(try !session.addItems(at: path(3)))
        try session.move(over: sourceView, at: Point(x: 1, y: 1))
        let proposal = try session.move(over: targetView, at: Point(x: 1, y: 25))
        #expect(proposal.operation == .move && targetView.hasActiveDrop && !sourceView.hasActiveDrop)
        #expect(target.destinations == [path(1)])
        #expect(try session.drop() == .move)
        #expect(try texts(sourceView) == ["0", "2"] && texts(targetView) == ["10", "3", "1", "11"])
        #expect(source.events == ["begin 1", "canHandle", "enter", "exit", "end move"])
        #expect(target.events == ["canHandle", "enter", "perform", "dropEnd"])
        #expect(!sourceView.hasActiveDrag && !targetView.hasActiveDrop)
        #expect(try session.drop() == .cancel && session.operation == .move)
    }

    @Test("C12 a drop that is forbidden, refused or cancelled has no effect", arguments: 0..<4)
    func noEffect(_ reason: Int) throws {
        let (source, sourceView) = try make([[1, 2]])
        let (target, targetView) = try make([[10]])
        takeNumbers(from: source, sourceView, to: target)
        target.handles = reason != 0
        target.operation = reason == 1 ? .forbidden : .move
        source.allowsMove = reason != 2
        let session = try #require(try sourceView.beginDrag(at: path(0)))
        let proposal = try session.move(over: targetView, to: path(0))
        #expect(proposal.operation == (reason == 3 ? .move : .forbidden))
        if reason == 3 { session.cancel() } else { #expect(try session.drop() == .cancel) }
        #expect(session.operation == .cancel && !target.events.contains("perform"))
        #expect(target.events.filter { $0 == "enter" }.count == target.events.filter { $0 == "exit" }.count)
        #expect(source.events.last == "end cancel")
        #expect(try texts(sourceView) == ["1", "2"] && texts(targetView) == ["10"])
    }

    @Test("C12 the source of a dragged item follows batches and reloads")
    func source() throws {
        final class Named: TestSource, DataSourceModelAssociation {
            func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
                identity(at: indexPath)
            }
            func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
                -> IndexPath?
            { path(of: identifier) }
        }
        let named = Named([[1, 2, 3]])
        let (shelf, view) = try make([[1, 2, 3]])
        view.dataSource = named
        var sources: [IndexPath?] = []
        shelf.perform = { _, coordinator in sources = coordinator.items.map(\.sourceIndexPath) }
        for isReload in [false, true] {
            let session = try #require(try view.beginDrag(at: path(1)))
            named.sections[0].insert(9, at: 0)
            if isReload { view.reloadData() } else { view.insertItems(at: [path(0)]) }
            try session.move(over: view, to: path(0))
            try session.drop()
            #expect(sources == [path(2)])
            named.sections[0].removeFirst()
            view.deleteItems(at: [path(0)])
        }
    }

    @Test("V18 C10 C12 pointer and keys move an item by the same states, in views and within one")
    func reorder() throws {
        for usesKeys in [false, true] {
            let shelf = Shelf([[0, 1, 2, 3]])
            shelf.isMovable = true
            let view = CollectionView.list(shelf, height: 400)
            try view.layoutIfNeeded()
            func move(_ session: DragSession, _ item: Int) throws {
                if usesKeys {
                    try session.move(over: view, to: path(item))
                } else {
                    try session.move(over: view, at: Point(x: 1, y: Double(item) * 20 + 5))
                }
            }
            let session = try #require(try view.beginDrag(at: path(1)))
            try move(session, 3)
            #expect(try texts(view) == ["0", "2", "3", "1"] && shelf.sections == [[0, 1, 2, 3]])
            // Away from the view, the item returns.
            #expect(try session.move(over: nil) == DropProposal(operation: .forbidden))
            #expect(try texts(view) == ["0", "1", "2", "3"])
            try move(session, 2)
            #expect(try session.drop() == .move && shelf.sections == [[0, 2, 1, 3]])
            let cancelled = try #require(try view.beginDrag(at: path(0)))
            try move(cancelled, 3)
            cancelled.cancel()
            #expect(try texts(view) == ["0", "2", "1", "3"] && shelf.sections == [[0, 2, 1, 3]])
        }
    }

    @Test(
        "C10 C12 V18 a movement that a batch or a reload ends begins again at the item",
        arguments: [false, true]
    )
    func reorderAfterChanges(isReload: Bool) throws {
        let shelf = NamedShelf([[0, 1, 2, 3]])
        shelf.isMovable = true
        let view = CollectionView.list(shelf, height: 400)
        try view.layoutIfNeeded()
        let session = try #require(try view.beginDrag(at: path(1)))
        try session.move(over: view, to: path(3))
        shelf.sections[0].insert(9, at: 0)
        if isReload { view.reloadData() } else { view.insertItems(at: [path(0)]) }
        try session.move(over: view, to: path(4))
        #expect(try session.drop() == .move && shelf.sections == [[9, 0, 2, 3, 1]])
        #expect(try texts(view) == ["9", "0", "2", "3", "1"])
    }

    final class NamedShelf: Shelf, DataSourceModelAssociation {
        func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
            identity(at: indexPath)
        }
        func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
            -> IndexPath?
        { path(of: identifier) }
    }

    @Test("C12 a view with a drag over itself is released")
    func released() throws {
        weak var released: CollectionView?
        func drag() throws {
            let (shelf, view) = try make([[1, 2]])
            released = view
            let session = try #require(try view.beginDrag(at: path(0)))
            try session.move(over: view, to: path(1))
            #expect(view.hasActiveDrag && view.hasActiveDrop && !session.isRestrictedToDraggingApplication)
            withExtendedLifetime(shelf) {}
        }
        try drag()
        #expect(released == nil)
    }

    /// Drops one item of text at a path as a placeholder.
    private func dropPlaceholder(_ shelf: Shelf, _ view: CollectionView, at path: IndexPath) throws
        -> DropPlaceholderContext
    {
        var context: DropPlaceholderContext?
        shelf.operation = .copy
        shelf.perform = { _, coordinator in
            for item in coordinator.items {
                var placeholder = DropPlaceholder(insertionIndexPath: path, reuseIdentifier: "number")
                placeholder.cellUpdateHandler = { $0.content.text = "loading" }
                context = try? coordinator.drop(item.dragItem, to: placeholder)
            }
        }
        let session = DropSession(items: [DragItem(itemProvider: ItemProvider(text: "77"))])
        _ = try view.updateDrop(session, at: .zero)
        #expect(try view.performDrop(session) == .copy)
        view.endDrop(session)
        return try #require(context)
    }

    @Test("C12 V12 a placeholder in one of two views is committed once in both, and delays reloads of both")
    func inPeer() throws {
        let (shelf, view) = try make([[0, 1, 2]])
        let peer = CollectionView(sharing: view, frame: view.frame, collectionViewLayout: ListLayout())
        peer.dropDelegate = shelf
        _ = try (view.makeFrame(), peer.makeFrame())
        let first = try dropPlaceholder(shelf, peer, at: path(1))
        #expect(
            first.commitInsertion { path in
                shelf.sections[0].insert(77, at: path.item)
                // The data source reports to the first view.
                view.insertItems(at: [path])
            }
        )
        #expect(try texts(view) == ["0", "77", "1", "2"] && texts(peer) == texts(view))
        // A failed commit reads the data again in both views.
        let second = try dropPlaceholder(shelf, peer, at: path(0))
        #expect(!second.commitInsertion { _ in shelf.sections[0].removeLast(2) })
        #expect(try texts(view) == ["0", "77"] && texts(peer) == texts(view))
        // A reload of the other view waits for the placeholder.
        let third = try dropPlaceholder(shelf, peer, at: path(1))
        shelf.title = { "new \($0)" }
        view.reloadData()
        #expect(try peer.hasUncommittedUpdates && texts(view) == ["0", "77"])
        #expect(third.deletePlaceholder())
        #expect(try texts(view) == ["new 0", "new 77"] && texts(peer) == texts(view))
    }

    @Test(
        "C12 with placeholders, change sets reconfigure updated rows, and a full reload is repeated after them"
    )
    func changeSets() throws {
        let (shelf, view) = try make([[0, 1, 2]])
        let context = try dropPlaceholder(shelf, view, at: path(1))
        var results: [Bool] = []
        shelf.title = { "new \($0)" }
        shelf.sections = [[0, 1, 2, 3]]
        let changes: [Change] = [.item(type: .update(path(1))), .item(type: .insert(path(3)))]
        view.performUpdates(withChangeSet: .some(changes)) { results.append($0) }
        #expect(try texts(view) == ["0", "loading", "new 1", "2", "new 3"] && results == [true])
        view.performUpdates(withChangeSet: .all) { results.append($0) }
        #expect(try texts(view) == ["0", "loading", "new 1", "2", "new 3"] && results == [true, false])
        #expect(context.deletePlaceholder())
        #expect(try texts(view) == ["new 0", "new 1", "new 2", "new 3"])
    }

    @Test("C12 a placeholder remains until its data comes, and the data source sees translated paths")
    func placeholder() throws {
        let (shelf, view) = try make([[0, 1, 2]])
        let context = try dropPlaceholder(shelf, view, at: path(1))
        #expect(try texts(view) == ["0", "loading", "1", "2"] && view.hasUncommittedUpdates)
        #expect(view.dataSourceIndexPath(forPresentationIndexPath: path(1)) == nil)
        #expect(view.dataSourceIndexPath(forPresentationIndexPath: path(2)) == path(1))
        #expect(view.presentationIndexPath(forDataSourceIndexPath: path(1)) == path(2))
        // Rows that scroll in are requested by the paths of the data source.
        #expect(shelf.requests.allSatisfy { $0.item < 3 })
        // Batches name paths of the data source.
        try view.performBatchUpdates {
            shelf.sections = [[9, 2, 0, 8]]
            view.insertItems(at: [path(0), path(3)])
            view.deleteItems(at: [path(1)])
            view.moveItem(at: path(2), to: path(1))
        }
        #expect(try texts(view) == ["9", "2", "0", "loading", "8"])
        let session = context
        var insertion: IndexPath?
        #expect(
            session.commitInsertion { path in
                insertion = path
                shelf.sections[0].insert(77, at: path.item)
                // The report of a data source is absorbed.
                view.insertItems(at: [path])
            }
        )
        #expect(insertion == path(3) && !view.hasUncommittedUpdates)
        #expect(try texts(view) == ["9", "2", "0", "77", "8"])
        #expect(!session.commitInsertion { _ in Issue.record("a placeholder was committed twice") })
        #expect(!session.deletePlaceholder())
    }

    @Test("C12 a deleted placeholder leaves the rows as they were; one of a deleted section goes with it")
    func deleted() throws {
        let (shelf, view) = try make([[0, 1], [5]])
        let first = try dropPlaceholder(shelf, view, at: path(2))
        let second = try dropPlaceholder(shelf, view, at: path(0, 1))
        #expect(try texts(view) == ["0", "1", "loading", "loading", "5"])
        #expect(first.deletePlaceholder())
        #expect(try texts(view) == ["0", "1", "loading", "5"])
        try view.performBatchUpdates {
            shelf.sections.removeLast()
            view.deleteSections([1])
        }
        #expect(try texts(view) == ["0", "1"] && !view.hasUncommittedUpdates && !second.deletePlaceholder())
    }

    @Test(
        "C12 while placeholders are shown, reloads are refused, and a wrong commit reads the data source again"
    )
    func refused() throws {
        final class Rejected: CollectionViewDelegate {
            var errors: [CollectionViewError.Code] = []
            func collectionView(_ collectionView: CollectionView, didRejectUpdates error: any Error) {
                if let error = error as? CollectionViewError { errors.append(error.code) }
            }
        }
        let (shelf, view) = try make([[0, 1, 2]])
        let delegate = Rejected()
        view.delegate = delegate
        let context = try dropPlaceholder(shelf, view, at: path(3))
        view.reloadItems(at: [path(0)])
        view.reloadSections([0])
        view.reloadData()
        #expect(delegate.errors == [.uncommittedUpdates, .uncommittedUpdates, .uncommittedUpdates])
        view.reconfigureItems(at: [path(2)])
        #expect(try texts(view) == ["0", "1", "2", "loading"] && delegate.errors.count == 3)
        #expect(try !view.beginInteractiveMovementForItem(at: path(0)))
        #expect(!context.commitInsertion { _ in })
        #expect(try texts(view) == ["0", "1", "2"])
        view.reloadItems(at: [path(0)])
        #expect(delegate.errors.count == 3)
    }

    @Test("C12 C9 random batches with placeholders show the rows of the data source in order")
    func random() throws {
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<12 {
            var state = ModelState(&generator)
            let source = ModelSource(state)
            let shelf = Shelf([])
            let view = CollectionView.list(TestSource(count: 0), height: 10_000)
            view.dataSource = source
            view.dropDelegate = shelf
            try view.layoutIfNeeded()
            var contexts: [DropPlaceholderContext] = []
            var lastID = 100_000
            for _ in 0..<12 {
                if view.numberOfSections > 0, generator.chance(60) {
                    let section = generator.int(0..<view.numberOfSections)
                    let item = generator.int(0..<view.numberOfItems(inSection: section) + 1)
                    contexts.append(try dropPlaceholder(shelf, view, at: path(item, section)))
                }
                if generator.chance(30), let context = contexts.randomElement(using: &generator) {
                    _ = context.deletePlaceholder()
                }
                let old = state
                state.change(&generator)
                let difference = try old.difference(to: state)
                source.state = state
                view.performUpdates(withChangeSet: difference.changeSet)
                let shown = try view.makeFrame().elements.filter { $0.attributes.element.category == .cell }
                    .map { $0.content.text.string.split(separator: " ")[0] }
                #expect(
                    shown.filter { $0 != "loading" } == state.sections.flatMap(\.items).map { "\($0.id)" },
                    "\(generator.origin)"
                )
                #expect(shown.contains("loading") == view.hasUncommittedUpdates)
                guard generator.chance(50), let context = contexts.randomElement(using: &generator) else {
                    continue
                }
                var inserted: IndexPath?
                lastID += 1
                let isCommitted = context.commitInsertion { path in
                    inserted = path
                    state.sections[path.section].items.insert(ModelRow(id: lastID), at: path.item)
                    source.state = state
                }
                #expect(isCommitted == (inserted != nil))
                // The row of the placeholder becomes the item, and the others are as before.
                let committed = try view.makeFrame().elements.map {
                    $0.content.text.string.split(separator: " ")[0]
                }
                let changed = zip(shown, committed).filter { $0 != $1 }
                #expect(committed.count == shown.count && changed.count == (isCommitted ? 1 : 0))
                #expect(changed.allSatisfy { $0.0 == "loading" && $0.1 == "\(lastID)" })
                #expect(
                    committed.filter { $0 != "loading" }
                        == state.sections.flatMap(\.items).map { "\($0.id)" },
                    "\(generator.origin)"
                )
            }
        }
    }

    @Test("C12 data of items is loaded once, in order, and a missing form is an error")
    func providers() throws {
        let slow = ItemProvider()
        var waiting: [(Result<[UInt8], any Error>) -> Void] = []
        slow.register("text/plain") { waiting.append($0) }
        let session = DropSession(
            items: [slow, ItemProvider(text: "b"), ItemProvider()].map { DragItem(itemProvider: $0) }
        )
        var results: [[[UInt8]]] = []
        #expect(session.canLoadObjects(ofType: "text/plain") && !session.canLoadObjects(ofType: "image/png"))
        session.loadObjects(ofType: "text/plain") { results.append($0) }
        #expect(results.isEmpty && session.progress == 0.5)
        for answer in waiting + waiting { answer(.success(Array("a".utf8))) }
        #expect(results == [[Array("a".utf8), Array("b".utf8)]] && session.progress == 1)
        session.loadObjects(ofType: "image/png") { results.append($0) }
        #expect(results.last == [])
        var failure: (any Error)?
        slow.loadData(ofType: "image/png") { if case .failure(let error) = $0 { failure = error } }
        #expect((failure as? ItemProvider.UnknownType)?.type == "image/png")
    }
}
