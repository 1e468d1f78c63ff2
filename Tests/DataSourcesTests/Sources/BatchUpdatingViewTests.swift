import DataSources
import Foundation
import Testing

/// A view that records its calls; its batch ends when the test says so.
private final class RecordingView: BatchUpdatingView {
    private(set) var calls: [String] = []
    private(set) var completion: ((Bool) -> Void)?

    func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) {
        calls.append("begin")
        updates?()
        calls.append("end")
        self.completion = completion
    }

    func reloadData() { calls.append("reloadData") }
    func insertSections(_ sections: IndexSet) { calls.append("insert sections \(Array(sections))") }
    func deleteSections(_ sections: IndexSet) { calls.append("delete sections \(Array(sections))") }
    func reloadSections(_ sections: IndexSet) { calls.append("reload sections \(Array(sections))") }
    func moveSection(_ section: Int, toSection newSection: Int) {
        calls.append("move section \(section) to \(newSection)")
    }
    func insertItems(at indexPaths: [IndexPath]) { calls.append("insert \(indexPaths.map(Array.init))") }
    func deleteItems(at indexPaths: [IndexPath]) { calls.append("delete \(indexPaths.map(Array.init))") }
    func reloadItems(at indexPaths: [IndexPath]) { calls.append("reload \(indexPaths.map(Array.init))") }
    func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
        calls.append("move \(Array(indexPath)) to \(Array(newIndexPath))")
    }
}

@Suite struct BatchUpdatingViewTests {
    private let view = RecordingView()

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    @Test("D19 changes reach a view as one batch in the order of the list")
    func batch() {
        view.performUpdates(
            withChangeSet: .some([
                .item(type: .update(path(0, 3))), .section(type: .insert(path(2, 0))),
                .item(type: .delete(path(1, 1))), .section(type: .delete(path(0, 0))),
                .item(type: .insert(path(2, 0))), .section(type: .move(path(1, 0), path(0, 0))),
                .section(type: .update(path(3, 0))), .object(type: .insert(path(2, 1))),
            ])
        )
        #expect(
            view.calls == [
                "begin", "reload [[0, 3]]", "insert sections [2]", "delete [[1, 1]]", "delete sections [0]",
                "insert [[2, 0]]", "move section 1 to 0", "reload sections [3]", "insert [[2, 1]]", "end",
            ]
        )
    }

    @Test("D19 the completion is called once, when the view's batch has ended, with the view's result")
    func completion() {
        var ended: [Bool] = []
        view.performUpdates(withChangeSet: .some([.item(type: .insert(path(0, 0)))])) { ended.append($0) }
        #expect(ended.isEmpty)
        view.completion?(false)
        view.completion?(true)
        #expect(ended == [false])
    }

    @Test("D19 `all` reloads everything and completes immediately")
    func all() {
        var ended: [Bool] = []
        view.performUpdates(withChangeSet: .all) { ended.append($0) }
        #expect(view.calls == ["reloadData"])
        #expect(ended == [true])
        #expect(view.completion == nil)
    }

    @Test("D19 an empty list is a batch too, whose end is reported")
    func empty() {
        var ended: [Bool] = []
        view.performUpdates(withChangeSet: .some([])) { ended.append($0) }
        view.completion?(true)
        #expect(view.calls == ["begin", "end"])
        #expect(ended == [true])
    }

    @Test("D20 a moved item is redrawn at its new path after the batch; the shipped helper left it stale")
    func moved() {
        view.performUpdates(
            withChangeSet: .some([
                .item(type: .move(path(0, 4), path(1, 0))), .item(type: .insert(path(0, 0))),
                .item(type: .update(path(0, 4))), .item(type: .update(path(0, 5))),
                .item(type: .move(path(2, 0), path(0, 1))),
            ])
        )
        #expect(
            view.calls == [
                "begin", "move [0, 4] to [1, 0]", "insert [[0, 0]]", "reload [[0, 5]]",
                "move [2, 0] to [0, 1]", "end", "reload [[1, 0], [0, 1]]",
            ]
        )
    }
}
