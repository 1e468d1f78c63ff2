import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Invalid parts of layouts")
struct InvalidationTests {
    final class Sizes: FlowLayoutDelegate {
        var asked: [String] = []
        var height = 20.0
        var header = 0.0

        func flowLayout(_ layout: FlowLayout, sizeForItemAt path: IndexPath) -> Size? {
            asked.append("\(path.section).\(path.item)")
            return Size(width: 100, height: height)
        }
        func flowLayout(_ layout: FlowLayout, referenceSizeForHeaderInSection section: Int) -> Size {
            asked.append("header \(section)")
            return Size(width: 0, height: header)
        }
        func take() -> [String] {
            defer { asked = [] }
            return asked
        }
    }

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    private func frames(_ view: CollectionView) throws -> [Double] {
        try view.makeFrame().elements.filter { $0.attributes.element.category == .cell }
            .map(\.attributes.frame.minY)
    }

    @Test("a flow layout asks for the sizes of invalid items, and of the headers of invalid sections, only")
    func flow() throws {
        let source = TestSource([[0, 1], [2, 3]])
        source.hasHeaders = true
        let (layout, sizes) = (FlowLayout(), Sizes())
        layout.minimumLineSpacing = 0
        layout.delegate = sizes
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 100, height: 300),
            collectionViewLayout: layout
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        view.register(
            ReusableView.self,
            forSupplementaryViewOfKind: CollectionView.elementKindSectionHeader,
            withReuseIdentifier: "header"
        )
        view.dataSource = source
        #expect(try frames(view) == [0, 20, 40, 60])
        _ = sizes.take()
        sizes.height = 30
        var items = InvalidationContext()
        items.invalidateItems(at: [path(0, 1)])
        layout.invalidateLayout(with: items)
        #expect(try frames(view) == [0, 20, 50, 70])
        #expect(Set(sizes.take()) == ["0.1", "header 0"])
        sizes.header = 10
        var headers = InvalidationContext()
        headers.invalidateSupplementaryElements(
            ofKind: CollectionView.elementKindSectionHeader,
            at: [path(1, 0)]
        )
        layout.invalidateLayout(with: headers)
        #expect(try frames(view) == [0, 20, 60, 80])
        #expect(sizes.take() == ["header 1"])
        #expect(headers.invalidatedSupplementaryIndexPaths.values.flatMap(\.self) == [path(1, 0)])
        var lines = InvalidationContext()
        lines.invalidateFlowLayoutAttributes = true
        layout.invalidateLayout(with: lines)
        #expect(try frames(view) == [10, 30, 70, 90])
        #expect(sizes.take() == ["header 0", "header 1"])
        let prepared = view.counters.prepared
        var metrics = InvalidationContext()
        metrics.invalidateFlowLayoutDelegateMetrics = true
        layout.invalidateLayout(with: metrics)
        #expect(try frames(view) == [10, 40, 80, 110])
        #expect(view.counters.prepared == prepared + 1)
    }

    @Test("a compositional layout keeps measured lengths when a boundary view is invalid")
    func compositional() throws {
        var length = 10.0
        let layout = CompositionalLayout { _, _ in
            var configuration = ListConfiguration()
            configuration.estimatedRowLength = 20
            configuration.headerLength = length
            return .list(using: configuration)
        }
        let source = TestSource(count: 10)
        source.length = { _ in 25 }
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 100),
            collectionViewLayout: layout
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        view.dataSource = source
        #expect(try frames(view) == [10, 35, 60, 85])
        let before = view.counters
        length = 15
        var context = InvalidationContext()
        context.invalidateDecorationElements(ofKind: "background", at: [path(0, 0)])
        #expect(context.invalidatedDecorationIndexPaths == ["background": [path(0, 0)]])
        layout.invalidateLayout(with: context)
        #expect(try frames(view) == [15, 40, 65, 90])
        #expect(view.counters.measured == before.measured && view.counters.prepared == before.prepared)
    }

    @Test("modes of headers and footers are lengths of a list")
    func modes() throws {
        let source = TestSource(count: 3)
        source.hasHeaders = true
        let view = CollectionView.list(source) {
            $0.headerMode = .supplementary
            $0.footerMode = .supplementary
        }
        #expect(view.contentSize.height == 100)
        #expect(try view.makeFrame().elements.count == 5)
        let layout = try #require(view.collectionViewLayout as? ListLayout)
        layout.configuration.headerLength = 7
        layout.configuration.headerMode = .supplementary
        layout.configuration.footerMode = .none
        #expect(layout.configuration.headerMode == .supplementary)
        #expect(layout.configuration.footerMode == .none)
        #expect(try view.makeFrame().elements.count == 4)
        #expect(view.contentSize.height == 67)
    }

    @Test("new bounds keep the middle of attributes")
    func bounds() {
        var attributes = LayoutAttributes(
            forCellWith: path(0, 0),
            frame: Rect(x: 10, y: 20, width: 30, height: 40)
        )
        #expect(attributes.bounds == Rect(x: 0, y: 0, width: 30, height: 40))
        attributes.bounds = Rect(x: 0, y: 0, width: 10, height: 20)
        #expect(attributes.frame == Rect(x: 20, y: 30, width: 10, height: 20))
    }
}
