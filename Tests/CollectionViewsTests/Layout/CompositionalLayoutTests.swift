import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Compositional layout")
struct CompositionalLayoutTests {
    private func size(_ width: CollectionLayoutDimension, _ height: CollectionLayoutDimension)
        -> CollectionLayoutSize
    { CollectionLayoutSize(widthDimension: width, heightDimension: height) }

    private func view(
        _ source: TestSource,
        _ layout: CollectionLayout,
        width: Double = 100,
        height: Double = 100
    )
        -> CollectionView
    {
        let view = CollectionView.list(source)
        view.frame.size = Size(width: width, height: height)
        view.setCollectionViewLayout(layout)
        return view
    }

    private func path(_ item: Int, _ section: Int = 0) -> IndexPath {
        IndexPath(item: item, section: section)
    }

    private func frames(_ view: CollectionView, _ items: Range<Int>, section: Int = 0) -> [Rect] {
        items.compactMap { view.layoutAttributesForItem(at: path($0, section))?.frame }
    }

    @Test("C5 a list section is laid out as by the list layout, measured or not")
    func list() throws {
        let source = TestSource([Array(0..<50), Array(50..<100)])
        source.hasHeaders = true
        source.length = { Double($0 * 37 % 40 + 5) }
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 20
        configuration.rowSpacing = 2
        configuration.headerLength = 10
        configuration.footerLength = 4
        configuration.sectionInset = EdgeInsets(top: 3, left: 5, bottom: 1, right: 7)
        configuration.sectionHeadersPinToVisibleBounds = true
        configuration.backgroundKind = "background"
        let list = view(source, ListLayout(configuration))
        let composed = view(source, CompositionalLayout.list(using: configuration))
        for offset in [0.0, 30, 400, 1_200, 900, 5_000, 10] {
            for view in [list, composed] { view.contentOffset = offset }
            #expect(try list.makeFrame() == composed.makeFrame())
        }
        for view in [list, composed] { try view.scrollToItem(at: path(40, 1), at: .start) }
        #expect(try list.makeFrame() == composed.makeFrame())
    }

    @Test("V14 C5 an item is scrolled to the position before a pinned footer")
    func pinnedFooter() throws {
        let source = TestSource(count: 100)
        source.hasHeaders = true
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 20
        configuration.footerLength = 15
        var section = CollectionLayoutSection.list(using: configuration)
        for index in section.boundarySupplementaryItems.indices {
            section.boundarySupplementaryItems[index].pinToVisibleBounds = true
        }
        let view = view(source, CompositionalLayout(section: section))
        try view.layoutIfNeeded()
        try view.scrollToItem(at: path(50), at: .end)
        #expect(try view.makeFrame().lines.contains("50 at 65.0"))
    }

