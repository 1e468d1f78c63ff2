import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Scrolling and self-sizing")
struct ScrollingTests {
    private func length(_ number: Int) -> Double { Double((number * 37) % 61 + 5) }

    private func positions(_ frame: ViewFrame) -> [String: Double] {
        Dictionary(
            uniqueKeysWithValues: frame.elements.map {
                ($0.content.text.string, $0.attributes.frame.minY - frame.bounds.minY)
            }
        )
    }

    @Test(
        "V4 scrolling through 10,000 wrongly estimated rows moves rows by the scroll alone, in both directions"
    )
    func selfSizing() throws {
        let source = TestSource(count: 10_000)
        source.length = length
        let view = CollectionView.list(source)
        view.contentOffset = 100_000
        var last = try view.makeFrame()
        var generator = SeededGenerator.fromEnvironment()
        for step in 0..<3_000 {
            let distance = Double(generator.int(1..<70)) * (step / 600 % 2 == 0 ? -1 : 1)
            view.contentOffset += distance
            let frame = try view.makeFrame()
            let before = positions(last)
            for (text, position) in positions(frame) {
                guard let old = before[text] else { continue }
                #expect(position == old - distance)
                if position != old - distance { return }
            }
            last = frame
        }
    }

    @Test("V4 scrolling up to the very top arrives at row 0 and offset 0")
    func top() throws {
        let source = TestSource(count: 2_000)
        source.length = length
        let view = CollectionView.list(source)
        view.contentOffset = 30_000
        try view.layoutIfNeeded()
        while view.contentOffset > 0 {
            view.contentOffset -= 90
            try view.layoutIfNeeded()
        }
        #expect(try view.makeFrame().lines.first == "0 at 0.0")
        view.contentOffset = .infinity
        let end = try view.makeFrame()
        #expect(end.elements.last?.content.text.string == "1999")
        #expect(end.elements.last?.attributes.frame.maxY == end.bounds.maxY)
    }

