import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Cells, reuse and frames")
struct DisplayTests {
    @Test("C1 C7 a frame has the visible rows, and cells are requested for them alone")
    func first() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        let frame = try view.makeFrame()
        #expect(frame.lines == (0..<5).map { "\($0) at \(Double($0) * 20)" })
        #expect(frame.contentSize == Size(width: 80, height: 20_000))
        #expect(source.requests.map(\.item) == [0, 1, 2, 3, 4])
        #expect(source.countRequests == 1)
        view.contentOffset = 30
        #expect(try view.makeFrame().lines.first == "1 at -10.0")
        #expect(source.requests.map(\.item) == [0, 1, 2, 3, 4, 5, 6])
        #expect(source.countRequests == 1)
    }

    @Test("C1 each corner of the triangle can be replaced: a fake layout, no delegate, no data source")
    func fakes() throws {
        final class Diagonal: CollectionLayout {
            override var collectionViewContentSize: Size { Size(width: 80, height: 300) }
            override func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
                let place = Double(indexPath.item) * 10
                return LayoutAttributes(
                    forCellWith: indexPath,
                    frame: Rect(x: place, y: place, width: 20, height: 20)
                )
            }
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                (0..<(host?.numberOfItems(inSection: 0) ?? 0))
                    .compactMap { layoutAttributesForItem(at: IndexPath(item: $0, section: 0)) }
            }
        }
        let source = TestSource(count: 30)
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 50),
            collectionViewLayout: Diagonal()
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        #expect(try view.makeFrame().elements.isEmpty)
        view.dataSource = source
        #expect(try view.makeFrame().lines.count == 5)
        #expect(view.indexPathForItem(at: Point(x: 15, y: 15))?.item == 1)
    }

    @Test("C6 V8 after 10,000 random jumps there are as many cells as rows fit, plus one")
    func jumps() throws {
        let source = TestSource(count: 1_000_000)
        let view = CollectionView.list(source)
        view.overscan = 40
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<10_000 {
            view.contentOffset = Double(generator.int(0..<20_000_000))
            try view.layoutIfNeeded()
        }
        // Six rows are visible at most, and two before and after them.
        #expect(view.counters.created <= 6 + 4 + 1)
        #expect(view.counters.bound - view.counters.recycled == view.visibleCells.count)
    }

    @Test("C6 a cell is prepared before it is used again, and queues are apart by identifier")
    func preparation() throws {
        let source = TestSource(count: 100)
        source.identifier = { $0.isMultiple(of: 2) ? "number" : "other" }
        let view = CollectionView.list(source)
        view.register(NumberCell.self, forCellWithReuseIdentifier: "other")
        try view.layoutIfNeeded()
        view.contentOffset = 100
        try view.layoutIfNeeded()
        for cell in view.visibleCells {
            let number = (cell as? NumberCell)?.number ?? -1
            #expect(cell.reuseIdentifier == (number.isMultiple(of: 2) ? "number" : "other"))
        }
        #expect(view.counters.created == 6)
        #expect(view.visibleCells.reduce(0) { $0 + (($1 as? NumberCell)?.prepared ?? 0) } == 4)
    }

    @Test("C7 becoming visible and ending balance for every cell")
    func balance() throws {
        let source = TestSource((0..<20).map { section in (0..<30).map { section * 100 + $0 } })
        let view = CollectionView.list(source)
        let delegate = TestDelegate()
        view.delegate = delegate
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<200 {
            if generator.chance(10) { view.reloadData() }
            view.contentOffset = Double(generator.int(0..<12_000))
            try view.layoutIfNeeded()
            #expect(delegate.visible.count == view.visibleCells.count)
        }
        #expect(delegate.faults.isEmpty)
        #expect(view.counters.displayed - view.counters.ended == view.visibleCells.count)
    }

    @Test("C3 equal attributes are not applied again, and a hidden element has no view")
    func attributes() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        let cell = try #require(view.cellForItem(at: IndexPath(item: 2, section: 0)) as? NumberCell)
        let applied = cell.applied
        view.contentOffset = 5
        try view.layoutIfNeeded()
        #expect(cell.applied == applied)
        final class Hiding: CollectionLayout {
            override var collectionViewContentSize: Size { Size(width: 80, height: 20) }
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                var attributes = LayoutAttributes(
                    forCellWith: IndexPath(item: 0, section: 0),
                    frame: Rect(x: 0, y: 0, width: 80, height: 20)
                )
                attributes.isHidden = true
                return [attributes]
            }
        }
        source.resetRequests()
        view.setCollectionViewLayout(Hiding())
        #expect(try view.makeFrame().elements.isEmpty)
        #expect(source.requests.isEmpty)
    }

    @Test("C8 supplementary views come from the data source, decoration views survive a reload")
    func decoration() throws {
        final class Background: ReusableView {}
        let source = TestSource([[1, 2], [3, 4]])
        let view = CollectionView.list(source) {
            $0.headerLength = 10
            $0.backgroundKind = "background"
        }
        view.collectionViewLayout.register(Background.self, forDecorationViewOfKind: "background")
        let without = try view.makeFrame()
        #expect(without.lines == ["1 at 10.0", "2 at 30.0", "3 at 60.0", "4 at 80.0"])
        let backgrounds = without.elements.filter { $0.attributes.element.category == .decorationView }
        #expect(backgrounds.map(\.attributes.frame.minY) == [10, 60])
        source.hasHeaders = true
        view.reloadData()
        let with = try view.makeFrame()
        #expect(with.lines.contains("section 1 at 50.0"))
        #expect(
            with.elements.filter { $0.attributes.element.category == .decorationView }.map(\.viewNumber)
                == backgrounds.map(\.viewNumber)
        )
    }

    @Test("V11 a frame is a value: equal however it was reached, and its differences lead a renderer to it")
    func frames() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        let other = CollectionView.list(source)
        var drawn: [Int: ViewFrame.Element] = [:]
        var last: ViewFrame?
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<200 {
            view.contentOffset += Double(generator.int(-150..<200))
            let frame = try view.makeFrame()
            let difference = frame.difference(from: last)
            for number in difference.removed { drawn[number] = nil }
            for element in difference.inserted + difference.changed { drawn[element.viewNumber] = element }
            #expect(Set(drawn.values) == Set(frame.elements))
            last = frame
        }
        other.contentOffset = view.contentOffset
        #expect(try other.makeFrame() == view.makeFrame())
        #expect(try view.makeFrame().difference(from: last).isEmpty)
    }

    @Test("C6 after a second registration no view of the first one is used again")
    func secondRegistration() throws {
        final class OtherCell: Cell {}
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        view.register(OtherCell.self, forCellWithReuseIdentifier: "number")
        view.contentOffset = 1_000
        try view.layoutIfNeeded()
        view.contentOffset = 500
        try view.layoutIfNeeded()
        #expect(view.visibleCells.allSatisfy { $0 is OtherCell })
    }
}
