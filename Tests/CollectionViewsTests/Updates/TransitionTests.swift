import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("The order of a batch")
struct TransitionTests {
    final class Log {
        var events: [String] = []
    }

    /// A list whose rows slide in from the left and out to the right, and that records what it is asked.
    final class Sliding: CollectionLayout {
        let list = ListLayout()
        let log: Log
        init(_ log: Log) { self.log = log }

        private var count: Int { host?.numberOfItems(inSection: 0) ?? 0 }
        override var collectionViewContentSize: Size { Size(width: 80, height: Double(count * 20)) }
        override func prepare() throws { log.events.append("prepare") }
        override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
            (0..<count).compactMap { layoutAttributesForItem(at: IndexPath(item: $0, section: 0)) }
        }
        override func layoutAttributesForItem(at path: IndexPath) -> LayoutAttributes? {
            LayoutAttributes(
                forCellWith: path,
                frame: Rect(x: 0, y: Double(path.item * 20), width: 80, height: 20)
            )
        }
        override func applyUpdates(_ updates: LayoutUpdates) -> Bool {
            log.events.append("edit")
            return true
        }
        override func prepare(forCollectionViewUpdates updates: LayoutUpdates) {
            log.events.append("updates")
        }
        override func finalizeCollectionViewUpdates() { log.events.append("finalize") }
        override func initialLayoutAttributesForAppearingItem(at path: IndexPath) -> LayoutAttributes? {
            log.events.append("initial \(path.item)")
            var attributes = layoutAttributesForItem(at: path)
            attributes?.frame.origin.x = -80
            return attributes
        }
        override func finalLayoutAttributesForDisappearingItem(at path: IndexPath) -> LayoutAttributes? {
            log.events.append("final \(path.item)")
            var attributes = layoutAttributesForItem(at: path)
            attributes?.frame.origin.x = 80
            return attributes
        }
    }

    final class Delegate: CollectionViewDelegate {
        let log: Log
        init(_ log: Log) { self.log = log }
        func collectionView(_ view: CollectionView, willDisplay cell: Cell, forItemAt path: IndexPath) {
            log.events.append("display \(path.item)")
        }
        func collectionView(_ view: CollectionView, didEndDisplaying cell: Cell, forItemAt path: IndexPath) {
            log.events.append("end \(path.item)")
        }
    }

    final class Source: TestSource {
        let log: Log
        init(_ log: Log) {
            self.log = log
            super.init([[0, 1, 2]])
        }
        override func numberOfSections(in view: CollectionView) -> Int {
            log.events.append("count")
            return super.numberOfSections(in: view)
        }
    }

    @Test(
        "V9 C2 a batch has one order of layout, data source and delegate, and its ends of animations are data"
    )
    func order() throws {
        let log = Log()
        let source = Source(log)
        let delegate = Delegate(log)
        let view = CollectionView.list(source)
        view.delegate = delegate
        view.setCollectionViewLayout(Sliding(log))
        let before = try view.makeFrame()
        #expect(before.transitions == ViewTransitions())
        let gone = try #require(before.elements.first { $0.content.text.string == "1" })
        log.events = []
        view.performBatchUpdates(
            {
                log.events.append("block")
                source.sections = [[0, 2, 7]]
                view.deleteItems(at: [IndexPath(item: 1, section: 0)])
                view.insertItems(at: [IndexPath(item: 2, section: 0)])
            },
            completion: { log.events.append("completion \($0)") }
        )
        #expect(
            log.events == [
                "block", "count", "edit", "updates", "final 1", "end 1", "initial 2", "display 2", "finalize",
                "completion true",
            ]
        )
        let after = try view.makeFrame()
        let come = try #require(after.elements.first { $0.content.text.string == "7" })
        #expect(after.transitions.final[gone.viewNumber]?.frame.minX == 80)
        #expect(after.transitions.initial[come.viewNumber]?.frame.minX == -80)
        #expect(after.transitions.initial.count == 1 && after.transitions.final.count == 1)
        // A scroll makes no transitions, and frames are equal without them.
        view.setNeedsLayout()
        let later = try view.makeFrame()
        #expect(later.transitions == ViewTransitions() && later == after)
    }

    @Test("V9 a pass that fails finalizes the updates when it succeeds, and the next batch before it begins")
    func failing() throws {
        let log = Log()
        let source = Source(log)
        let view = CollectionView.list(source)
        view.setCollectionViewLayout(Sliding(log))
        try view.layoutIfNeeded()
        source.failing = [IndexPath(item: 0, section: 0)]
        for _ in 0..<2 {
            try view.performBatchUpdates {
                source.sections[0].insert(9, at: 0)
                view.insertItems(at: [IndexPath(item: 0, section: 0)])
            }
        }
        #expect(throws: SourceFault.self) { try view.makeFrame() }
        #expect(
            log.events.filter { $0 == "updates" }.count == 2
                && log.events.filter { $0 == "finalize" }.count == 1
        )
        source.failing = []
        _ = try view.makeFrame()
        #expect(log.events.filter { $0 == "finalize" }.count == 2)
    }
}
