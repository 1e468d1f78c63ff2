import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Anchors of layout passes")
struct AnchorTests {
    private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

    private func configuration(_ estimate: Double) -> ListConfiguration {
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = estimate
        return configuration
    }

    @Test("V19 a new layout or configuration with shorter rows keeps the first visible item")
    func shorter() throws {
        for isNewLayout in [true, false] {
            let source = TestSource(count: 1_000)
            let view = CollectionView.list(source)
            view.contentOffset = 10_002
            try view.layoutIfNeeded()
            if isNewLayout {
                view.setCollectionViewLayout(ListLayout(configuration(5)))
            } else {
                (view.collectionViewLayout as? ListLayout)?.configuration.estimatedRowLength = 5
            }
            #expect(try view.makeFrame().lines.prefix(2) == ["500 at -2.0", "501 at 3.0"])
        }
    }

    @Test("V19 a wider flow layout keeps the first visible item")
    func wider() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        view.setCollectionViewLayout(FlowLayout())
        view.contentOffset = 50_000
        let first = try #require(try view.makeFrame().lines.first)
        view.frame.size.width = 200
        #expect(try view.makeFrame().lines.contains(first))
    }

    @Test("V19 a change of the scroll direction keeps the first visible item")
    func direction() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        view.contentOffset = 10_010
        try view.layoutIfNeeded()
        var horizontal = configuration(30)
        horizontal.scrollDirection = .horizontal
        (view.collectionViewLayout as? ListLayout)?.configuration = horizontal
        let frame = try view.makeFrame()
        #expect(frame.elements.first?.content.text.string == "500")
        #expect(frame.elements.first.map { $0.attributes.frame.minX - frame.bounds.minX } == -10)
    }

    @Test("V4 a shorter row far above moves nothing visible near the end")
    func shorterRow() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        try view.setMeasuredLength(500, forItemAt: path(3))
        view.contentOffset = view.contentSize.height - 300
        let before = try view.makeFrame().lines
        try view.setMeasuredLength(5, forItemAt: path(3))
        #expect(try view.makeFrame().lines == before)
    }

    @Test("V4 C7 passes that fail do not move the rows that were visible")
    func failing() throws {
        let source = TestSource(count: 1_000)
        source.length = { _ in 30 }
        let view = CollectionView.list(source)
        view.contentOffset = 5_000
        let before = try view.makeFrame()
        source.failing = [path(247)]
        view.contentOffset -= 90
        for _ in 0..<5 { #expect(throws: SourceFault.self) { try view.makeFrame() } }
        source.failing = []
        let after = try view.makeFrame()
        for element in before.elements {
            guard let same = after.elements.first(where: { $0.content == element.content }) else { continue }
            #expect(
                same.attributes.frame.minY - after.bounds.minY
                    == element.attributes.frame.minY - before.bounds.minY + 90
            )
        }
        #expect(after.lines.contains("250 at 90.0"))
    }

    @Test("C4 a layout that is prepared again asks the visible cells for their lengths")
    func prepared() throws {
        let source = TestSource(count: 100)
        source.length = { _ in 50 }
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        let layout = try #require(view.collectionViewLayout as? ListLayout)
        layout.configuration.rowSpacing = 2
        #expect(try view.makeFrame().lines == ["0 at 0.0", "1 at 52.0"])
        layout.invalidateLayout()
        #expect(try view.makeFrame().lines == ["0 at 0.0", "1 at 52.0"])
        var context = InvalidationContext()
        context.invalidateItems(at: [path(0)])
        layout.invalidateLayout(with: context)
        #expect(try view.makeFrame().lines == ["0 at 0.0", "1 at 52.0"])
        #expect(view.counters.prepared == 3)
    }

    @Test("S7 V4 a view at the end stays there while rows arrive that are longer than their estimate")
    func end() throws {
        let source = TestSource(count: 100)
        source.length = { $0 < 100 ? nil : 60 }
        let view = CollectionView.list(source)
        view.scrollAnchoring.mode = .end
        view.contentOffset = .infinity
        try view.layoutIfNeeded()
        for item in 100..<110 {
            try view.performBatchUpdates {
                source.sections[0].append(item)
                view.insertItems(at: [path(item)])
            }
            #expect(try view.makeFrame().lines.last == "\(item) at 40.0")
        }
    }

    @Test("S7 a scroll to the end that is not laid out yet goes to the end after a batch")
    func pendingEnd() throws {
        let source = TestSource(count: 100)
        source.length = { _ in 33 }
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        view.contentOffset = .infinity
        try view.performBatchUpdates {
            source.sections[0].append(100)
            view.insertItems(at: [path(100)])
        }
        #expect(try view.makeFrame().lines.last == "100 at 67.0")
    }

    @Test("V4 S1 with overscan, a jump keeps the first row of the viewport and not one outside of it")
    func overscan() throws {
        let source = TestSource(count: 1_000)
        source.length = { _ in 35 }
        let view = CollectionView.list(source)
        view.overscan = 60
        view.contentOffset = 5_000
        let frame = try view.makeFrame()
        #expect(frame.lines.contains("250 at 0.0"))
    }

    @Test("V6 the nearest position of a visible row is its present one, also after a measurement above")
    func nearest() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        view.contentOffset = 5_000
        let before = try view.makeFrame().lines
        try view.setMeasuredLength(77, forItemAt: path(3))
        try view.scrollToItem(at: path(252), at: .nearest)
        #expect(try view.makeFrame().lines == before)
    }

    @Test("C3 cells whose attributes change in a batch adopt them")
    func applied() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        view.scrollAnchoring.isSuppressedAtTop = false
        try view.layoutIfNeeded()
        let cell = try #require(view.cellForItem(at: path(2)) as? NumberCell)
        let applied = cell.applied
        try view.performBatchUpdates {
            source.sections[0].insert(500, at: 0)
            view.insertItems(at: [path(0)])
        }
        #expect(cell.applied == applied + 1)
        #expect(cell.layoutAttributes?.indexPath == path(3))
    }

    @Test("V4 S7 a long row that is inserted at the very top is visible, and the view stays at the top")
    func longRowAtTop() throws {
        let source = TestSource(count: 100)
        source.length = { $0 < 100 ? nil : 70 }
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        try view.performBatchUpdates {
            source.sections[0].insert(100, at: 0)
            view.insertItems(at: [path(0)])
        }
        #expect(try view.makeFrame().lines == ["100 at 0.0", "0 at 70.0", "1 at 90.0"])
    }

    @Test("V4 S7 after a batch, the row that the anchoring rule chose stays, and not one that moved away")
    func movedAbove() throws {
        let source = TestSource(count: 1_000)
        source.length = { $0 < 1_000 ? nil : 50 }
        let view = CollectionView.list(source)
        view.contentOffset = 4_010
        #expect(try view.makeFrame().lines.prefix(2) == ["200 at -10.0", "201 at 10.0"])
        // 200 moves below 201, and a long row comes between them: 201 is the first row that did not move.
        try view.performBatchUpdates {
            source.sections[0].remove(at: 200)
            source.sections[0].insert(contentsOf: [1_000, 200], at: 201)
            view.moveItem(at: path(200), to: path(202))
            view.insertItems(at: [path(201)])
        }
        #expect(try view.makeFrame().lines.prefix(3) == ["199 at -10.0", "201 at 10.0", "1000 at 30.0"])
        // 201 moves far up; 1000 stays.
        try view.performBatchUpdates {
            source.sections[0].removeAll { $0 == 201 }
            source.sections[0].insert(201, at: 3)
            view.moveItem(at: path(200), to: path(3))
            view.deleteItems(at: [path(199)])
            source.sections[0].removeAll { $0 == 199 }
        }
        #expect(try view.makeFrame().lines.contains("1000 at 30.0"))
    }

    @Test("V4 a configuration change at the very top stays at the top")
    func configurationAtTop() throws {
        let source = TestSource(count: 100)
        source.hasHeaders = true
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        let layout = try #require(view.collectionViewLayout as? ListLayout)
        layout.configuration.headerLength = 10
        layout.configuration.sectionInset.top = 5
        #expect(try view.makeFrame().lines.prefix(2) == ["0 at 15.0", "section 0 at 0.0"])
        view.scrollAnchoring.isSuppressedAtTop = false
        layout.configuration.headerLength = 30
        #expect(try view.makeFrame().lines.first == "0 at 15.0")
    }

    @Test("V4 10,000 rows of length 0 fill the window", arguments: [0.0, 1e9])
    func empty(_ offset: Double) throws {
        let source = TestSource(count: 10_000)
        source.length = { _ in 0 }
        let view = CollectionView.list(source)
        view.contentOffset = offset
        // A row of length 0 is 1/64 long, so that a window has a limited number of them.
        #expect(try view.makeFrame().elements.count == 6_400)
    }
}
