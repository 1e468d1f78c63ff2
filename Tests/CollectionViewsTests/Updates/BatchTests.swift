import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Batch updates")
struct BatchTests {
    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    @Test(
        "U1 U2 U3 C9 deletes name the old state, inserts the new one, and a move goes from one to the other"
    )
    func states() throws {
        let source = TestSource([[0, 1, 2, 3, 4, 5]])
        let view = CollectionView.list(source, height: 300)
        try view.layoutIfNeeded()
        try view.performBatchUpdates {
            source.sections = [[5, 0, 7, 1, 3, 4, 8]]
            view.insertItems(at: [path(0, 2), path(0, 6)])
            view.moveItem(at: path(0, 5), to: path(0, 0))
            view.deleteItems(at: [path(0, 2)])
        }
        #expect(
            try view.makeFrame().elements.map(\.content.text.string) == ["5", "0", "7", "1", "3", "4", "8"]
        )
    }

    @Test("U4 U5 C9 the order of the calls does not matter, and nested batches act as the outermost one")
    func order() throws {
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<30 {
            let source = TestSource([[0, 1, 2, 3], [10, 11, 12], [20]])
            let view = CollectionView.list(source, height: 500)
            try view.layoutIfNeeded()
            let calls: [() -> Void] = [
                { view.deleteItems(at: [self.path(0, 1)]) },
                { view.deleteSections([1]) },
                { view.insertSections([0]) },
                { view.insertItems(at: [self.path(1, 0)]) },
                { view.moveItem(at: self.path(0, 3), to: self.path(2, 0)) },
                { view.reloadItems(at: [self.path(0, 2)]) },
            ]
            let shuffled = calls.shuffled(using: &generator)
            source.title = { $0 == 2 ? "two" : "\($0)" }
            try view.performBatchUpdates {
                source.sections = [[30, 31], [5, 0, 2], [3, 20]]
                for call in shuffled.prefix(3) { call() }
                try view.performBatchUpdates { for call in shuffled.dropFirst(3) { call() } }
            }
            #expect(
                try view.makeFrame().elements.map(\.content.text.string)
                    == ["30", "31", "5", "0", "two", "3", "20"],
                "\(generator.origin)"
            )
        }
    }

    @Test("U6 counts that do not add up are an error with all six numbers, and the old state stays whole")
    func counts() throws {
        let source = TestSource([[0, 1, 2]])
        let view = CollectionView.list(source)
        let before = try view.makeFrame()
        let error = #expect(throws: ChangeSetError.self) {
            try view.performBatchUpdates {
                source.sections = [[0, 1, 2, 3]]
                view.deleteItems(at: [path(0, 0)])
            }
        }
        #expect(
            error?.message
                == "rows of section 0: 3 before + 0 inserted - 1 deleted + 0 moved in - 0 moved out is not 4 after"
        )
        #expect(view.numberOfItems(inSection: 0) == 3)
        #expect(try view.makeFrame() == before)
        try view.performBatchUpdates { view.insertItems(at: [path(0, 3)]) }
        #expect(view.numberOfItems(inSection: 0) == 4)
    }

    @Test("U7 V9 each broken rule leaves view, index, offset and selection as they were", arguments: 0..<9)
    func rules(_ number: Int) throws {
        let source = TestSource([Array(0..<40), Array(40..<60)])
        source.length = { Double($0 % 7 + 10) }
        let view = CollectionView.list(source)
        let delegate = TestDelegate()
        view.delegate = delegate
        view.contentOffset = 95
        try view.selectItem(at: path(0, 9))
        let before = try view.makeFrame()
        delegate.resetEvents()
        let broken: [() -> Void] = [
            { view.deleteItems(at: [self.path(0, 40)]) },
            { view.deleteItems(at: [self.path(-1, 0)]) },
            { view.insertItems(at: [self.path(5, 0)]) },
            { view.deleteItems(at: [self.path(0, 3), self.path(0, 3)]) },
            {
                view.deleteItems(at: [self.path(0, 3)])
                view.moveItem(at: self.path(0, 3), to: self.path(0, 1))
            },
            {
                view.insertSections([0])
                view.moveSection(1, toSection: 0)
            },
            {
                view.deleteSections([1])
                view.reloadItems(at: [self.path(1, 2)])
            },
            { view.insertItems(at: [IndexPath(item: .max, section: 0)]) },
            { view.reconfigureItems(at: [self.path(0, 99)]) },
        ]
        #expect(throws: (any Error).self) { try view.performBatchUpdates { broken[number]() } }
        #expect(view.contentOffset == before.bounds.minY)
        #expect(try view.makeFrame() == before)
        #expect(view.indexPathsForSelectedItems == [path(0, 9)])
        #expect(delegate.events.isEmpty)
        view.contentOffset = 300
        let other = CollectionView.list(source)
        for item in 0..<40 where source.measured.contains(item) {
            try other.setMeasuredLength(Double(item % 7 + 10), forItemAt: path(0, item))
        }
        other.contentOffset = 300
        #expect(
            try view.makeFrame().elements.map(\.attributes) == other.makeFrame().elements.map(\.attributes)
        )
    }

    @Test("V9 a block that throws leaves the old state whole, also where only a nested one throws")
    func throwing() throws {
        let source = TestSource(count: 30)
        let view = CollectionView.list(source)
        let before = try view.makeFrame()
        let fault = SourceFault(path: path(0, 0))
        #expect(throws: fault) {
            try view.performBatchUpdates {
                view.deleteItems(at: [path(0, 0)])
                throw fault
            }
        }
        #expect(try view.makeFrame() == before && view.numberOfItems(inSection: 0) == 30)
        try view.performBatchUpdates {
            source.sections = [Array(1..<30)]
            view.deleteItems(at: [path(0, 0)])
            #expect(throws: fault) {
                try view.performBatchUpdates {
                    view.deleteItems(at: [path(0, 1)])
                    throw fault
                }
            }
        }
        #expect(view.numberOfItems(inSection: 0) == 29)
        #expect(try view.makeFrame().lines.first == "1 at 0.0")
    }

    @Test("V9 the order of one batch: counts, updates, index, ends, displays, completion once")
    func steps() throws {
        final class Recording: CollectionLayout {
            var events: [String] = []
            override var collectionViewContentSize: Size { Size(width: 80, height: 1_000) }
            override func prepare() { events.append("prepare") }
            override func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
                let frame = Rect(x: 0, y: Double(indexPath.item) * 50, width: 80, height: 50)
                return LayoutAttributes(forCellWith: indexPath, frame: frame)
            }
            override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
                (0..<(host?.numberOfItems(inSection: 0) ?? 0))
                    .compactMap { layoutAttributesForItem(at: IndexPath(item: $0, section: 0)) }
            }
            override func prepare(forCollectionViewUpdates updates: LayoutUpdates) {
                events.append("updates \(updates.items.count)")
            }
            override func finalizeCollectionViewUpdates() { events.append("finalize") }
        }
        let layout = Recording()
        let source = TestSource(count: 4)
        let delegate = TestDelegate()
        let view = CollectionView.list(source)
        view.setCollectionViewLayout(layout)
        view.delegate = delegate
        try view.layoutIfNeeded()
        layout.events = []
        delegate.resetEvents()
        var completions: [Bool] = []
        view.performBatchUpdates(
            {
                source.sections = [[9, 1, 2, 3]]
                view.deleteItems(at: [self.path(0, 0)])
                view.insertItems(at: [self.path(0, 0)])
                #expect(view.numberOfItems(inSection: 0) == 4)
            },
            completion: { completions.append($0) }
        )
        #expect(layout.events == ["prepare", "updates 2", "finalize"])
        #expect(delegate.events == ["end 0.0", "display 0.0"])
        #expect(completions == [true])
        view.performBatchUpdates(
            { view.deleteItems(at: [self.path(0, 99)]) },
            completion: { completions.append($0) }
        )
        #expect(completions == [true, false])
    }

    @Test(
        "U8 U9 C9 items of inserted sections need no calls; section moves with inner edits, and move with reload"
    )
    func combinations() throws {
        let source = TestSource([[0, 1], [10, 11], [20, 21]])
        let view = CollectionView.list(source, height: 500)
        try view.layoutIfNeeded()
        source.title = { $0 == 11 ? "eleven" : "\($0)" }
        try view.performBatchUpdates {
            source.sections = [[11, 10, 12], [30, 31], [0, 21]]
            view.moveSection(1, toSection: 0)
            view.moveItem(at: path(1, 1), to: path(0, 0))
            view.reloadItems(at: [path(1, 1)])
            view.insertItems(at: [path(0, 2)])
            view.insertSections([1])
            view.deleteSections([2])
            view.moveItem(at: path(2, 1), to: path(2, 1))
            view.deleteItems(at: [path(0, 1)])
        }
        #expect(
            try view.makeFrame().elements.map(\.content.text.string)
                == ["eleven", "10", "12", "30", "31", "0", "21"]
        )
    }

    @Test(
        "U10 reload replaces the cell, reconfigure keeps it, and another cell for a reconfigured item is an error"
    )
    func reload() throws {
        let source = TestSource(count: 5)
        let view = CollectionView.list(source)
        view.register(NumberCell.self, forCellWithReuseIdentifier: "other")
        try view.layoutIfNeeded()
        let first = try #require(view.cellForItem(at: path(0, 1)))
        source.title = { "new \($0)" }
        view.reconfigureItems(at: [path(0, 1)])
        #expect(view.cellForItem(at: path(0, 1)) === first && first.content.text.string == "new 1")
        view.reloadItems(at: [path(0, 1)])
        #expect(view.cellForItem(at: path(0, 1)) !== first)
        source.identifier = { _ in "other" }
        view.reconfigureItems(at: [path(0, 2)])
        let error = #expect(throws: CollectionViewError.self) { try view.makeFrame() }
        #expect(error?.code == .reconfiguredCellReplaced)
        source.identifier = { _ in "number" }
        #expect(try view.makeFrame().lines.contains("new 2 at 40.0"))
    }

    @Test("V8 cells keep their object through a batch")
    func objects() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        let cells = view.visibleCells.map(ObjectIdentifier.init)
        try view.performBatchUpdates {
            source.sections = [[4, 0, 1, 2, 3] + Array(5..<100)]
            view.moveItem(at: path(0, 4), to: path(0, 0))
        }
        #expect(view.visibleCells.map(ObjectIdentifier.init) == [cells[4]] + cells[..<4])
        #expect(view.counters.bound == 5)
    }

    @Test("S7 V4 rows inserted and measured above in one frame move nothing visible")
    func anchored() throws {
        let source = TestSource(count: 1_000)
        let view = CollectionView.list(source)
        view.contentOffset = 5_007
        let before = try view.makeFrame().lines
        try view.setMeasuredLength(91, forItemAt: path(0, 17))
        try view.performBatchUpdates {
            source.sections = [Array(5_000..<6_000) + Array(3..<1_000)]
            view.deleteItems(at: (0..<3).map { path(0, $0) })
            view.insertItems(at: (0..<1_000).map { path(0, $0) })
        }
        try view.setMeasuredLength(4, forItemAt: path(0, 18))
        #expect(try view.makeFrame().lines == before)
        #expect(view.counters.bound == 6)
    }

    @Test("V7 moved rows keep their measured lengths")
    func movedLengths() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        try view.setMeasuredLength(50, forItemAt: path(0, 80))
        try view.performBatchUpdates {
            source.sections = [[80] + Array(0..<80) + Array(81..<100)]
            view.moveItem(at: path(0, 80), to: path(0, 0))
        }
        #expect(view.position(of: path(0, 0)) == 0..<50)
        #expect(view.contentSize.height == 99 * 20 + 50)
    }

    @Test("V10 a batch inside a callback is queued, the form that throws refuses it")
    func nested() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        var refused: (any Error)?
        source.whenAsked = { path in
            guard path.item == 3, source.sections[0].count == 100 else { return }
            do { try view.performBatchUpdates {} } catch { refused = error }
            source.sections[0].removeLast()
            view.deleteItems(at: [self.path(0, 99)])
        }
        _ = try view.makeFrame()
        #expect((refused as? CollectionViewError)?.code == .calledFromCallback)
        #expect(view.numberOfItems(inSection: 0) == 99)
    }

    @Test("C9 V13 selection and focus follow their rows through batches, and by identity through reloads")
    func marks() throws {
        let list = ListSource(values: [1, 2, 3, 4, 5])
        final class Associated: TestSource, DataSourceModelAssociation {
            func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
                identity(at: indexPath)
            }
            func indexPathForElement(
                withModelIdentifier identifier: String,
                in view: any RestorableView
            ) -> IndexPath? {
                path(of: identifier)
            }
        }
        let source = Associated([list.items])
        let view = CollectionView.list(source)
        list.reloadBlock = { changes in
            source.sections = [list.items]
            view.performUpdates(withChangeSet: changes)
        }
        try view.layoutIfNeeded()
        try view.selectItem(at: path(0, 1))
        try view.selectItem(at: path(0, 3))
        try view.focusItem(at: path(0, 3))
        try list.setItems([4, 1, 9, 2, 3, 5])
        #expect(view.indexPathsForSelectedItems == [path(0, 0), path(0, 3)])
        #expect(view.focusedIndexPath == path(0, 0))
        #expect(try view.makeFrame().elements.filter(\.isSelected).map(\.content.text.string) == ["4", "2"])
        source.sections = [[5, 4, 3]]
        view.reloadData()
        #expect(view.indexPathsForSelectedItems == [path(0, 1)] && view.focusedIndexPath == path(0, 1))
        #expect(try view.makeFrame().elements.filter(\.isFocused).map(\.content.text.string) == ["4"])
        view.selectAllItems()
        try view.deselectItem(at: path(0, 0))
        #expect(view.indexPathsForSelectedItems == [path(0, 1), path(0, 2)])
        #expect(view.restorableMarks.selectsAllExcept && view.restorableMarks.selection == [path(0, 0)])
        #expect(throws: CollectionViewError.self) { try view.selectItem(at: path(0, 3)) }
    }

    @Test("V9 a batch before the first frame reads the new state; a reload inside a batch replaces it")
    func early() throws {
        let source = TestSource(count: 3)
        let view = CollectionView.list(source)
        try view.performBatchUpdates {
            source.sections = [[7]]
            view.deleteItems(at: [path(0, 0)])
        }
        #expect(try view.makeFrame().lines == ["7 at 0.0"])
        try view.performBatchUpdates {
            source.sections = [[8, 9]]
            view.deleteItems(at: [path(0, 50)])
            view.reloadData()
        }
        #expect(try view.makeFrame().lines == ["8 at 0.0", "9 at 20.0"])
    }

    @Test("U9 a reloaded section may have another number of items, if the batch does not name them")
    func resizedSection() throws {
        let source = TestSource([[0, 1], [10, 11], [20]])
        let view = CollectionView.list(source, height: 500)
        try view.layoutIfNeeded()
        let cell = view.cellForItem(at: path(2, 0))
        try view.performBatchUpdates {
            source.sections = [[0, 2, 1], [12, 13, 14], [20]]
            view.reloadSections([1])
            view.insertItems(at: [path(0, 1)])
        }
        #expect(
            try view.makeFrame().elements.map(\.content.text.string) == [
                "0", "2", "1", "12", "13", "14", "20",
            ]
        )
        #expect(view.cellForItem(at: path(2, 0)) === cell)
        #expect(throws: ChangeSetError.self) {
            try view.performBatchUpdates {
                source.sections = [[0, 2, 1], [12], [20]]
                view.reloadSections([1])
                view.deleteItems(at: [path(1, 0)])
            }
        }
    }
}
