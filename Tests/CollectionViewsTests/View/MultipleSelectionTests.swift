import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Selections of neighbouring items")
struct MultipleSelectionTests {
    final class Delegate: CollectionViewDelegate {
        // A view does not retain its data source.
        var source: TestSource?
        var events: [String] = []
        var refused: Set<String> = []

        private func ask(_ what: String, _ path: IndexPath) -> Bool {
            !refused.contains("\(what) \(path.section).\(path.item)")
        }
        func collectionView(
            _ view: CollectionView,
            shouldBeginMultipleSelectionInteractionAt path: IndexPath
        ) -> Bool { ask("begin", path) }
        func collectionView(
            _ view: CollectionView,
            didBeginMultipleSelectionInteractionAt path: IndexPath
        ) { events.append("begin \(path.section).\(path.item)") }
        func collectionViewDidEndMultipleSelectionInteraction(_ view: CollectionView) { events.append("end") }
        func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
            ask("select", path)
        }
        func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) {
            events.append("+\(path.section).\(path.item)")
        }
        func collectionView(_ view: CollectionView, didDeselectItemAt path: IndexPath) {
            events.append("-\(path.section).\(path.item)")
        }
        func take() -> [String] {
            defer { events = [] }
            return events
        }
    }

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    private func make() throws -> (TestSource, CollectionView, Delegate) {
        let source = TestSource([Array(0..<5), [], Array(10..<15)])
        let view = CollectionView.list(source, height: 300)
        let delegate = Delegate()
        view.delegate = delegate
        delegate.source = source
        view.allowsMultipleSelection = true
        try view.layoutIfNeeded()
        return (source, view, delegate)
    }

    @Test(
        "a delegate that changes the data ends the selection there, and marks keep the rows that they were made for"
    )
    func changingDelegate() throws {
        final class Remover: CollectionViewDelegate {
            var remove: () -> Void = {}
            var asked: [Int] = []
            func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
                asked.append(path.item)
                return true
            }
            func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) {
                if path.item == 2 { remove() }
            }
        }
        let (source, view, _) = try make()
        let delegate = Remover()
        view.delegate = delegate
        delegate.remove = { [unowned view] in
            source.sections[0].removeFirst()
            view.deleteItems(at: [IndexPath(item: 0, section: 0)])
        }
        #expect(try view.beginMultipleSelectionInteraction(at: path(0, 1)))
        try view.updateMultipleSelectionInteraction(to: path(0, 4))
        view.endMultipleSelectionInteraction()
        #expect(delegate.asked == [1, 2])
        #expect(view.indexPathsForSelectedItems == [path(0, 0), path(0, 1)])
    }

    @Test("the items between are selected, over sections, and those that are left again are deselected")
    func range() throws {
        let (_, view, delegate) = try make()
        try view.selectItem(at: path(2, 0))
        delegate.refused = ["select 0.4"]
        #expect(try view.beginMultipleSelectionInteraction(at: path(0, 3)))
        #expect(view.isPerformingMultipleSelectionInteraction)
        try view.updateMultipleSelectionInteraction(to: path(2, 1))
        #expect(delegate.take() == ["begin 0.3", "+0.3", "+2.1"])
        try view.updateMultipleSelectionInteraction(to: path(0, 2))
        #expect(delegate.take() == ["-2.1", "+0.2"])
        view.endMultipleSelectionInteraction()
        view.endMultipleSelectionInteraction()
        #expect(delegate.take() == ["end"] && !view.isPerformingMultipleSelectionInteraction)
        // The item that was selected before stays so.
        #expect(view.indexPathsForSelectedItems == [path(0, 2), path(0, 3), path(2, 0)])
        try view.updateMultipleSelectionInteraction(to: path(2, 4))
        #expect(delegate.take().isEmpty)
    }

    @Test("no interaction begins where one item may be selected, or the delegate refuses it")
    func refusals() throws {
        let (_, view, delegate) = try make()
        delegate.refused = ["begin 0.1"]
        #expect(try !view.beginMultipleSelectionInteraction(at: path(0, 1)))
        view.allowsMultipleSelection = false
        #expect(try !view.beginMultipleSelectionInteraction(at: path(0, 2)))
        #expect(delegate.take().isEmpty)
        #expect(throws: CollectionViewError.self) {
            try view.beginMultipleSelectionInteraction(at: path(1, 0))
        }
    }

    @Test("an interaction follows its items through batches, and ends when its first item is gone")
    func batches() throws {
        let (source, view, delegate) = try make()
        #expect(try view.beginMultipleSelectionInteraction(at: path(0, 3)))
        try view.updateMultipleSelectionInteraction(to: path(0, 4))
        try view.performBatchUpdates {
            source.sections[0].removeFirst()
            view.deleteItems(at: [path(0, 0)])
        }
        _ = delegate.take()
        try view.updateMultipleSelectionInteraction(to: path(0, 1))
        #expect(delegate.take() == ["-0.3", "+0.1"])
        try view.performBatchUpdates {
            source.sections[0].remove(at: 2)
            view.deleteItems(at: [path(0, 2)])
        }
        #expect(!view.isPerformingMultipleSelectionInteraction)
    }
}
