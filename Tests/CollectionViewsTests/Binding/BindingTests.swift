import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Data sources and restoration")
struct BindingTests {
    private func bound(
        _ list: ListSource<Int, Int>,
        height: Double = 100,
        estimate: Double = 20
    ) -> (CollectionView, SourceBinding<ListSource<Int, Int>>) {
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = estimate
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: height),
            collectionViewLayout: ListLayout(configuration)
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        let binding = SourceBinding(view, to: list) { view, path, number in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            (cell as? NumberCell)?.length = Double(number % 13 + 9)
            cell.content.text = StyledText("\(number)")
            return cell
        }
        return (view, binding)
    }

    @Test("C1 V9 a bound list applies its change sets, also from and to an empty list")
    func changes() throws {
        let list = ListSource<Int, Int>(values: [])
        let (view, binding) = bound(list, height: 300)
        let renderer = RecordingRenderer()
        for items in [[], [3, 1, 4], [1, 5, 3, 9], [], [2]] {
            try list.setItems(items)
            try renderer.draw(view.makeFrame())
            #expect(renderer.frames.last?.elements.map(\.content.text.string) == items.map { "\($0)" })
        }
        #expect(view.numberOfSections == binding.source.numberOfSections)
        #expect(view.version > 4)
    }

    @Test("S1 S2 S4 after a restart, a new order and another viewport the same row is at the same position")
    func restoration() throws {
        let list = ListSource(values: Array(0..<5_000))
        let (view, binding) = bound(list)
        view.contentOffset = 40_000
        let before = try view.makeFrame()
        let anchor = try #require(before.elements.first)
        let selected = anchor.attributes.indexPath
        try view.selectItem(at: selected)
        try view.focusItem(at: selected)
        let archive = list.savedState(of: view, marks: view.restorableMarks)

        let reordered = ListSource(values: Array((0..<5_000).reversed()) + [9_000])
        let (other, otherBinding) = bound(reordered, height: 240, estimate: 3)
        let state = try #require(try reordered.restoredState(from: archive, in: other))
        #expect(state.rule == .anchor)
        other.restore(state)
        let after = try other.makeFrame()
        let same = try #require(after.elements.first { $0.content == anchor.content })
        #expect(
            same.attributes.frame.minY - after.bounds.minY == anchor.attributes.frame.minY
                - before.bounds.minY
        )
        #expect(same.isSelected && same.isFocused)
        #expect(other.indexPathsForSelectedItems.count == 1)
        _ = (binding, otherBinding)
    }

    @Test("S3 S8 an anchor that is gone falls back to a neighbour, found by identity among 1,000,000 rows")
    func fallback() throws {
        let list = ListSource(values: Array(0..<1_000_000))
        let (view, binding) = bound(list)
        view.contentOffset = 9_000_000
        let first = try #require(try view.makeFrame().elements.first).content.text.string
        let archive = list.savedState(of: view)
        let changed = ListSource(values: (0..<1_000_000).filter { "\($0)" != first })
        let (other, otherBinding) = bound(changed)
        let state = try #require(try changed.restoredState(from: archive, in: other))
        #expect(state.rule == .fallback)
        other.restore(state)
        #expect(
            try other.makeFrame().elements.contains { $0.content.text.string == "\((Int(first) ?? 0) + 1)" }
        )
        _ = (binding, otherBinding)
    }

    @Test("C1 a source that changes without a report gives an error, and a reload is right again")
    func unreported() throws {
        final class Silent: ListDataSource {
            var items = Array(0..<100)
            var reloadBlock: ReloadBlock?
        }
        let source = Silent()
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 20
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 100),
            collectionViewLayout: ListLayout(configuration)
        )
        view.register(Cell.self, forCellWithReuseIdentifier: "number")
        let binding = SourceBinding(view, to: source) { view, path, number in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText("\(number)")
            return cell
        }
        _ = try view.makeFrame()
        source.items = [7]
        view.contentOffset = 1_000
        let error = #expect(throws: CollectionViewError.self) { try view.makeFrame() }
        #expect(error?.code == .indexPathOutOfRange)
        source.reloadBlock?(.all)
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["7"])
        _ = binding
    }
}
