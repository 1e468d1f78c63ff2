import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Changes by callbacks")
struct CallbackTests {
    private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

    @Test(
        "V10 two batches of one pass are both applied, in the order of their calls",
        arguments: [false, true]
    )
    func twoBatches(_ fromDelegate: Bool) throws {
        let source = TestSource(count: 100)
        let delegate = TestDelegate()
        let view = CollectionView.list(source)
        view.delegate = delegate
        var pending: Set<Int> = [1, 3]
        let change = { (path: IndexPath) in
            guard pending.remove(path.item) != nil else { return }
            source.sections[0].removeLast()
            view.deleteItems(at: [self.path(source.sections[0].count)])
        }
        if fromDelegate { delegate.whenDisplayed = change } else { source.whenAsked = change }
        let cells = try view.makeFrame().elements.map(\.viewNumber)
        #expect(view.numberOfItems(inSection: 0) == 98)
        #expect(view.counters.bound <= 10 && cells.count == 5)
        try view.performBatchUpdates {
            source.sections[0].removeLast()
            view.deleteItems(at: [path(97)])
        }
        #expect(view.numberOfItems(inSection: 0) == 97)
    }

    @Test(
        "V10 C7 cells that are requested after a change in a callback, and before it is applied, are requested again"
    )
    func stale() throws {
        let source = TestSource(count: 100)
        source.length = { Double($0 + 10) }
        let view = CollectionView.list(source)
        source.whenNextAsked {
            source.sections[0].swapAt(1, 2)
            view.moveItem(at: self.path(1), to: self.path(2))
        }
        let frame = try view.makeFrame()
        #expect(frame.elements.prefix(4).map(\.content.text.string) == ["0", "2", "1", "3"])
        #expect(frame.elements.prefix(4).map(\.attributes.frame.size.height) == [10, 12, 11, 13])
    }