    @Test("V4 a renderer's measurement above the viewport moves nothing visible, one below neither")
    func reported() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        view.contentOffset = 5_000
        let before = try view.makeFrame().lines
        try view.setMeasuredLength(77, forItemAt: IndexPath(item: 3, section: 0))
        try view.setMeasuredLength(5, forItemAt: IndexPath(item: 900, section: 0))
        #expect(try view.makeFrame().lines == before)
        #expect(view.contentOffset == 5_057)
        #expect(throws: CollectionViewError.self) {
            try view.setMeasuredLength(.nan, forItemAt: IndexPath(item: 3, section: 0))
        }
        #expect(throws: CollectionViewError.self) {
            try view.setMeasuredLength(1, forItemAt: IndexPath(item: 1_000, section: 0))
        }
    }

    @Test("V5 an adjustment causes no second pass and no further request of a cell")
    func adjustment() throws {
        let source = TestSource(count: 10_000)
        source.length = length
        let view = CollectionView.list(source)
        view.contentOffset = 100_000
        try view.layoutIfNeeded()
        for _ in 0..<50 {
            let passes = view.counters.passes
            view.contentOffset -= 30
            try view.layoutIfNeeded()
            let bound = view.counters.bound
            try view.layoutIfNeeded()
            _ = try view.makeFrame()
            #expect(view.counters.passes == passes + 1 && view.counters.bound == bound)
        }
        #expect(view.counters.prepared == 1)
    }

    @Test(
        "V6 scrolling to a far row that was not measured is exact in one frame",
        arguments: ScrollPosition.allCases
    )
    func exact(_ position: ScrollPosition) throws {
        let source = TestSource(count: 100_000)
        source.length = length
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        for item in [70_000, 69_990, 3, 99_999, 0, 50_000] {
            try view.scrollToItem(at: IndexPath(item: item, section: 0), at: position)
            let frame = try view.makeFrame()
            let row = try #require(frame.elements.first { $0.content.text.string == "\(item)" })
            let rect = row.attributes.frame
            let maximum = frame.contentSize.height - 100
            let wanted: Double
            switch position {
            case .start: wanted = rect.minY
            case .center: wanted = rect.minY - (100 - rect.size.height) / 2
            case .end: wanted = rect.maxY - 100
            case .nearest:
                #expect(rect.minY >= frame.bounds.minY && rect.maxY <= frame.bounds.maxY)
                continue
            }
            #expect(frame.bounds.minY == min(max(0, wanted), maximum))
        }
        #expect(throws: CollectionViewError.self) {
            try view.scrollToItem(at: IndexPath(item: 100_000, section: 0), at: position)
        }
    }

    @Test("V14 a pinned header stays at the edge, and the next one pushes it out")
    func pinned() throws {
        let source = TestSource([Array(0..<10), Array(10..<20)])
        source.hasHeaders = true
        let view = CollectionView.list(source) {
            $0.headerLength = 10
            $0.sectionHeadersPinToVisibleBounds = true
        }
        view.contentOffset = 55
        #expect(try view.makeFrame().lines.last == "section 0 at 0.0")
        view.contentOffset = 205
        let pushed = try view.makeFrame().lines
        #expect(pushed.contains("section 0 at -5.0") && pushed.contains("section 1 at 5.0"))
        view.contentOffset = 210
        #expect(try view.makeFrame().lines.contains("section 1 at 0.0"))
    }

    @Test("V14 scrolling to an item leaves it below the pinned header")
    func belowHeader() throws {
        let source = TestSource([Array(0..<10), Array(10..<40)])
        source.hasHeaders = true
        let view = CollectionView.list(source) {
            $0.headerLength = 10
            $0.sectionHeadersPinToVisibleBounds = true
        }
        for position in [ScrollPosition.start, .nearest] {
            view.contentOffset = 600
            try view.layoutIfNeeded()
            try view.scrollToItem(at: IndexPath(item: 3, section: 1), at: position)
            #expect(try view.makeFrame().lines.contains("13 at 10.0"))
        }
    }

    @Test("C4 scrolling prepares nothing, a new breadth asks the cells again and keeps the first row")
    func bounds() throws {
        let source = TestSource(count: 1_000)
        source.length = length
        let view = CollectionView.list(source)
        view.contentOffset = 4_000
        let before = try view.makeFrame()
        #expect(view.counters.prepared == 1)
        let measured = view.counters.measured
        source.length = { self.length($0) + 8 }
        for case let cell as NumberCell in view.visibleCells { cell.length = source.length(cell.number) }
        view.frame.size.width = 40
        let after = try view.makeFrame()
        #expect(after.lines.first == before.lines.first)
        #expect(after.elements.first?.attributes.frame.size.width == 40)
        #expect(view.counters.prepared == 1 && view.counters.measured > measured)
        view.frame.size.height = 300
        #expect(try view.makeFrame().lines.first == before.lines.first)
        #expect(view.counters.prepared == 1)
    }

    @Test("C4 a change of the configuration prepares the layout once")
    func configuration() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        view.contentOffset = 4_010
        try view.layoutIfNeeded()
        let layout = try #require(view.collectionViewLayout as? ListLayout)
        layout.configuration.estimatedRowLength = 30
        layout.configuration.rowSpacing = 2
        let frame = try view.makeFrame()
        #expect(view.counters.prepared == 2)
        // The first row keeps its position, by identity and not by offset.
        #expect(frame.lines.prefix(2) == ["200 at -10.0", "201 at 22.0"])
        layout.configuration.rowSpacing = 2
        try view.layoutIfNeeded()
        #expect(view.counters.prepared == 2)
    }

    @Test("V19 a new layout keeps the first visible item at its distance from the edge")
    func newLayout() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        view.contentOffset = 4_010
        try view.layoutIfNeeded()
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 50
        view.setCollectionViewLayout(ListLayout(configuration))
        #expect(try view.makeFrame().lines.prefix(2) == ["200 at -10.0", "201 at 40.0"])
    }

    @Test("V1 a horizontal list scrolls to the right by the same code")
    func horizontal() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source) { $0.scrollDirection = .horizontal }
        view.contentOffset = 50
        let frame = try view.makeFrame()
        #expect(frame.bounds == Rect(x: 50, y: 0, width: 80, height: 100))
        #expect(frame.elements.map(\.attributes.frame.minX) == [40, 60, 80, 100, 120])
        #expect(frame.contentSize == Size(width: 2_000, height: 100))
        let renderer = RecordingRenderer()
        try renderer.draw(frame)
        #expect(renderer.lines == ["2 at -10.0", "3 at 10.0", "4 at 30.0", "5 at 50.0", "6 at 70.0"])
    }

    @Test(
        "V3 frames of a million estimated rows do the work of frames of a thousand, and read the counts once"
    )
    func million() throws {
        func work(_ count: Int) throws -> (CollectionViewCounters, countRequests: Int) {
            let source = TestSource(count: count)
            let view = CollectionView.list(source)
            for step in 0..<300 {
                // Far jumps to places that are not the same part of a row, and never the end of the content.
                view.contentOffset = Double((step * 7_919) % ((count - 100) * 20))
                try view.layoutIfNeeded()
            }
            return (view.counters, source.countRequests)
        }
        let (small, smallRequests) = try work(1_000)
        let (large, largeRequests) = try work(1_000_000)
        #expect(large.passes == small.passes && large.prepared == small.prepared)
        #expect(large.created == small.created)
        // Rows of the window only: six, or fewer where consecutive windows overlap.
        #expect(large.bound <= 300 * 7 && large.measured <= 300 * 7)
        #expect(largeRequests == smallRequests)
    }
}
