import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("The state of cells, and the background")
struct CellStateTests {
    /// A cell that records its part in drags.
    final class DraggedCell: Cell {
        private(set) var states: [DragState] = []
        override func dragStateDidChange(_ dragState: DragState) { states.append(dragState) }
    }

    final class Items: CollectionViewDragDelegate {
        func collectionView(
            _ view: CollectionView,
            itemsForBeginning session: DragSession,
            at path: IndexPath
        )
            -> [DragItem]
        { [DragItem(itemProvider: ItemProvider())] }
        func collectionView(_ view: CollectionView, itemsForAddingTo session: DragSession, at path: IndexPath)
            -> [DragItem]
        { [DragItem(itemProvider: ItemProvider())] }
    }

    private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

    @Test("a cell that requests its configuration is updated once, and measured, before the next frame")
    func configuration() throws {
        let source = TestSource(count: 10)
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        let cell = try #require(view.cellForItem(at: path(1)) as? NumberCell)
        var updates = 0
        var title = "first"
        cell.configurationUpdateHandler = { cell, _ in
            updates += 1
            cell.content.text = StyledText(title)
        }
        var isRequested = false
        view.frameRequestHandler = { isRequested = true }
        title = "second"
        cell.length = 50
        cell.setNeedsUpdateConfiguration()
        cell.setNeedsUpdateConfiguration()
        #expect(updates == 0 && isRequested)
        let frame = try view.makeFrame()
        #expect(updates == 1 && frame.elements[1].content.text.string == "second")
        #expect(frame.elements[1].attributes.frame.size.height == 50)
        _ = try view.makeFrame()
        #expect(updates == 1)
        // A cell that no longer displays an item is left alone.
        cell.setNeedsUpdateConfiguration()
        view.contentOffset = .infinity
        view.reloadData()
        try view.layoutIfNeeded()
        #expect(updates == 1)
    }

    @Test("a cell that requests its configuration in each update never settles, which is an error")
    func endless() throws {
        let source = TestSource(count: 10)
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        let cell = try #require(view.cellForItem(at: path(1)))
        cell.configurationUpdateHandler = { cell, _ in cell.setNeedsUpdateConfiguration() }
        cell.setNeedsUpdateConfiguration()
        let error = #expect(throws: CollectionViewError.self) { try view.makeFrame() }
        #expect(error?.code == .layoutDoesNotSettle)
        cell.configurationUpdateHandler = nil
        #expect(try view.makeFrame().elements.count == 5 && source.sections[0].count == 10)
    }

    @Test("the cells of dragged items know it until the drag ends")
    func dragState() throws {
        let source = TestSource(count: 10)
        let view = CollectionView.list(source)
        view.register(DraggedCell.self, forCellWithReuseIdentifier: "number")
        let items = Items()
        view.dragDelegate = items
        try view.layoutIfNeeded()
        let cells = view.visibleCells.compactMap { $0 as? DraggedCell }
        let session = try #require(try view.beginDrag(at: path(1)))
        #expect(try session.addItems(at: path(3)))
        #expect(cells.map(\.configurationState.cellDragState) == [.none, .dragging, .none, .dragging, .none])
        session.cancel()
        #expect(cells.map(\.states) == [[], [.dragging, .none], [], [.dragging, .none], []])
        #expect(source.requests.count == 5)
    }

    @Test("the background is behind everything, as large as the viewport, and shown without rows")
    func background() throws {
        let source = TestSource(count: 0)
        let view = CollectionView.list(source) { $0.backgroundKind = "section" }
        let label = ReusableView()
        label.content.text = "no rows"
        view.backgroundView = label
        let empty = try view.makeFrame()
        #expect(empty.elements.map(\.content.text.string) == ["no rows"])
        #expect(empty.elements[0].attributes.representedElementKind == CollectionView.elementKindBackground)
        #expect(view.displayedElement(ofView: empty.elements[0].viewNumber)?.category == .decorationView)
        try view.performBatchUpdates {
            source.sections = [Array(0..<20)]
            view.insertItems(at: (0..<20).map(path))
        }
        view.contentOffset = 30
        let frame = try view.makeFrame()
        #expect(frame.elements[0].attributes.frame == Rect(x: 0, y: 30, width: 80, height: 100))
        #expect(frame.elements[0].attributes.zIndex < frame.elements[1].attributes.zIndex)
        #expect(frame.elements.count == 8 && Set(frame.elements.map(\.viewNumber)).count == 8)
        #expect(label.layoutAttributes == frame.elements[0].attributes)
        var isRequested = false
        view.frameRequestHandler = { isRequested = true }
        view.backgroundView = nil
        #expect(isRequested)
        #expect(try view.makeFrame().elements.count == 7)
        #expect(label.layoutAttributes == nil)
    }
}
