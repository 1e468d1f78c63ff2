import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Flow layout")
struct FlowLayoutTests {
    /// Sizes by a function, and metrics of section 1 that differ.
    final class Sizes: FlowLayoutDelegate {
        var size: ((Int) -> Size)?
        var asked = 0

        func flowLayout(_ layout: FlowLayout, sizeForItemAt indexPath: IndexPath) -> Size? {
            asked += 1
            return size?(indexPath.item)
        }

        func flowLayout(_ layout: FlowLayout, insetForSectionAt section: Int) -> EdgeInsets {
            section == 1 ? EdgeInsets(top: 5, left: 5, bottom: 5, right: 5) : .zero
        }
    }

    private func view(_ source: TestSource, width: Double = 200, height: Double = 300) -> (
        CollectionView, FlowLayout
    ) {
        let layout = FlowLayout()
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: width, height: height),
            collectionViewLayout: layout
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        for kind in [CollectionView.elementKindSectionHeader, CollectionView.elementKindSectionFooter] {
            view.register(ReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: "header")
        }
        view.dataSource = source
        return (view, layout)
    }

    private func origins(_ view: CollectionView, _ items: Range<Int>, section: Int = 0) -> [Point] {
        items.compactMap {
            view.layoutAttributesForItem(at: IndexPath(item: $0, section: section))?.frame.origin
        }
    }

    @Test(
        "C5 defaults: items of 50 x 50, distances of 10, full lines justified, the last line at the same distances"
    )
    func defaults() {
        let source = TestSource(count: 8)
        let (view, _) = view(source)
        // Three items and two distances of 25.
        let columns = [0.0, 75, 150]
        let expected = (0..<8).map { Point(x: columns[$0 % 3], y: Double($0 / 3) * 60) }
        #expect(origins(view, 0..<8) == expected)
        #expect(view.contentSize == Size(width: 200, height: 170))
    }

    @Test("C5 C8 a background lies behind the items of each section, without its header")
    func background() throws {
        let source = TestSource([[1, 2], [3, 4, 5, 6]])
        let (view, layout) = view(source, width: 110)
        layout.headerReferenceSize = Size(width: 0, height: 20)
        layout.backgroundKind = "background"
        let frame = try view.makeFrame()
        let backgrounds = frame.elements.filter { $0.attributes.element.category == .decorationView }
        #expect(backgrounds.map(\.attributes.frame.minY) == [20, 90])
        #expect(backgrounds.map(\.attributes.frame.size.height) == [50, 110])
        #expect(backgrounds.allSatisfy { $0.attributes.zIndex < 0 })
        let second = layout.layoutAttributesForDecorationView(
            ofKind: "background",
            at: IndexPath(item: 0, section: 1)
        )
        #expect(second == backgrounds.last?.attributes)
        layout.backgroundKind = nil
        #expect(
            try view.makeFrame().elements.allSatisfy { $0.attributes.element.category != .decorationView }
        )
    }

    @Test("C5 insets, headers, footers and the metrics of one section")
    func metrics() throws {
        let source = TestSource([[0, 1], [2, 3]])
        source.hasHeaders = true
        let (view, layout) = view(source, width: 120)
        let sizes = Sizes()
        layout.delegate = sizes
        layout.headerReferenceSize = Size(width: 0, height: 20)
        layout.footerReferenceSize = Size(width: 0, height: 7)
        #expect(origins(view, 0..<2) == [Point(x: 0, y: 20), Point(x: 70, y: 20)])
        #expect(origins(view, 0..<2, section: 1) == [Point(x: 5, y: 102), Point(x: 65, y: 102)])
        #expect(view.contentSize.height == 77 + 20 + 5 + 50 + 5 + 7)
        let footer = view.layoutAttributesForSupplementaryElement(
            ofKind: CollectionView.elementKindSectionFooter,
            at: IndexPath(item: 0, section: 0)
        )
        #expect(footer?.frame == Rect(x: 0, y: 70, width: 120, height: 7))
        #expect(try view.makeFrame().elements.count == 8)
    }

    @Test("C5 items of different sizes: lines as long as their longest item, others in the middle")
    func differentSizes() {
        let source = TestSource(count: 5)
        let (view, layout) = view(source, width: 100)
        let sizes = Sizes()
        sizes.size = { Size(width: [40.0, 50, 95, 30, 30][$0], height: [10.0, 30, 10, 10, 20][$0]) }
        layout.delegate = sizes
        #expect(
            origins(view, 0..<5) == [
                Point(x: 0, y: 10), Point(x: 50, y: 0), Point(x: 2.5, y: 40), Point(x: 0, y: 65),
                Point(x: 40, y: 60),
            ]
        )
        #expect(view.contentSize.height == 80)
    }

    @Test("C5 headers and footers are pinned to the edges of the viewport")
    func pinned() throws {
        let source = TestSource([Array(0..<40), Array(40..<80)])
        source.hasHeaders = true
        let (view, layout) = view(source, width: 50, height: 100)
        layout.headerReferenceSize = Size(width: 0, height: 20)
        layout.footerReferenceSize = Size(width: 0, height: 10)
        layout.sectionHeadersPinToVisibleBounds = true
        layout.sectionFootersPinToVisibleBounds = true
        view.contentOffset = 500
        let others = try view.makeFrame().elements.filter {
            $0.attributes.element.category == .supplementaryView
        }
        #expect(others.map { $0.attributes.frame.minY - 500 }.sorted() == [0, 90])
        #expect(view.counters.prepared == 1)
    }

    @Test(
        "C5 a frame of a million items of one size costs one section and one line, and nothing is prepared again"
    )
    func million() throws {
        let source = TestSource(count: 1_000_000)
        let (view, layout) = view(source)
        let sizes = Sizes()
        layout.delegate = sizes
        view.contentOffset = 10_000_000
        let frame = try view.makeFrame()
        #expect(frame.lines.first == "499998 at -40.0")
        #expect(sizes.asked == 1)
        view.contentOffset += 77
        try view.layoutIfNeeded()
        #expect(view.counters.prepared == 1)
    }

    @Test("C5 a frame has exactly the items that a scan of all attributes finds", arguments: [false, true])
    func scan(_ differ: Bool) throws {
        let source = TestSource([Array(0..<300), [], Array(300..<420)])
        let (view, layout) = view(source, width: 333)
        let sizes = Sizes()
        if differ { sizes.size = { Size(width: Double($0 * 29 % 90 + 8), height: Double($0 * 17 % 50 + 4)) } }
        layout.delegate = sizes
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<20 {
            view.contentOffset = Double(generator.int(0..<6_000))
            let frame = try view.makeFrame()
            var expected: [LayoutAttributes] = []
            for section in 0..<3 {
                for item in source.sections[section].indices {
                    let path = IndexPath(item: item, section: section)
                    guard let attributes = view.layoutAttributesForItem(at: path) else { continue }
                    if attributes.frame.intersects(frame.bounds) { expected.append(attributes) }
                }
            }
            #expect(frame.elements.map(\.attributes) == expected, "\(generator.origin)")
        }
    }

    @Test(
        "C5 sizes that are NaN, infinite or negative stop the process",
        arguments: 0..<3
    )
    func hostile(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            let length = [Double.nan, .infinity, -1][number]
            let source = TestSource(count: 3)
            let layout = FlowLayout()
            let view = CollectionView(
                frame: Rect(x: 0, y: 0, width: 100, height: 100),
                collectionViewLayout: layout
            )
            view.dataSource = source
            layout.itemSize = Size(width: 10, height: length)
            _ = view.contentSize
        }
    }

    @Test(
        "V14 C5 scrolling to an item leaves it before the pinned footer",
        arguments: [.end, .nearest] as [ScrollPosition]
    )
    func beforeFooter(_ position: ScrollPosition) throws {
        let source = TestSource(count: 100)
        source.hasHeaders = true
        let (view, layout) = view(source, width: 50, height: 100)
        layout.footerReferenceSize = Size(width: 0, height: 20)
        layout.sectionFootersPinToVisibleBounds = true
        try view.layoutIfNeeded()
        try view.scrollToItem(at: IndexPath(item: 50, section: 0), at: position)
        #expect(try view.makeFrame().lines.contains("50 at 30.0"))
    }

    @Test("C5 a line of 200,000 items without breadth is laid out in linear time")
    func withoutBreadth() throws {
        let source = TestSource(count: 200_000)
        let (view, layout) = view(source)
        layout.minimumInteritemSpacing = 0
        let sizes = Sizes()
        sizes.size = { _ in Size(width: 0, height: 10) }
        layout.delegate = sizes
        #expect(try view.makeFrame().elements.isEmpty)
    }

    /// Sizes by the number that an item displays, so that they follow the item.
    final class NumberSizes: FlowLayoutDelegate {
        let source: TestSource
        var asked = 0
        init(_ source: TestSource) { self.source = source }
        func flowLayout(_ layout: FlowLayout, sizeForItemAt indexPath: IndexPath) -> Size? {
            asked += 1
            let number = source.sections[indexPath.section][indexPath.item]
            return number >= 100_000
                ? nil : Size(width: Double(number % 7 * 9 + 20), height: Double(number % 5 + 10))
        }
    }

    @Test(
        "C4 C5 V7 a batch edits the lines: only new items are asked for their size, and nothing is prepared"
    )
    func batch() throws {
        let source = TestSource(count: 10_000)
        let sizes = NumberSizes(source)
        let (view, layout) = view(source)
        layout.delegate = sizes
        try view.layoutIfNeeded()
        sizes.asked = 0
        try view.performBatchUpdates {
            source.sections[0].insert(contentsOf: [777, 778], at: 5_000)
            view.insertItems(at: [5_000, 5_001].map { IndexPath(item: $0, section: 0) })
        }
        #expect(sizes.asked == 2 && view.counters.prepared == 1)
    }

    @Test("C5 C9 after random batches, each line is that of a new layout")
    func randomBatches() throws {
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<30 {
            var number = 0
            func numbers(_ count: Int, uniform: Bool = false) -> [Int] {
                (0..<count).map { _ in
                    number += 1
                    return uniform ? 100_000 + number : number
                }
            }
            var state = (0..<3).map {
                SectionSnapshot(key: $0, items: numbers(generator.int(0..<40), uniform: $0 == 1))
            }
            let source = TestSource(state.map(\.items))
            let sizes = NumberSizes(source)
            let (view, layout) = view(source)
            layout.delegate = sizes
            try view.layoutIfNeeded()
            for _ in 0..<10 {
                let old = state
                if generator.chance(30) {
                    state.insert(state.remove(at: generator.int(0..<3)), at: generator.int(0..<3))
                }
                for _ in 0..<generator.int(1..<6) {
                    let section = generator.int(0..<3)
                    let count = state[section].items.count
                    if count > 0, generator.chance(60) {
                        let item = state[section].items.remove(at: generator.int(0..<count))
                        let target = generator.chance(50) ? section : generator.int(0..<3)
                        let places = state[target].items.count + 1
                        // Uniform and other items stay apart.
                        if generator.chance(50), (item >= 100_000) == (state[target].key == 1) {
                            state[target].items.insert(item, at: generator.int(0..<places))
                        }
                    } else {
                        state[section].items.insert(
                            contentsOf: numbers(generator.int(1..<4), uniform: state[section].key == 1),
                            at: generator.int(0..<count + 1)
                        )
                    }
                }
                let difference = try KeyedDiff.difference(from: old, to: state, id: { $0 })
                source.sections = state.map(\.items)
                view.performUpdates(withChangeSet: difference.changeSet)
                let (fresh, freshLayout) = self.view(source)
                freshLayout.delegate = sizes
                let all = Rect(x: 0, y: 0, width: 200, height: 1e6)
                #expect(
                    layout.layoutAttributesForElements(in: all)
                        == {
                            fresh.contentOffset = 0
                            _ = fresh.contentSize
                            return freshLayout.layoutAttributesForElements(in: all)
                        }(),
                    "\(generator.origin)"
                )
            }
            #expect(view.counters.prepared == 1)
        }
    }
}