    @Test(
        "C5 groups of fractional, absolute and nested parts fill the section, and a count shares the length"
    )
    func groups() throws {
        let source = TestSource(count: 10)
        let large = CollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .fractionalHeight(1)))
        var small = CollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
        small.contentInsets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let column = CollectionLayoutGroup.vertical(
            layoutSize: size(.fractionalWidth(0.5), .fractionalHeight(1)),
            subitem: small,
            count: 2
        )
        var section = CollectionLayoutSection(
            group: .horizontal(
                layoutSize: size(.fractionalWidth(1), .absolute(40)),
                subitems: [large, column]
            )
        )
        section.interGroupSpacing = 10
        section.contentInsets = EdgeInsets(top: 5, left: 0, bottom: 5, right: 0)
        let view = self.view(source, CompositionalLayout(section: section))
        #expect(
            frames(view, 0..<4) == [
                Rect(x: 0, y: 5, width: 50, height: 40), Rect(x: 52, y: 6, width: 44, height: 16),
                Rect(x: 52, y: 26, width: 44, height: 16), Rect(x: 0, y: 55, width: 50, height: 40),
            ]
        )
        // Ten items are four groups.
        #expect(view.contentSize == Size(width: 100, height: 200))
        let third = CollectionLayoutItem(layoutSize: size(.absolute(30), .absolute(20)))
        var row = CollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .absolute(20)),
            subitems: [third]
        )
        row.interItemSpacing = 5
        let wrapped = self.view(source, CompositionalLayout(section: CollectionLayoutSection(group: row)))
        #expect(
            frames(wrapped, 0..<4).map(\.origin)
                == [(0, 0), (35, 0), (70, 0), (0, 20)].map { Point(x: $0, y: $1) }
        )
    }

    @Test(
        "C5 items that are longer or shorter than estimated stay in their group, also in one of fixed length",
        arguments: [3.0, 8, 30]
    )
    func measuredInFixedGroup(length: Double) throws {
        let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .estimated(8)))
        let inner = CollectionLayoutGroup.vertical(
            layoutSize: size(.fractionalWidth(1), .absolute(40)),
            subitems: [item]
        )
        for part in [item, inner] as [any CollectionLayoutPart] {
            let group = CollectionLayoutGroup.vertical(
                layoutSize: size(.fractionalWidth(1), .absolute(80)),
                subitems: [part]
            )
            let source = TestSource(count: 200)
            source.length = { length + Double($0 % 3) }
            let view = self.view(source, CompositionalLayout(section: CollectionLayoutSection(group: group)))
            for offset in stride(from: 0.0, to: 2_000, by: 90) {
                view.contentOffset = offset
                let items = try view.makeFrame().elements.map(\.attributes.element)
                #expect(Set(items).count == items.count)
            }
            #expect(frames(view, 0..<200).count == 200)
            // Ten items are in each group, whatever was measured.
            #expect(view.contentSize.height == 1_600)
        }
    }

    @Test("V3 a section of a million items is described once, and a frame makes the cells of the window")
    func million() throws {
        let source = TestSource(count: 1_000_000)
        var described = 0
        let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(0.25), .estimated(20)))
        let group = CollectionLayoutGroup.horizontal(
            layoutSize: size(.fractionalWidth(1), .estimated(20)),
            subitem: item,
            count: 4
        )
        let layout = CompositionalLayout { _, _ in
            described += 1
            return CollectionLayoutSection(group: group)
        }
        source.length = { Double($0 % 7 + 15) }
        let view = self.view(source, layout)
        _ = try view.makeFrame()
        #expect(described == 1 && view.counters.bound <= 28 && view.counters.prepared == 1)
        // A group is as long as its longest item.
        let heights: [Double] = [15, 16, 17, 18, 19, 20, 21, 15]
        #expect(frames(view, 0..<8).map(\.size.height) == heights)
        #expect(frames(view, 4..<8).map(\.minY) == [18, 18, 18, 18])
        view.contentOffset = 3_000_000
        #expect(try view.makeFrame().elements.count <= 28)
    }

    private func orthogonal(_ behavior: OrthogonalScrollingBehavior = .continuous) -> CollectionLayoutSection
    {
        let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .fractionalHeight(1)))
        var section = CollectionLayoutSection(
            group: .horizontal(layoutSize: size(.absolute(40), .absolute(30)), subitems: [item])
        )
        section.interGroupSpacing = 5
        section.orthogonalScrollingBehavior = behavior
        return section
    }

    @Test("V20 a section scrolls across the layout, and its offset follows it through batches")
    func orthogonalSection() throws {
        let source = TestSource([Array(0..<100), Array(100..<200), Array(200..<210)])
        let rows = CollectionLayoutItem(layoutSize: size(.fractionalWidth(1), .absolute(20)))
        let plain = CollectionLayoutSection(
            group: .vertical(layoutSize: size(.fractionalWidth(1), .absolute(20)), subitems: [rows])
        )
        let layout = CompositionalLayout { [self] index, _ in
            source.sections[index].count == 10 ? plain : orthogonal()
        }
        let view = self.view(source, layout)
        #expect(
            try view.makeFrame().elements.map(\.content.text.string) == [
                "0", "1", "2", "100", "101", "102", "200", "201",
            ]
        )
        #expect(view.contentSize == Size(width: 100, height: 260))
        layout.setOrthogonalOffset(1_000, forSection: 1)
        let frame = try view.makeFrame()
        #expect(frame.elements.map(\.content.text.string).prefix(6) == ["0", "1", "2", "122", "123", "124"])
        #expect(frame.elements[3].attributes.frame == Rect(x: -10, y: 30, width: 40, height: 30))
        #expect(view.counters.prepared == 1)
        // The section moves to the start, and another row arrives in it.
        try view.performBatchUpdates {
            var moved = source.sections.remove(at: 1)
            moved.insert(999, at: 0)
            source.sections.insert(moved, at: 0)
            view.moveSection(1, toSection: 0)
            view.insertItems(at: [path(0, 0)])
        }
        #expect(layout.orthogonalOffset(ofSection: 0) == 1_000 && layout.orthogonalOffset(ofSection: 1) == 0)
        #expect(
            try view.makeFrame().elements.map(\.content.text.string).prefix(4) == ["121", "122", "123", "0"]
        )
        layout.setOrthogonalOffset(.infinity, forSection: 0)
        #expect(layout.orthogonalOffset(ofSection: 0) == 101 * 45 - 5 - 100)
        #expect(try view.makeFrame().elements.map(\.content.text.string).contains("199"))
        // Scrolling to an item reveals it in its section.
        try view.scrollToItem(at: path(50, 0), at: .start)
        #expect(try view.makeFrame().elements.map(\.content.text.string).contains("149"))
        #expect(layout.orthogonalOffset(ofSection: 0) == 50 * 45)
    }

    @Test("V20 a scroll across the layout ends by the behavior of its section")
    func behaviors() throws {
        let source = TestSource(count: 100)
        for (behavior, target) in [
            (OrthogonalScrollingBehavior.none, 0.0), (.continuous, 333),
            (.continuousGroupLeadingBoundary, 315),
            (.groupPaging, 90), (.paging, 100),
        ] {
            let layout = CompositionalLayout(section: orthogonal(behavior))
            let view = self.view(source, layout)
            try view.layoutIfNeeded()
            #expect(layout.targetOrthogonalOffset(forProposedOffset: 333, from: 45, inSection: 0) == target)
        }
    }

    @Test("V20 C9 after random batches and measurements, each frame is that of a new view")
    func random() throws {
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<20 {
            var state = ModelState(&generator)
            let source = ModelSource(state)
            let item = CollectionLayoutItem(layoutSize: size(.fractionalWidth(0.5), .estimated(12)))
            let wide = CollectionLayoutSection(
                group: .horizontal(
                    layoutSize: size(.fractionalWidth(1), .estimated(12)),
                    subitem: item,
                    count: 2
                )
            )
            func make() -> CollectionView {
                let view = self.view(TestSource(count: 0), CompositionalLayout(section: wide), height: 150)
                view.dataSource = source
                return view
            }
            let view = make()
            try view.layoutIfNeeded()
            for _ in 0..<12 {
                let old = state
                state.change(&generator)
                source.state = state
                view.performUpdates(withChangeSet: try old.difference(to: state).changeSet)
                view.contentOffset += Double(generator.int(-100..<200))
                let frame = try view.makeFrame()
                let fresh = make()
                for id in source.measured {
                    guard let path = state.paths[id],
                        let attributes = view.layoutAttributesForItem(at: path),
                        attributes.frame.size.height == ModelSource.length(id)
                    else { continue }
                    try fresh.setMeasuredLength(ModelSource.length(id), forItemAt: path)
                }
                fresh.contentOffset = view.contentOffset
                #expect(try fresh.makeFrame() == frame, "\(generator.origin)")
            }
        }
    }

    @Test(
        "C2 the error of a section provider fails the pass, also after a batch, and the next pass asks again"
    )
    func failingProvider() throws {
        struct NoSection: Error {}
        let source = TestSource(count: 3)
        var fails = true
        let row = size(.fractionalWidth(1), .absolute(10))
        let layout = CompositionalLayout { _, _ in
            guard !fails else { throw NoSection() }
            return CollectionLayoutSection(
                group: .vertical(layoutSize: row, subitems: [CollectionLayoutItem(layoutSize: row)])
            )
        }
        let view = view(source, layout)
        #expect(throws: NoSection.self) { try view.makeFrame() }
        fails = false
        #expect(try view.makeFrame().elements.count == 3)
        fails = true
        source.sections[0].append(9)
        try view.performBatchUpdates { view.insertItems(at: [path(3)]) }
        #expect(throws: NoSection.self) { try view.makeFrame() }
        fails = false
        #expect(try view.makeFrame().elements.count == 4)
    }

    @Test("C2 more items than a frame may have are an error, and are not all made", arguments: [false, true])
    func tooMany(isOrthogonal: Bool) throws {
        let source = TestSource(count: 1_000_000)
        let all = size(.fractionalWidth(1), .fractionalHeight(1))
        var section = CollectionLayoutSection(
            group: .horizontal(
                layoutSize: size(.absolute(1.0 / 64), .absolute(1.0 / 64)),
                subitem: CollectionLayoutItem(layoutSize: all),
                count: 100
            )
        )
        if isOrthogonal { section.orthogonalScrollingBehavior = .continuous }
        let view = view(source, CompositionalLayout(section: section))
        let error = #expect(throws: CollectionViewError.self) { try view.makeFrame() }
        #expect(error?.message.contains("(limit 100000)") == true, "\(error?.message ?? "")")
    }

    @Test("C2 groups without parts, negative lengths and NaN stop the process with a sentence")
    func traps() async {
        await #expect(processExitsWith: .failure) {
            let all = CollectionLayoutSize(
                widthDimension: .fractionalWidth(1),
                heightDimension: .absolute(10)
            )
            _ = CollectionLayoutGroup.vertical(layoutSize: all, subitems: [])
        }
        await #expect(processExitsWith: .failure) {
            let wrong = CollectionLayoutSize(
                widthDimension: .fractionalWidth(1),
                heightDimension: .absolute(.nan)
            )
            let item = CollectionLayoutItem(layoutSize: wrong)
            let layout = CompositionalLayout(
                section: CollectionLayoutSection(group: .vertical(layoutSize: wrong, subitems: [item]))
            )
            let source = TestSource(count: 1)
            let view = CollectionView.list(source)
            view.setCollectionViewLayout(layout)
            _ = try view.makeFrame()
        }
    }
}
