import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Testing

@testable import PageViews

@Suite("Updates of a page")
struct SessionUpdateTests {
    @Test("PG4 PG24 a page that takes nothing costs nothing, and is right after one update")
    func slowReader() throws {
        let run = SessionRun(count: 1_000)
        let bound = run.view.counters.bound
        for number in 0..<10_000 {
            try run.view.performBatchUpdates {
                run.source.sections[0].insert(10_000 + number, at: 0)
                run.view.insertItems(at: [IndexPath(item: 0, section: 0)])
            }
        }
        run.page.apply(try #require(run.session.makeUpdate()))
        #expect(run.session.makeUpdate() == nil)
        #expect(run.page.texts.first == "row 19999")
        #expect(run.page.info["rowCount"] == 11_000)
        #expect(run.page.announcements == ["10000 rows added"])
        #expect(run.page.takeFaults().isEmpty)
        // One pass a batch, because the view applies each; but no update.
        #expect(run.session.sent.sequence == 2)
        #expect(run.view.counters.bound - bound < 20_000)
    }

    @Test("PG19 changes are announced merged, at most one in two seconds")
    func announcements() throws {
        let run = SessionRun(count: 100)
        func insert(_ number: Int) throws {
            try run.view.performBatchUpdates {
                run.source.sections[0].insert(number, at: 0)
                run.view.insertItems(at: [IndexPath(item: 0, section: 0)])
            }
            run.take()
        }
        try insert(1_000)
        #expect(run.page.announcements == ["1 row added"])
        try insert(1_001)
        try insert(1_002)
        #expect(run.page.announcements.count == 1)
        #expect(run.session.update(at: run.clock.now) == run.clock.now + .seconds(2))
        run.clock.advance(by: .seconds(2))
        run.take()
        #expect(run.page.announcements == ["1 row added", "2 rows added"])
    }

    @Test("V11 PG14 a small scroll sends only the new rows")
    func smallScroll() throws {
        let run = SessionRun(count: 1_000)
        run.scroll(to: 1_000)
        run.take()
        run.scroll(to: 1_020)
        let update = try #require(run.session.makeUpdate())
        #expect(update["elements"].array.count == 1)
        #expect(update["animated"] == .undefined)
        #expect(update["info"] == .undefined)
    }

    @Test("marks of changes and titles are sent when only they have changed")
    func looks() throws {
        let run = SessionRun(count: 1_000)
        run.content.marks[3] = .updated
        run.content.title = "other"
        run.content.changeHandler?()
        let update = try #require(run.session.makeUpdate())
        #expect(update["elements"].array.map { $0["mark"] } == ["updated"])
        #expect(update["info"]["title"] == "other")
        run.content.marks = [:]
        run.content.changeHandler?()
        #expect(run.session.makeUpdate()?["elements"].array.count == 1)
    }

    @Test("PG2 text crosses as strings with styles")
    func text() throws {
        let run = SessionRun(count: 3)
        let cell = try #require(run.view.cellForItem(at: IndexPath(item: 0, section: 0)))
        cell.content.text = StyledText(spans: [.init("<img onerror=x>"), .init("b", style: .match)])
        cell.content.columns = ["a", StyledText("c", style: .failure)]
        cell.content.accessories = [.disclosureIndicator, .outlineDisclosure(isExpanded: true), .label("9")]
        cell.content.indentationLevel = 1
        run.view.setNeedsLayout()
        run.take()
        let element = try #require(run.page.elements[run.page.order[0]])
        #expect(element["text"] == [["<img onerror=x>", "plain"], ["b", "match"]])
        #expect(element["columns"] == [[["a", "plain"]], [["c", "failure"]]])
        #expect(element["accessories"] == [["disclosure"], ["outline", true], ["label", "9"]])
        #expect(element["level"] == 2 && element["expanded"] == true)
    }

    @Test("an error of the data source is a message, and the next frame has the rows")
    func fault() {
        final class Failing: CollectionViewDataSource {
            var fails = true
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 3 }
            func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) throws -> Cell {
                let cell = try view.dequeueReusableCell(withReuseIdentifier: "number", for: path)
                if fails { throw PageInputError("the disk is gone") }
                return cell
            }
        }
        let source = Failing()
        let view = SessionRun.makeView(headers: false)
        view.dataSource = source
        let clock = TestClock()
        let session = PageSession(view: view, content: TitledContent(title: "t"), clock: clock)
        let update = session.makeUpdate()
        #expect(update?["message"] == "the rows cannot be shown: the disk is gone")
        #expect(update?["info"]["title"] == "t")
        #expect(session.makeUpdate() == nil)
        clock.advance(by: .seconds(1))
        _ = session.update(at: clock.now)
        #expect(session.makeUpdate() == nil, "the same error is not repeated")
        source.fails = false
        clock.advance(by: .seconds(1))
        _ = session.update(at: clock.now)
        #expect(session.makeUpdate()?["elements"].array.count == 3)
    }

    @Test("V12 two pages of one data source have their own offset and focus, and their marks in common")
    func peers() {
        let first = SessionRun(count: 1_000)
        let view = CollectionView(
            sharing: first.view,
            frame: Rect(x: 0, y: 0, width: 200, height: 100),
            collectionViewLayout: ListLayout(
                (first.view.collectionViewLayout as? ListLayout)?.configuration ?? ListConfiguration()
            )
        )
        let second = PageSession(view: view, content: NumberContent(first.source), clock: first.clock)
        var page = PageDouble()
        if let update = second.makeUpdate() { page.apply(update) }
        var requests = 0
        second.updateHandler = { requests += 1 }
        first.scroll(to: 5_000)
        first.press("G")
        first.press(" ")
        first.take()
        #expect(requests > 0)
        #expect(view.contentOffset == 0 && view.focusedIndexPath == nil)
        second.apply([.select(.all)])
        first.take()
        #expect(first.page.info["selectedCount"] == 1_000)
    }
}
