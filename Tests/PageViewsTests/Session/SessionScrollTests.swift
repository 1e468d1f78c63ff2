import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Testing

@testable import PageViews

@Suite("The position of a page")
struct SessionScrollTests {
    @Test("V5 PG4 a scroll of the user is not sent back, and an update without news is none")
    func userScroll() {
        let run = SessionRun(count: 1_000)
        run.scroll(to: 45)
        let update = run.session.makeUpdate()
        #expect(update?["content"]["adjustment"].number ?? 0 == 0)
        #expect(run.view.contentOffset == 45)
        if let update { run.page.apply(update) }
        #expect(run.session.makeUpdate() == nil)
    }

    @Test("PG15 the page has the insets of the content, and its end is the end of the inset")
    func insets() throws {
        let run = SessionRun(count: 100)
        run.view.contentInset = EdgeInsets(top: 10, bottom: 30)
        let update = try #require(run.session.makeUpdate())
        #expect(update["content"]["inset"] == [10, 30])
        #expect(update["content"]["offset"].number == -10)
        run.page.apply(update)
        #expect(run.page.distance("row 0") == 10)
        let end = run.view.contentSize.height + 30 - run.view.frame.size.height
        run.scroll(to: end)
        run.take()
        #expect(run.view.contentOffset == end && run.page.position == end)
        run.scroll(to: end - 5)
        run.take()
        #expect(run.view.contentOffset == end - 5)
        run.view.contentInset = .zero
        #expect(try #require(run.session.makeUpdate())["content"]["inset"] == .undefined)
    }

    @Test("PG10 the page has the visible window and one screen beyond both edges")
    func window() {
        let run = SessionRun(count: 1_000_000)
        run.scroll(to: 10_000)
        run.take()
        #expect(run.page.texts == (495..<510).map { "row \($0)" })
    }

    @Test("V4 PG15 rows inserted above move nothing on the screen, also while the user scrolls on")
    func insertedAbove() throws {
        let run = SessionRun(count: 1_000)
        run.scroll(to: 2_000)
        run.take()
        #expect(run.page.distance("row 100") == 0)
        try run.view.performBatchUpdates {
            run.source.sections[0].insert(contentsOf: 5_000..<6_000, at: 0)
            run.view.insertItems(at: (0..<1_000).map { IndexPath(item: $0, section: 0) })
        }
        let update = try #require(run.session.makeUpdate())
        // The page has not applied the update when the user scrolls on.
        run.scroll(to: 2_030)
        #expect(run.view.contentOffset == 22_030)
        run.page.apply(update)
        run.take()
        #expect(run.page.distance("row 100") == -30)
        #expect(run.page.position == 22_030)
        #expect(run.page.elements[run.page.number("row 100") ?? 0]?["row"] == 1_101)
        #expect(run.page.animatedCount == 1)
    }

    @Test("V4 PG15 a scroll that arrives between a batch and its update is not lost, nor is the batch")
    func scrolledBeforeUpdate() throws {
        let run = SessionRun(count: 1_000)
        run.scroll(to: 2_000)
        run.take()
        for step in 1...3 {
            try run.view.performBatchUpdates {
                run.source.sections[0].insert(contentsOf: (step * 5_000)..<(step * 5_000 + 10), at: 0)
                run.view.insertItems(at: (0..<10).map { IndexPath(item: $0, section: 0) })
            }
            run.scroll(to: run.page.position + 5)
            run.scroll(to: run.page.position + 5)
            run.take()
            #expect(run.page.distance("row 100") == Double(-10 * step))
            #expect(run.page.position == Double(2_000 + 210 * step))
        }
    }

    @Test("PG15 a user who scrolls away from the end while rows arrive there leaves the end")
    func leavesEnd() throws {
        let run = SessionRun(count: 1_000)
        run.view.scrollAnchoring.mode = .end
        run.scroll(to: 19_900)
        run.take()
        try run.view.performBatchUpdates {
            run.source.sections[0].append(5_000)
            run.view.insertItems(at: [IndexPath(item: 1_000, section: 0)])
        }
        run.scroll(to: 19_860)
        run.take()
        // The page followed the end by the new row, and the user went 40 px away from there.
        #expect(run.page.position == 19_880)
        #expect(run.page.distance("row 5000") == 120)
    }

    @Test(
        "PG17 the row that got the focus by a key stays visible when rows turn out longer, until the user scrolls"
    )
    func measuredAroundFocus() throws {
        let run = SessionRun(count: 1_000)
        run.press("End")
        run.take()
        #expect(run.page.distance("row 999") == 80)
        let lengths = run.page.elements.keys.sorted().map { Value.array([.integer(Int64($0)), 50]) }
        run.send(["measure", .array(lengths)])
        run.take()
        #expect(run.page.distance("row 999") == 50)
        run.scroll(to: run.page.position - 300)
        run.take()
        let position = run.page.position
        run.send(["measure", .array(run.page.elements.keys.sorted().map { [.integer(Int64($0)), 60] })])
        run.take()
        #expect(run.page.distance("row 999") ?? 0 > 100)
        #expect(run.page.position >= position)
    }