    @Test("V10 batches that change the source when they are applied follow each other too")
    func lateChanges() throws {
        let source = TestSource([[0, 1, 2, 3], [10, 11]])
        let view = CollectionView.list(source)
        var isFirst = true
        var completions: [Int] = []
        source.whenAsked = { _ in
            guard isFirst else { return }
            isFirst = false
            for number in 0..<3 {
                view.performBatchUpdates(
                    {
                        source.sections[0] = [20 + number]
                        view.deleteSections([0])
                        view.insertSections([0])
                    },
                    completion: { if $0 { completions.append(number) } }
                )
            }
        }
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["22", "10", "11"])
        #expect(completions == [0, 1, 2])
    }

    @Test("V10 U6 a view whose queued batch was rejected reads the data source again")
    func rejected() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        source.whenNextAsked {
            source.sections[0].removeLast(2)
            view.deleteItems(at: [self.path(99)])
        }
        _ = try view.makeFrame()
        #expect(view.numberOfItems(inSection: 0) == 98)
    }

    @Test("V10 U6 a bound view whose batch was rejected reads the source again")
    func bound() throws {
        let list = ListSource<Int, Int>(values: Array(0..<10))
        let view = CollectionView.list(TestSource(count: 1))
        let binding = SourceBinding(view, to: list) { view, path, number in
            let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
            cell.content.text = StyledText("\(number)")
            return cell
        }
        _ = try view.makeFrame()
        // Both change sets are recorded as changes of one state.
        #expect(throws: ChangeSetError.self) {
            try view.performBatchUpdates {
                try list.setItems([100] + (0..<10))
                try list.setItems([100] + (0..<9))
            }
        }
        #expect(try view.makeFrame().lines.first == "100 at 0.0" && view.numberOfItems(inSection: 0) == 10)
        _ = binding
    }

    @Test("V10 a frame contains the reload and the offset that callbacks of its pass have set")
    func frames() throws {
        let source = TestSource(count: 100)
        let delegate = TestDelegate()
        let view = CollectionView.list(source)
        view.delegate = delegate
        source.whenAsked = { path in
            guard path.item == 2, source.sections[0][0] == 0 else { return }
            source.sections = [Array(500..<600)]
            view.reloadData()
        }
        #expect(try view.makeFrame().lines.first == "500 at 0.0")
        delegate.whenDisplayed = { if $0.item == 6 { view.contentOffset = 500 } }
        view.contentOffset = 60
        let frame = try view.makeFrame()
        #expect(frame.bounds.minY == 500 && frame.lines.first == "525 at 0.0")
        #expect(delegate.faults.isEmpty)
    }

    @Test("V10 callbacks that change the view in every pass give an error", arguments: 0..<3)
    func endless(_ kind: Int) throws {
        final class Rejecting: CollectionViewDelegate {
            var rejections = 0
            func collectionView(_ collectionView: CollectionView, didRejectUpdates error: any Error) {
                rejections += 1
                collectionView.deleteItems(at: [IndexPath(item: 7_000, section: 0)])
            }
        }
        let source = TestSource(count: 100)
        let delegate = TestDelegate()
        let rejecting = Rejecting()
        let view = CollectionView.list(source)
        view.delegate = delegate
        switch kind {
        case 0: delegate.whenDisplayed = { view.reloadItems(at: [$0]) }
        case 1: source.whenAsked = { _ in view.reloadData() }
        default:
            view.delegate = rejecting
            source.whenAsked = { _ in view.deleteItems(at: [self.path(7_000)]) }
        }
        let error = #expect(throws: CollectionViewError.self) { try view.makeFrame() }
        #expect(error?.code == .layoutDoesNotSettle)
        delegate.whenDisplayed = { _ in }
        source.whenAsked = { _ in }
        view.delegate = delegate
        #expect(try view.makeFrame().lines.count == 5)
    }

    @Test("V10 an update of a pass comes after the updates that were queued before it")
    func order() throws {
        let source = TestSource(count: 100)
        let delegate = TestDelegate()
        let view = CollectionView.list(source)
        view.delegate = delegate
        var applied: [String] = []
        delegate.whenDisplayed = { path in
            switch path.item {
            case 0 where applied.isEmpty:
                view.performBatchUpdates(
                    { view.reloadItems(at: [self.path(3)]) },
                    completion: { _ in applied.append("u1") }
                )
                view.performBatchUpdates(
                    { applied.append("u2 begins") },
                    completion: { _ in applied.append("u2") }
                )
            case 3 where !applied.isEmpty && !applied.contains("u3 begins"):
                view.performBatchUpdates(
                    { applied.append("u3 begins") },
                    completion: { _ in applied.append("u3") }
                )
            default: break
            }
        }
        _ = try view.makeFrame()
        #expect(applied == ["u2 begins", "u3 begins", "u1", "u2", "u3"])
    }

    @Test("V6 V10 a scroll to an item that a callback requests is in the frame")
    func scroll() throws {
        let source = TestSource(count: 100)
        let view = CollectionView.list(source)
        source.whenNextAsked {
            try? view.scrollToItem(at: self.path(50), at: .start)
        }
        #expect(try view.makeFrame().lines.first == "50 at 0.0")
    }

    @Test("V10 a data source that a callback sets is asked for its own items only")
    func newSource() throws {
        let source = TestSource(count: 100)
        let other = TestSource([[7]])
        let view = CollectionView.list(source)
        source.whenAsked = { path in if path.item == 2 { view.dataSource = other } }
        #expect(try view.makeFrame().lines == ["7 at 0.0"])
        #expect(other.requests == [path(0)])
        #expect(source.requests.count == 5)
    }

    @Test("U10 V10 changes of moved items inside a batch name their old paths")
    func moved() throws {
        let source = TestSource(count: 5)
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        source.title = { $0 == 4 ? "four" : "\($0)" }
        try view.performBatchUpdates {
            source.sections = [[4, 1, 2, 3]]
            view.deleteItems(at: [path(0)])
            view.performUpdates(withChangeSet: .some([.item(type: .move(path(4), path(0)))]))
        }
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["four", "1", "2", "3"])
        #expect(view.counters.bound == 6)
    }

    @Test("V9 a nested block that throws calls the completions that were recorded inside it")
    func completions() throws {
        let source = TestSource(count: 5)
        let view = CollectionView.list(source)
        var completions: [Bool] = []
        try view.performBatchUpdates {
            try? view.performBatchUpdates {
                view.performBatchUpdates({}, completion: { completions.append($0) })
                throw SourceFault(path: path(0))
            }
            #expect(completions == [false])
        }
        #expect(completions == [false])
    }

    @Test("V10 updates of callbacks that no layout pass calls are applied when the callback has returned")
    func idle() throws {
        final class Moving: TestSource {
            var whenAskedToMove: () -> Void = {}
            override func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath)
                -> Bool
            {
                whenAskedToMove()
                return false
            }
        }
        let source = Moving(count: 100)
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        source.whenAskedToMove = {
            source.sections[0].removeLast()
            view.deleteItems(at: [self.path(99)])
        }
        #expect(try !view.beginInteractiveMovementForItem(at: path(0)))
        #expect(view.numberOfItems(inSection: 0) == 99)
    }
}
