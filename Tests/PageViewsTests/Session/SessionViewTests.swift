import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Testing

@testable import PageViews

@Suite("What a page takes over from its view")
struct SessionViewTests {
    /// A delegate that refuses ranges, and counts those that ended.
    final class Delegate: CollectionViewDelegate {
        var allowsRanges = true
        var ended = 0
        func collectionView(
            _ view: CollectionView,
            shouldBeginMultipleSelectionInteractionAt path: IndexPath
        ) -> Bool { allowsRanges }
        func collectionViewDidEndMultipleSelectionInteraction(_ view: CollectionView) { ended += 1 }
    }

    @Test("PG16 a scroll of the program is animated if it asks for it")
    func animatedScroll() {
        let run = SessionRun(count: 1_000)
        run.view.setContentOffset(60, animated: true)
        run.take()
        #expect(run.page.animatedCount == 1 && run.page.position == 60)
        run.view.setContentOffset(90, animated: false)
        run.take()
        #expect(run.page.animatedCount == 1 && run.page.position == 90)
        run.view.reloadData()
        run.take()
        #expect(run.page.animatedCount == 1)
    }

    @Test("a page shows the background of its view, also behind rows")
    func background() throws {
        let run = SessionRun([[]])
        let label = ReusableView()
        label.content.text = "no rows"
        run.view.backgroundView = label
        run.take()
        #expect(run.page.texts == ["no rows"])
        let number = try #require(run.page.number("no rows"))
        #expect(run.page.elements[number]?["kind"] == "decoration")
        #expect(run.page.elements[number]?["frame"] == [0, 0, 200, 100])
        run.click("no rows")
        run.take()
        #expect(run.page.takeFaults().isEmpty && run.view.focusedIndexPath == nil)
        run.source.sections = [[1]]
        run.view.insertItems(at: [IndexPath(item: 0, section: 0)])
        run.take()
        #expect(run.page.texts == ["no rows", "row 1"])
        run.view.backgroundView = nil
        run.take()
        #expect(run.page.texts == ["row 1"])
    }

    @Test("PG20 keys give the focus to the row that the view remembers")
    func focus() throws {
        let run = SessionRun(count: 1_000)
        run.view.remembersLastFocusedIndexPath = true
        try run.view.focusItem(at: IndexPath(item: 7, section: 0))
        try run.view.focusItem(at: nil)
        run.press("ArrowDown")
        #expect(run.focused == 7)
        run.view.allowsFocus = false
        run.press("ArrowDown")
        #expect(run.focused == 7)
    }

    @Test("PG20 a delegate can refuse to mark ranges")
    func ranges() {
        let run = SessionRun(count: 1_000)
        let delegate = Delegate()
        run.view.delegate = delegate
        run.click("row 1")
        run.click("row 3", "s")
        #expect(run.marked == [1, 2, 3] && delegate.ended == 1)
        delegate.allowsRanges = false
        run.click("row 5", "s")
        #expect(run.marked == [1, 2, 3] && run.focused == 5 && delegate.ended == 1)
    }
}
