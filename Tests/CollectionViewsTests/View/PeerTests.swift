import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Two renderers of one data source")
struct PeerTests {
    private func path(_ item: Int, _ section: Int = 0) -> IndexPath {
        IndexPath(item: item, section: section)
    }

    private func makePeer(_ view: CollectionView) -> CollectionView {
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 1
        return CollectionView(
            sharing: view,
            frame: Rect(x: 0, y: 0, width: 40, height: 4),
            collectionViewLayout: ListLayout(configuration)
        )
    }

    @Test("V12 bounds, lengths, anchor and focus are each renderer's own; data and selection are shared")
    func shared() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        try view.selectItem(at: path(3))
        let peer = makePeer(view)
        view.contentOffset = 4_000
        peer.contentOffset = 10
        #expect(try view.makeFrame().lines.first == "200 at 0.0")
        #expect(try peer.makeFrame().lines == ["10 at 0.0", "11 at 1.0", "12 at 2.0", "13 at 3.0"])
        #expect(peer.isItemSelected(at: path(3)))
        try peer.selectItem(at: path(11))
        try view.focusItem(at: path(200))
        #expect(view.indexPathsForSelectedItems == [path(3), path(11)] && peer.focusedIndexPath == nil)
        // A batch of either view is one of both, and each keeps its anchor.
        try peer.performBatchUpdates {
            source.sections[0].insert(contentsOf: [5_000, 5_001], at: 0)
            peer.insertItems(at: [path(0), path(1)])
        }
        #expect(try view.makeFrame().lines.first == "200 at 0.0" && view.contentOffset == 4_040)
        #expect(try peer.makeFrame().lines.first == "10 at 0.0" && peer.contentOffset == 12)
        #expect(view.indexPathsForSelectedItems == [path(5), path(13)])
        #expect(peer.indexPathsForSelectedItems == [path(5), path(13)])
        peer.deselectAllItems()
        #expect(view.indexPathsForSelectedItems.isEmpty)
        source.sections = [[1, 2]]
        view.reloadData()
        #expect(try peer.makeFrame().lines == ["1 at 0.0", "2 at 1.0"])
    }

    @Test("V12 a view whose peer is gone gets the batches of a new peer once")
    func registeredOnce() throws {
        let source = TestSource(count: 5)
        let view = CollectionView.list(source)
        _ = makePeer(view)
        let peer = makePeer(view)
        _ = try (view.makeFrame(), peer.makeFrame())
        source.sections[0].insert(9, at: 0)
        peer.insertItems(at: [path(0)])
        #expect(view.numberOfItems(inSection: 0) == 6 && peer.numberOfItems(inSection: 0) == 6)
        #expect(try view.makeFrame().contentSize.height == 120 && peer.makeFrame().contentSize.height == 6)
    }

    @Test("V12 a peer that does not have the state before a batch reads the data again")
    func otherCounts() throws {
        let source = TestSource(count: 20)
        let view = CollectionView.list(source)
        _ = try view.makeFrame()
        source.sections[0].append(20)
        let peer = makePeer(view)
        view.insertItems(at: [path(20)])
        #expect(view.numberOfItems(inSection: 0) == 21 && peer.numberOfItems(inSection: 0) == 21)
        #expect(try peer.makeFrame().contentSize.height == 21)
        // A queued batch that breaks a rule leads to a reload.
        _ = try (view.makeFrame(), peer.makeFrame())
        source.whenNextAsked {
            source.sections[0].removeFirst(2)
            view.deleteItems(at: [path(0)])
        }
        view.contentOffset = 200
        try? view.layoutIfNeeded()
        #expect(try view.numberOfItems(inSection: 0) == 19 && peer.makeFrame().lines.first == "2 at 0.0")
        source.sections[0].removeFirst()
        view.deleteItems(at: [path(0)])
        #expect(view.numberOfItems(inSection: 0) == 18 && peer.numberOfItems(inSection: 0) == 18)
        #expect(try peer.makeFrame().contentSize.height == 18)
        #expect(try peer.makeFrame().lines == ["3 at 0.0", "4 at 1.0", "5 at 2.0", "6 at 3.0"])
    }

    @Test("V12 a data source updates the second view after the first one is gone")
    func firstIsGone() throws {
        var view: CollectionView? = CollectionView.list(TestSource(count: 0))
        let source = DiffableDataSource<String, Int>(collectionView: try #require(view)) { view, path, item in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText("\(item)")
            return cell
        }
        let peer = makePeer(try #require(view))
        var snapshot = source.snapshot()
        try snapshot.appendSections(["a"])
        try snapshot.appendItems([1, 2, 3])
        try source.apply(snapshot)
        #expect(try peer.makeFrame().lines == ["1 at 0.0", "2 at 1.0", "3 at 2.0"])
        view = nil
        #expect(view == nil)
        snapshot.deleteItems([1, 2])
        try source.apply(snapshot)
        #expect(try peer.makeFrame().lines == ["3 at 0.0"])

        let list = ListSource<Int, Int>(values: [1, 2, 3])
        view = CollectionView.list(TestSource(count: 0))
        let binding = SourceBinding(try #require(view), to: list) { view, path, number in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText("\(number)")
            return cell
        }
        let other = makePeer(try #require(view))
        #expect(try other.makeFrame().lines.count == 3)
        view = nil
        try list.setItems([3])
        #expect(try other.makeFrame().lines == ["3 at 0.0"] && binding.source === list)
    }

    @Test("V12 V9 a batch that breaks a rule leaves both views as they were")
    func rejected() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        let peer = makePeer(view)
        let frames = try [view.makeFrame(), peer.makeFrame()]
        #expect(throws: ChangeSetError.self) {
            try view.performBatchUpdates { view.deleteItems(at: [path(2)]) }
        }
        #expect(try [view.makeFrame(), peer.makeFrame()] == frames && peer.version == frames[1].version)
    }

    @Test("V12 V10 a change in a callback of one view is applied to both, never within a pass")
    func callback() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        let peer = makePeer(view)
        try view.layoutIfNeeded()
        source.whenNextAsked {
            source.sections[0].removeFirst(10)
            view.deleteItems(at: (0..<10).map { self.path($0) })
        }
        #expect(try peer.makeFrame().lines == ["10 at 0.0", "11 at 1.0", "12 at 2.0", "13 at 3.0"])
        #expect(try view.makeFrame().lines.first == "10 at 0.0")
        #expect(peer.numberOfItems(inSection: 0) == 90 && view.numberOfItems(inSection: 0) == 90)
    }

    @Test("V12 V13 a diffable data source expands, and moves items, in both views")
    func diffable() throws {
        let view = CollectionView.list(TestSource(count: 0))
        let source = DiffableDataSource<String, String>(collectionView: view) { view, path, item in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText(item)
            return cell
        }
        let peer = makePeer(view)
        var tree = DiffableDataSourceSectionSnapshot<String>()
        try tree.append(["fruit", "tea"])
        try tree.append(["apple"], to: "fruit")
        try source.apply(tree, to: "all")
        try peer.setItemExpanded(true, at: path(0))
        func texts(_ view: CollectionView) throws -> [String] {
            try view.makeFrame().elements.map(\.content.text.string)
        }
        #expect(try texts(view) == ["fruit", "apple", "tea"] && texts(peer) == texts(view))
        #expect(peer.isItemExpanded(at: path(0)) == true && view.isItemExpanded(at: path(0)) == true)
        var snapshot = DiffableDataSourceSnapshot<String, String>()
        try snapshot.appendSections(["a"])
        try snapshot.appendItems(["1", "2", "3"])
        try source.apply(snapshot)
        source.reorderingHandlers.canReorderItem = { _ in true }
        let session = try #require(try view.beginDrag(at: path(0)))
        try session.move(over: view, to: path(2))
        #expect(try texts(view) == ["2", "3", "1"] && texts(peer) == ["1", "2", "3"])
        try session.drop()
        #expect(try texts(view) == ["2", "3", "1"] && texts(peer) == ["2", "3", "1"])
    }

    @Test("V12 V11 after random batches of two renderers, each frame is that of a new view")
    func random() throws {
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<20 {
            var state = ModelState(&generator)
            let source = ModelSource(state)
            // High views show all rows.
            let height = generator.chance(50) ? 100 : 100_000.0
            func make() -> CollectionView {
                let view = CollectionView.list(TestSource(count: 0), height: height) {
                    $0.estimatedRowLength = 8
                }
                view.dataSource = source
                return view
            }
            let first = make()
            let views = [
                first,
                CollectionView(sharing: first, frame: first.frame, collectionViewLayout: FlowLayout()),
            ]
            for _ in 0..<12 {
                let old = state
                state.change(&generator)
                source.state = state
                let changes = try old.difference(to: state).changeSet
                views[generator.int(0..<2)].performUpdates(withChangeSet: changes)
                if let path = state.paths.values.sorted().randomElement(using: &generator) {
                    try views[generator.int(0..<2)].selectItem(at: path)
                }
                #expect(views[0].indexPathsForSelectedItems == views[1].indexPathsForSelectedItems)
                for view in views {
                    view.contentOffset += Double(generator.int(-50..<100))
                    let shown = try view.makeFrame().elements.filter {
                        $0.attributes.element.category == .cell
                    }
                    for element in shown {
                        let path = element.attributes.indexPath
                        let row = state.sections[path.section].items[path.item]
                        #expect(
                            element.content.text.string == "\(row.id) v\(row.stamp)",
                            "\(generator.origin)"
                        )
                    }
                    #expect(view.numberOfSections == state.sections.count)
                    let paths = Set(shown.map(\.attributes.indexPath))
                    let bounds = view.bounds
                    for path in state.paths.values where !paths.contains(path) {
                        let frame = view.layoutAttributesForItem(at: path)?.frame ?? bounds
                        #expect(
                            frame.maxY <= bounds.minY || frame.minY >= bounds.maxY,
                            "\(path) is missing, \(generator.origin)"
                        )
                    }
                    if height > 100 {
                        let other = make()
                        if view !== first { other.setCollectionViewLayout(FlowLayout()) }
                        #expect(try view.makeFrame().lines == other.makeFrame().lines, "\(generator.origin)")
                    }
                }
            }
        }
    }
}
