import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Section snapshots and expansion")
struct TreeTests {
    typealias Tree = DiffableDataSourceSectionSnapshot<String>

    private func tree() throws -> Tree {
        var tree = Tree()
        try tree.append(["fruit", "tea"])
        try tree.append(["apple", "pear"], to: "fruit")
        try tree.append(["red", "green"], to: "apple")
        try tree.append(["black"], to: "tea")
        return tree
    }

    private func make() -> (CollectionView, DiffableDataSource<String, String>) {
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 400),
            collectionViewLayout: ListLayout()
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        let source = DiffableDataSource<String, String>(collectionView: view) { view, path, item in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText(item)
            return cell
        }
        return (view, source)
    }

    private func texts(_ view: CollectionView) throws -> [String] {
        try view.makeFrame().elements.map(\.content.text.string)
    }

    @Test("C13 a section snapshot is a tree: a new parent is collapsed, and each question has its answer")
    func questions() throws {
        var tree = try tree()
        #expect(tree.items == ["fruit", "apple", "red", "green", "pear", "tea", "black"])
        #expect(tree.rootItems == ["fruit", "tea"] && tree.visibleItems == ["fruit", "tea"])
        try tree.expand(["apple"])
        #expect(!tree.isVisible("red") && tree.isExpanded("apple"))
        try tree.expand(["fruit"])
        #expect(tree.visibleItems == ["fruit", "apple", "red", "green", "pear", "tea"])
        #expect(tree.expandedItems == ["fruit", "apple"] && tree.isVisible("red"))
        #expect(tree.level(of: "green") == 2 && tree.parent(of: "green") == "apple")
        #expect(tree.index(of: "pear") == 4 && tree.index(of: "nut") == nil && tree.level(of: "nut") == nil)
        #expect(
            tree.visualDescription()
                == "- fruit\n  - apple\n    * red\n    * green\n  * pear\n+ tea\n  * black"
        )
        #expect(try tree.snapshot(of: "apple").items == ["red", "green"])
        #expect(try tree.snapshot(of: "fruit", includingParent: true).visibleItems.count == 5)
    }

    @Test("C13 items and trees are inserted, replaced and deleted; a rule that is broken changes nothing")
    func changes() throws {
        var tree = try tree()
        try tree.insert(["plum"], before: "pear")
        try tree.insert(["fig"], after: "pear")
        #expect(tree.children(of: "fruit") == ["apple", "plum", "pear", "fig"])
        var other = Tree()
        try other.append(["nut"])
        try other.append(["almond"], to: "nut")
        try tree.insert(other, after: "fruit")
        #expect(tree.rootItems == ["fruit", "nut", "tea"] && tree.parent(of: "almond") == "nut")
        let before = tree
        #expect(throws: DiffableSnapshotError.self) { try tree.insert(other, before: "tea") }
        #expect(throws: DiffableSnapshotError.self) { try tree.append(["x", "x"]) }
        #expect(throws: DiffableSnapshotError.self) { try tree.append(["y"], to: "unknown") }
        #expect(throws: DiffableSnapshotError.self) { try tree.replace(childrenOf: "tea", using: other) }
        #expect(throws: DiffableSnapshotError.self) { try tree.expand(["tea", "unknown"]) }
        #expect(tree == before)
        tree.delete(["nut", "apple", "red", "unknown"])
        #expect(tree.items == ["fruit", "plum", "pear", "fig", "tea", "black"])
        try tree.replace(childrenOf: "tea", using: other)
        #expect(tree.children(of: "tea") == ["nut"] && !tree.contains("black"))
        tree.deleteAll()
        #expect(tree.items.isEmpty)
    }

    @Test("C13 a tree of 100,000 levels does not overflow the stack")
    func deep() throws {
        var tree = DiffableDataSourceSectionSnapshot<Int>()
        try tree.append([0])
        for item in 1..<100_000 { try tree.append([item], to: item - 1) }
        try tree.expand(tree.items)
        #expect(tree.visibleItems.count == 100_000)
        tree.delete([1])
        #expect(tree.items == [0])
    }

    @Test("V13 C13 an item expands and collapses by its identity, and other cells keep their objects")
    func expansion() throws {
        let (view, source) = make()
        try source.apply(tree(), to: "all")
        #expect(try texts(view) == ["fruit", "tea"])
        let tea = try #require(view.cellForItem(at: IndexPath(item: 1, section: 0)))
        try view.selectItem(at: IndexPath(item: 1, section: 0))
        #expect(view.isItemExpanded(at: IndexPath(item: 0, section: 0)) == false)
        #expect(try view.setItemExpanded(true, at: IndexPath(item: 0, section: 0)))
        #expect(try texts(view) == ["fruit", "apple", "pear", "tea"])
        #expect(view.cellForItem(at: IndexPath(item: 3, section: 0)) === tea)
        #expect(view.indexPathsForSelectedItems == [IndexPath(item: 3, section: 0)])
        #expect(view.isItemExpanded(at: IndexPath(item: 2, section: 0)) == nil)
        // A plain snapshot that moves the section keeps the tree; expansion follows the item.
        var snapshot = source.snapshot()
        try snapshot.insertSections(["before"], beforeSection: "all")
        try source.apply(snapshot)
        #expect(view.isItemExpanded(at: IndexPath(item: 0, section: 1)) == true)
        #expect(try !view.setItemExpanded(true, at: IndexPath(item: 0, section: 1)))
        #expect(try view.setItemExpanded(false, at: IndexPath(item: 0, section: 1)))
        #expect(try texts(view) == ["fruit", "tea"] && source.snapshot(for: "all").items.count == 7)
        // Other items than those of the tree replace it.
        snapshot.deleteItems(["apple"])
        try source.apply(snapshot)
        #expect(source.snapshot(for: "all").items == ["fruit", "pear", "tea"])
    }

    @Test("C13 handlers allow, refuse and load children")
    func handlers() throws {
        let (view, source) = make()
        try source.apply(tree(), to: "all")
        var events: [String] = []
        source.sectionSnapshotHandlers.shouldExpandItem = { $0 != "tea" }
        source.sectionSnapshotHandlers.willExpandItem = { events.append("expand \($0)") }
        source.sectionSnapshotHandlers.willCollapseItem = { events.append("collapse \($0)") }
        source.sectionSnapshotHandlers.snapshotForExpandingParent = { item, children in
            var loaded = children
            if children.items.isEmpty { try? loaded.append(["\(item) 1", "\(item) 2"]) }
            return loaded
        }
        #expect(try !source.setExpanded(true, "tea"))
        #expect(try source.setExpanded(true, "fruit") && source.setExpanded(true, "pear"))
        #expect(try texts(view) == ["fruit", "apple", "pear", "pear 1", "pear 2", "tea"])
        source.sectionSnapshotHandlers.shouldCollapseItem = { $0 != "fruit" }
        #expect(try !source.setExpanded(false, "fruit") && source.setExpanded(false, "pear"))
        #expect(events == ["expand fruit", "expand pear", "collapse pear"])
    }

    @Test("V10 C13 an outline row that a callback toggles is expanded after it")
    func inCallback() throws {
        final class Toggler: CollectionViewDelegate {
            var results: [Bool?] = []
            func collectionView(_ view: CollectionView, performPrimaryActionForItemAt path: IndexPath) {
                results.append(try? view.setItemExpanded(true, at: path))
                results.append(view.isItemExpanded(at: path))
            }
        }
        let (view, source) = make()
        try source.apply(tree(), to: "all")
        _ = try view.makeFrame()
        let delegate = Toggler()
        view.delegate = delegate
        try view.performPrimaryAction(at: IndexPath(item: 0, section: 0))
        #expect(delegate.results == [true, false])
        #expect(try texts(view) == ["fruit", "apple", "pear", "tea"])
    }

    @Test("C13 the handler before an expansion may apply children")
    func loadedBefore() throws {
        let (view, source) = make()
        try source.apply(tree(), to: "all")
        source.sectionSnapshotHandlers.willExpandItem = { item in
            var loaded = source.snapshot(for: "all")
            try? loaded.append(["plum"], to: item)
            try? source.apply(loaded, to: "all")
        }
        #expect(try source.setExpanded(true, "fruit"))
        #expect(try texts(view) == ["fruit", "apple", "pear", "plum", "tea"])
    }

    @Test("C10 C13 an item that moves into a section with a tree is where it was dropped", arguments: 0..<5)
    func intoTree(_ index: Int) throws {
        let (view, source) = make()
        var other = try tree()
        try other.expand(["fruit"])
        try source.apply(other, to: "all")
        var flat = Tree()
        try flat.append(["new"])
        try source.apply(flat, to: "flat")
        _ = try view.makeFrame()
        source.reorderingHandlers.canReorderItem = { _ in true }
        let session = try #require(try view.beginDrag(at: IndexPath(item: 0, section: 1)))
        try session.move(over: view, to: IndexPath(item: index, section: 0))
        #expect(try session.drop() == .move)
        var expected = ["fruit", "apple", "pear", "tea"]
        expected.insert("new", at: index)
        #expect(try texts(view) == expected && source.snapshot(for: "all").visibleItems == expected)
        #expect(source.snapshot().itemIdentifiers(inSection: "all") == expected)
    }

    @Test("C13 V9 a batch that fails later restores the tree too")
    func rollback() throws {
        struct Fault: Error {}
        let (view, source) = make()
        try source.apply(tree(), to: "all")
        try view.layoutIfNeeded()
        #expect(throws: Fault.self) {
            try view.performBatchUpdates {
                try source.setExpanded(true, "fruit")
                throw Fault()
            }
        }
        #expect(source.isExpanded("fruit") == false)
        #expect(try texts(view) == ["fruit", "tea"])
    }

    @Test("V13 S1 expanded items are saved by identity, and restored before the position")
    func restoration() throws {
        let (view, source) = make()
        try source.apply(tree(), to: "all")
        try source.setExpanded(true, "fruit")
        let archive = source.savedState(of: view, marks: view.restorableMarks)
        #expect(archive.expanded == ["fruit"])
        let (newView, newSource) = make()
        try newSource.apply(tree(), to: "all")
        try newSource.restoreExpandedItems(archive.expanded)
        #expect(try texts(newView) == ["fruit", "apple", "pear", "tea"])
        #expect(newView.restorableMarks.expanded == ["fruit"])
    }

    @Test("C10 C13 a move of the user is a transaction, and the next snapshot keeps it")
    func reordering() throws {
        let (view, source) = make()
        var snapshot = source.snapshot()
        try snapshot.appendSections(["a", "b"])
        try snapshot.appendItems(["1", "2", "3"], toSection: "a")
        try snapshot.appendItems(["4"], toSection: "b")
        try source.apply(snapshot)
        try view.layoutIfNeeded()
        #expect(try view.beginDrag(at: IndexPath(item: 0, section: 0)) == nil)
        var transactions: [DiffableTransaction<String, String>] = []
        source.reorderingHandlers.canReorderItem = { $0 != "2" }
        source.reorderingHandlers.didReorder = { transactions.append($0) }
        #expect(try view.beginDrag(at: IndexPath(item: 1, section: 0)) == nil)
        let session = try #require(try view.beginDrag(at: IndexPath(item: 0, section: 0)))
        try session.move(over: view, to: IndexPath(item: 1, section: 1))
        #expect(try session.drop() == .move)
        #expect(source.snapshot().itemIdentifiers(inSection: "b") == ["4", "1"])
        let transaction = try #require(transactions.first)
        #expect(
            transactions.count == 1 && transaction.initialSnapshot.itemIdentifiers == ["1", "2", "3", "4"]
        )
        #expect(transaction.finalSnapshot.itemIdentifiers == ["2", "3", "4", "1"])
        #expect(transaction.difference.moves.count == 1)
        #expect(transaction.sectionTransactions.map(\.finalSnapshot.items) == [["2", "3"], ["4", "1"]])
        try source.apply(source.snapshot())
        #expect(try texts(view) == ["2", "3", "4", "1"])
    }
}