    @Test("V4 PG17 measured lengths above the window are an adjustment")
    func measuredAbove() throws {
        let run = SessionRun(count: 1_000)
        run.scroll(to: 2_000)
        run.take()
        let above = try #require(run.page.number("row 97"))
        run.send(["measure", [[.integer(Int64(above)), 70]]])
        let update = try #require(run.session.makeUpdate())
        #expect(update["content"]["adjustment"].number == 50)
        run.page.apply(update)
        #expect(run.page.distance("row 100") == 0)
        #expect(run.page.length == 20_050)
    }

    @Test("V4 10,000 wrongly estimated rows are scrolled up: the rows move as the user scrolls")
    func scrollUp() {
        let run = SessionRun(count: 10_000)
        run.scroll(to: 150_000)
        run.take()
        var moved = 0.0
        for step in 0..<300 {
            let texts = run.page.texts
            let watched = texts[texts.count / 2]
            let before = run.page.distance(watched) ?? 0
            run.scroll(to: run.page.position - 35)
            run.take()
            // Rows that have come into the window are measured, differently for each row.
            let lengths = run.page.order.map { number -> Value in
                .array([.integer(Int64(number)), .integer(Int64(10 + (number * 7 + step) % 40))])
            }
            if step % 3 == 0 { run.send(["measure", .array(lengths)]) }
            run.take()
            if step % 3 != 0, let after = run.page.distance(watched) {
                moved = max(moved, abs(after - before - 35))
            }
        }
        #expect(moved == 0)
    }

    @Test("V5 scrolls beyond the content lead to its end, and the page learns it")
    func beyond() {
        let run = SessionRun(count: 100)
        run.scroll(to: 1e9)
        run.take()
        #expect(run.page.position == 1_900)
        run.scroll(to: -400)
        run.take()
        #expect(run.page.position == 0)
    }

    @Test("PG18 the row with the focus is an element also when it is scrolled away")
    func keptFocus() throws {
        let run = SessionRun(count: 100_000)
        run.press("ArrowDown")
        run.take()
        run.scroll(to: 1_000_000)
        run.take()
        let active = try #require(run.page.active)
        #expect(run.page.elements[active]?["text"][0][0] == "row 0")
        #expect(run.page.elements[active]?["frame"][1] == 0)
        #expect(run.page.elements.count == 16)
        run.press("ArrowDown")
        run.take()
        #expect(run.page.position == 20)
        #expect(run.focused == 1)
    }

    @Test("V17 a fling prefetches only where it ends")
    func fling() {
        final class Prefetcher: CollectionViewDataSourcePrefetching {
            var items: [Int] = []
            func collectionView(_ view: CollectionView, prefetchItemsAt paths: [IndexPath]) {
                items += paths.map(\.item)
            }
        }
        let prefetcher = Prefetcher()
        let run = SessionRun(count: 100_000)
        run.view.prefetchDataSource = prefetcher
        run.take()
        prefetcher.items = []
        for step in 1...5 {
            run.page.position = Double(step) * 5_000
            run.send(["scroll", .number(run.page.position), 20_000])
            run.take()
        }
        #expect(prefetcher.items.isEmpty)
        run.clock.advance(by: .milliseconds(60))
        run.take()
        #expect(!prefetcher.items.isEmpty)
        #expect(prefetcher.items.allSatisfy { $0 > 1_200 && $0 < 1_300 })
    }

    @Test("PG15 the first scroll has the adjustments that the page had not applied, too")
    func firstScroll() {
        var scroll = PageScroll()
        scroll.sent(1, adjustment: 0, length: 1_000)
        scroll.sent(2, adjustment: 100, length: 1_000)
        scroll.sent(3, adjustment: 20, length: 1_000)
        scroll.seen(2)
        #expect(scroll.scrolled(to: 130) == 150)
        // A page that says nothing has applied everything.
        var silent = PageScroll()
        silent.sent(1, adjustment: 100, length: 1_000)
        #expect(silent.scrolled(to: 130) == 130)
    }

    @Test("PG12 PG17 a thumb moved to the end while the first rows are being measured arrives at the end")
    func thumbRace() throws {
        let run = SessionRun(count: 1_000)
        let lengths = run.page.order.prefix(5).map { Value.array([.integer(Int64($0)), 50]) }
        run.send(["measure", .array(lengths)])
        // The page does not have the update with the longer content yet, and is at the end of what it knows.
        run.scroll(to: 19_900)
        run.take()
        #expect(run.page.length == 20_150)
        #expect(run.page.position == 20_050)
        #expect(run.page.distance("row 999") == 80)
        // The last rows are measured too, and the page stays at their end.
        let last = run.page.order.suffix(5).map { Value.array([.integer(Int64($0)), 40]) }
        run.send(["measure", .array(last)])
        run.take()
        #expect(run.page.position == run.page.length - 100)
        #expect(run.page.distance("row 999") == 60)
        #expect(run.page.takeFaults().isEmpty)
        // A user who scrolls away from the end is not brought back.
        run.scroll(to: run.page.position - 50)
        run.take()
        #expect(run.page.position == run.page.length - 150)
    }
}
