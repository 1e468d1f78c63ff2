import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Animated changes, and new layouts")
struct AnimatedTests {
    final class Delegate: CollectionViewDelegate {
        // A view does not retain its data source.
        var source: TestSource?
        var events: [String] = []
        var target: ((Double) -> Double)?
        func collectionViewDidScroll(_ view: CollectionView) { events.append("scroll \(view.contentOffset)") }
        func collectionViewDidEndScrollingAnimation(_ view: CollectionView) { events.append("end") }
        func collectionView(
            _ view: CollectionView,
            targetContentOffsetForProposedContentOffset proposed: Double
        ) -> Double {
            events.append("proposed \(proposed)")
            return target?(proposed) ?? proposed
        }
        func take() -> [String] {
            defer { events = [] }
            return events
        }
    }

    /// A cell that records the layouts between which it moves.
    final class MovingCell: Cell {
        private func name(_ layout: CollectionLayout) -> String { layout is FlowLayout ? "flow" : "list" }
        override func willTransition(from old: CollectionLayout, to new: CollectionLayout) {
            content.secondaryText = StyledText("\(name(old)) to \(name(new))")
        }
        override func didTransition(from old: CollectionLayout, to new: CollectionLayout) {
            content.imageName = "\(name(old)) to \(name(new))"
        }
    }

    private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

    private func make(_ count: Int = 100) throws -> (TestSource, CollectionView, Delegate) {
        let source = TestSource(count: count)
        let view = CollectionView.list(source)
        let delegate = Delegate()
        view.delegate = delegate
        delegate.source = source
        _ = try view.makeFrame()
        return (source, view, delegate)
    }

    @Test("an animated scroll has its end in the next frame, which says so, and reports its end once")
    func scroll() throws {
        let (_, view, delegate) = try make()
        view.setContentOffset(200, animated: true)
        let frame = try view.makeFrame()
        #expect(frame.bounds.minY == 200 && frame.transitions.isAnimated)
        #expect(delegate.take() == ["scroll 200.0", "end"])
        #expect(try !view.makeFrame().transitions.isAnimated)
        view.setContentOffset(300, animated: false)
        #expect(try !view.makeFrame().transitions.isAnimated)
        #expect(delegate.take() == ["scroll 300.0"])
        // Nothing moves, so nothing ends.
        view.setContentOffset(300, animated: true)
        #expect(try !view.makeFrame().transitions.isAnimated && delegate.take().isEmpty)
    }

    @Test("scrolls to items and rectangles, and selections with a position, can be animated")
    func scrollToItem() throws {
        let (_, view, delegate) = try make()
        try view.scrollToItem(at: path(50), at: .start, animated: true)
        #expect(try view.makeFrame().transitions.isAnimated && delegate.take() == ["scroll 1000.0", "end"])
        view.scrollRectToVisible(Rect(x: 0, y: 0, width: 80, height: 20), animated: true)
        #expect(try view.makeFrame().transitions.isAnimated && delegate.take() == ["scroll 0.0", "end"])
        try view.selectItem(at: path(20), animated: true, scrollPosition: .start)
        #expect(try view.makeFrame().transitions.isAnimated && delegate.take() == ["scroll 400.0", "end"])
        try view.selectItem(at: path(3))
        #expect(view.indexPathsForSelectedItems == [path(3), path(20)] && view.contentOffset == 400)
        try view.selectItem(at: nil)
        #expect(view.indexPathsForSelectedItems.isEmpty)
    }

    @Test("a batch is animated, and a snapshot that is applied without an animation is not")
    func batches() throws {
        let (source, view, _) = try make()
        try view.performBatchUpdates {
            source.sections[0].removeFirst()
            view.deleteItems(at: [path(0)])
        }
        #expect(try view.makeFrame().transitions.isAnimated)
        let items = DiffableDataSource<String, Int>(collectionView: view) { view, path, number in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText("\(number)")
            return cell
        }
        // A change is animated from a state that was shown.
        #expect(try !view.makeFrame().transitions.isAnimated)
        var snapshot = DiffableDataSourceSnapshot<String, Int>()
        try snapshot.appendSections(["a"])
        try snapshot.appendItems([1, 2, 3])
        var applied: [Int] = []
        try items.apply(snapshot) { applied.append(items.snapshot().numberOfItems) }
        #expect(try view.makeFrame().transitions.isAnimated && applied == [3])
        try snapshot.appendItems([4])
        try items.apply(snapshot, animatingDifferences: false) {
            applied.append(items.snapshot().numberOfItems)
        }
        let frame = try view.makeFrame()
        #expect(!frame.transitions.isAnimated && frame.elements.count == 4 && applied == [3, 4])
        var tree = DiffableDataSourceSectionSnapshot<Int>()
        try tree.append([7, 8])
        try items.apply(tree, to: "a", animatingDifferences: false) {
            applied.append(view.numberOfItems(inSection: 0))
        }
        #expect(try !view.makeFrame().transitions.isAnimated && applied == [3, 4, 2])
        items.applySnapshotUsingReloadData(snapshot) { applied.append(view.numberOfItems(inSection: 0)) }
        #expect(applied == [3, 4, 2, 4])
    }

    @Test("a new layout is shown by the next frame, after which its completion is called once")
    func layoutChange() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        view.register(MovingCell.self, forCellWithReuseIdentifier: "number")
        _ = try view.makeFrame()
        let numbers = try view.makeFrame().elements.map(\.viewNumber)
        var results: [String] = []
        let flow = FlowLayout()
        flow.itemSize = Size(width: 80, height: 20)
        flow.minimumLineSpacing = 0
        view.setCollectionViewLayout(ListLayout(), animated: true) { results.append("first \($0)") }
        view.setCollectionViewLayout(flow, animated: true) { results.append("second \($0)") }
        #expect(results == ["first false"])
        let frame = try view.makeFrame()
        #expect(results == ["first false", "second true"] && frame.transitions.isAnimated)
        #expect(frame.elements.map(\.viewNumber) == numbers)
        #expect(frame.elements.first?.content.secondaryText.string == "list to flow")
        #expect(frame.elements.first?.content.imageName == "list to flow")
        view.setCollectionViewLayout(flow) { results.append("third \($0)") }
        #expect(results.last == "third true")
        #expect(try !view.makeFrame().transitions.isAnimated && results.count == 3)
    }

    @Test("a delegate may replace the offset after a batch and with a new layout")
    func targetOffset() throws {
        let (source, view, delegate) = try make()
        view.contentOffset = 100
        _ = try view.makeFrame()
        _ = delegate.take()
        try view.performBatchUpdates {
            source.sections[0].removeFirst()
            view.deleteItems(at: [path(0)])
        }
        #expect(
            try view.makeFrame().bounds.minY == 80 && delegate.take() == ["proposed 80.0", "scroll 80.0"]
        )
        delegate.target = { $0 + 20 }
        try view.performBatchUpdates {
            source.sections[0].removeFirst()
            view.deleteItems(at: [path(0)])
        }
        #expect(try view.makeFrame().bounds.minY == 80 && delegate.take() == ["proposed 60.0"])
        let taller = ListLayout()
        taller.configuration.estimatedRowLength = 40
        view.setCollectionViewLayout(taller)
        #expect(
            try view.makeFrame().bounds.minY == 180 && delegate.take() == ["proposed 160.0", "scroll 180.0"]
        )
        delegate.target = { _ in .infinity }
        let shorter = ListLayout()
        shorter.configuration.estimatedRowLength = 20
        view.setCollectionViewLayout(shorter)
        let frame = try view.makeFrame()
        #expect(frame.bounds.maxY == frame.contentSize.height)
    }
}
