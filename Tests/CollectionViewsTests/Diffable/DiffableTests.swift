import CollectionViews
import DataSources
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Diffable data source")
struct DiffableTests {
    typealias Snapshot = DiffableDataSourceSnapshot<String, Int>

    private func make(height: Double = 400) -> (CollectionView, DiffableDataSource<String, Int>) {
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = 10
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: height),
            collectionViewLayout: ListLayout(configuration)
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        let source = DiffableDataSource<String, Int>(collectionView: view) { view, path, number in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText("\(number)")
            return cell
        }
        return (view, source)
    }

    /// Creates a view with the section "a" and the items 1, 2 and 3.
    private func makeWithItems() throws -> (CollectionView, DiffableDataSource<String, Int>) {
        let (view, source) = make()
        var snapshot = Snapshot()
        try snapshot.appendSections(["a"])
        try snapshot.appendItems([1, 2, 3])
        try source.apply(snapshot)
        try view.layoutIfNeeded()
        return (view, source)
    }

    @Test("C13 snapshots apply by difference, and cells of remaining items keep their objects")
    func difference() throws {
        let (view, source) = make()
        var snapshot = Snapshot()
        try snapshot.appendSections(["a", "b"])
        try snapshot.appendItems([1, 2, 3], toSection: "a")
        try snapshot.appendItems([10, 11])
        try source.apply(snapshot)
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["1", "2", "3", "10", "11"])
        let cell = try #require(source.indexPath(for: 10).flatMap { view.cellForItem(at: $0) })
        try snapshot.moveSection("b", beforeSection: "a")
        try snapshot.moveItem(3, beforeItem: 10)
        snapshot.deleteItems([2])
        try snapshot.insertItems([7, 8], beforeItem: 1)
        try source.apply(snapshot)
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["3", "10", "11", "7", "8", "1"])
        #expect(view.cellForItem(at: IndexPath(item: 1, section: 0)) === cell)
        #expect(source.itemIdentifier(for: IndexPath(item: 0, section: 1)) == 7)
        #expect(source.sectionIdentifier(for: 0) == "b" && source.index(for: "a") == 1)
        #expect(snapshot.sectionIdentifier(containingItem: 3) == "b" && snapshot.numberOfItems == 6)
    }

    @Test("U10 C13 reload replaces a cell and reconfigure keeps it, once")
    func marks() throws {
        let (view, source) = try makeWithItems()
        let cells = view.visibleCells
        var next = source.snapshot()
        try next.reloadItems([1])
        try next.reconfigureItems([2])
        try source.apply(next)
        #expect(view.visibleCells[0] !== cells[0] && view.visibleCells[1] === cells[1])
        #expect(view.counters.bound == 5)
        #expect(source.snapshot().reloadedItemIdentifiers.isEmpty)
        try source.apply(source.snapshot())
        #expect(view.counters.bound == 5)
    }

    @Test("U10 a duplicate or unknown identifier is an error that names it, and changes nothing")
    func identifiers() throws {
        var snapshot = Snapshot()
        func error(_ change: (inout Snapshot) throws -> Void) -> String? {
            var copy = snapshot
            do { try change(&copy) } catch {
                #expect(copy.itemIdentifiers == snapshot.itemIdentifiers)
                #expect(copy.sectionIdentifiers == snapshot.sectionIdentifiers)
                return "\(error)"
            }
            return nil
        }
        #expect(error { try $0.appendItems([5]) } == "the item 5 was appended to a snapshot without sections")
        try snapshot.appendSections(["a"])
        try snapshot.appendItems([1, 2])
        #expect(error { try $0.appendSections(["b", "a"]) } == "the identifier a occurs twice in a snapshot")
        #expect(error { try $0.appendItems([3, 3]) } == "the identifier 3 occurs twice in a snapshot")
        #expect(error { try $0.appendItems([2]) } == "the identifier 2 occurs twice in a snapshot")
        #expect(error { try $0.insertItems([4], beforeItem: 9) } == "the identifier 9 is not in the snapshot")
        #expect(error { try $0.moveItem(1, beforeItem: 9) } == "the identifier 9 is not in the snapshot")
        #expect(
            error { try $0.appendItems([4], toSection: "z") } == "the identifier z is not in the snapshot"
        )
        #expect(error { try $0.reloadItems([8]) } == "the identifier 8 is not in the snapshot")
        #expect(error { try $0.reconfigureItems([8]) } == "the identifier 8 is not in the snapshot")
    }

    @Test("C13 random snapshots: the view shows the items of the last one, by difference and by reload")
    func random() throws {
        var generator = SeededGenerator.fromEnvironment()
        let (view, source) = make(height: 2_000)
        for step in 0..<150 {
            var snapshot = Snapshot()
            let names = ["a", "b", "c", "d"].filter { _ in generator.chance(70) }.shuffled(using: &generator)
            try snapshot.appendSections(names)
            for item in (0..<40).shuffled(using: &generator) where generator.chance(60) {
                if let name = names.randomElement(using: &generator) {
                    try snapshot.appendItems([item], toSection: name)
                }
            }
            if step % 10 == 9 {
                source.applySnapshotUsingReloadData(snapshot)
            } else {
                try source.apply(snapshot)
            }
            let texts = try view.makeFrame().elements.map(\.content.text.string)
            #expect(texts == snapshot.itemIdentifiers.map { "\($0)" }, "\(generator.origin)")
        }
    }

    @Test("C13 V9 snapshots that were applied in a batch that throws are not the current ones")
    func outerBatch() throws {
        let (view, source) = try makeWithItems()
        let fault = SourceFault(path: IndexPath(item: 0, section: 0))
        #expect(throws: fault) {
            try view.performBatchUpdates {
                for item in 4..<6 {
                    var next = source.snapshot()
                    try next.appendItems([item])
                    try source.apply(next)
                }
                throw fault
            }
        }
        #expect(source.snapshot().itemIdentifiers == [1, 2, 3])
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["1", "2", "3"])
        try source.apply(source.snapshot())
    }

    @Test("V10 C13 a snapshot that a callback applies is queued, and an error of it is reported")
    func inCallback() throws {
        final class Chooser: CollectionViewDelegate {
            var chosen: () -> Void = {}
            var errors: [any Error] = []
            func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) { chosen() }
            func collectionView(_ view: CollectionView, didRejectUpdates error: any Error) {
                errors.append(error)
            }
        }
        let (view, source) = try makeWithItems()
        let delegate = Chooser()
        view.delegate = delegate
        var failures = 0
        delegate.chosen = {
            do {
                var next = source.snapshot()
                try next.insertItems([7], beforeItem: 1)
                try source.apply(next)
                // Nothing changes within the callback.
                #expect(source.snapshot().itemIdentifiers == [1, 2, 3])
                next.deleteItems([2])
                try source.apply(next)
            } catch { failures += 1 }
        }
        try view.selectByUser(at: IndexPath(item: 0, section: 0))
        #expect(failures == 0 && delegate.errors.isEmpty && source.snapshot().itemIdentifiers == [7, 1, 3])
        #expect(view.indexPathsForSelectedItems == [IndexPath(item: 1, section: 0)])
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["7", "1", "3"])
    }

    @Test("C13 items and sections are inserted and moved after others, and sections are reloaded")
    func afterOthers() throws {
        let (view, source) = try makeWithItems()
        var snapshot = source.snapshot()
        try snapshot.insertSections(["c"], afterSection: "a")
        try snapshot.appendSections(["b"])
        try snapshot.moveSection("a", afterSection: "b")
        try snapshot.insertItems([7, 8], afterItem: 1)
        try snapshot.moveItem(1, afterItem: 3)
        try snapshot.moveItem(2, afterItem: 2)
        #expect(snapshot.sectionIdentifiers == ["c", "b", "a"])
        #expect(snapshot.itemIdentifiers == [7, 8, 2, 3, 1] && snapshot.indexOfItem(1) == 4)
        let (bound, created) = (view.counters.bound, view.counters.created)
        try snapshot.reloadSections(["a"])
        try source.apply(snapshot)
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["7", "8", "2", "3", "1"])
        #expect(view.counters.bound == bound + 5 && view.counters.created > created)
        #expect(throws: DiffableSnapshotError.self) { try snapshot.reloadSections(["x"]) }
        snapshot.deleteAllItems()
        #expect(snapshot.numberOfSections == 0 && snapshot.numberOfItems == 0)
    }

    @Test("C13 filling 100,000 sections asks for no section's index twice")
    func manySections() throws {
        var snapshot = DiffableDataSourceSnapshot<CountedKey, Int>()
        let keys = (0..<100_000).map(CountedKey.init)
        try snapshot.appendSections(keys)
        CountedKey.comparisons.withLock { $0 = 0 }
        for key in keys { try snapshot.appendItems([key.number], toSection: key) }
        #expect(snapshot.numberOfItems == 100_000)
        // A search of the sections would compare five thousand million times.
        #expect(CountedKey.comparisons.withLock { $0 } < 1_000_000)
    }

    /// A section identifier that counts comparisons.
    struct CountedKey: Hashable {
        static let comparisons = Mutex(0)
        let number: Int
        static func == (left: Self, right: Self) -> Bool {
            comparisons.withLock { $0 += 1 }
            return left.number == right.number
        }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
}
