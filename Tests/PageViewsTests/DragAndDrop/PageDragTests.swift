import BridgeValues
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Testing

@testable import PageViews

@Suite("Drags between pages, and out of them")
struct PageDragTests {
    private static let name = "0123456789abcdef0123456789abcdef"
    private static let type = PageDrags.prefix + name + PageDrags.suffix

    /// Two pages of one host.
    private struct Pair {
        let source: SessionRun
        let target: SessionRun
        let shelves: (source: DropShelf, target: DropShelf)

        init(isDelegate: Bool = true) {
            let drags = PageDrags()
            source = SessionRun([Array(0..<100)], drags: drags)
            target = SessionRun([Array(100..<200)], drags: drags)
            shelves = (DropShelf(source), DropShelf(target))
            source.view.dropDelegate = nil
            if isDelegate { source.view.dragDelegate = shelves.source }
        }
    }

    private static func source() throws -> DroppedFileSource { DroppedFileSource(try Bridge()) }

    private func begin(_ run: SessionRun, _ text: String) throws -> Value {
        let number = try #require(run.page.number(text))
        return try run.session.beginDrag(ofView: number, seen: run.page.sequence, name: Self.name)
    }

    private func over(_ run: SessionRun, y: Double, types: [Value]? = nil, files: [Value] = []) {
        let types = types ?? [.string(Self.type), "text/plain"]
        run.send(["dragOver", .array(types), .array(files), 10, .number(y)])
        run.take()
    }

    private func drop(
        _ run: SessionRun,
        y: Double,
        types: [String] = [PageDragTests.type, "text/plain"],
        text: String = "outside"
    ) throws -> String? {
        let texts = types.filter { PageDrags.name(ofType: $0) == nil }
            .map { PageDropContent.Text(type: $0, text: text, handle: nil, size: nil) }
        let queue = TestQueue()
        return try run.session.drop(
            PageDropOffer(types: types, files: []),
            PageDropContent(texts: texts, files: []),
            x: 10,
            y: y,
            from: try Self.source(),
            on: queue.executor
        )
    }

    @Test("PG21 a drag of another page of the host is the same drag, and its items are those of its delegate")
    func betweenPages() throws {
        let pair = Pair()
        _ = try begin(pair.source, "row 1")
        #expect(pair.source.view.hasActiveDrag)
        over(pair.target, y: 30)
        #expect(pair.target.page.drop == ["copy", "at"])
        #expect(pair.target.view.hasActiveDrop)
        #expect(try drop(pair.target, y: 30) == nil)
        pair.source.send(["dragEnd", .string(Self.name), "copy"])
        #expect(pair.shelves.target.events == ["enter 1", "drop 1 at 1", "over"])
        #expect(pair.shelves.target.items.first?.localObject as? Int == 1)
        #expect(pair.shelves.target.texts == ["1"])
        #expect(pair.shelves.source.events == ["end copy"])
        #expect(!pair.source.view.hasActiveDrag)
        pair.target.take()
        #expect(pair.target.page.drop == .null)
        #expect(pair.target.page.takeFaults().isEmpty)
    }

    @Test("PG21 a drop that arrives after the end of its drag is the drop of that drag")
    func lateDrop() throws {
        let pair = Pair()
        _ = try begin(pair.source, "row 1")
        over(pair.target, y: 30)
        pair.source.send(["dragEnd", .string(Self.name), "copy"])
        #expect(pair.shelves.source.events == [])
        #expect(pair.source.session.update(at: pair.source.clock.now) != nil)
        #expect(try drop(pair.target, y: 30) == nil)
        #expect(pair.shelves.target.items.first?.localObject as? Int == 1)
        #expect(pair.shelves.source.events == ["end copy"])
    }

    @Test("PG21 a drop that never arrives is a drag that was cancelled")
    func lostDrop() throws {
        let pair = Pair()
        _ = try begin(pair.source, "row 1")
        over(pair.target, y: 30)
        pair.source.send(["dragEnd", .string(Self.name), "copy"])
        pair.source.clock.advance(by: .seconds(10))
        _ = pair.source.session.update(at: pair.source.clock.now)
        #expect(pair.shelves.source.events == ["end cancel"])
        #expect(pair.shelves.target.events == ["enter 1", "exit"])
    }

    @Test("PG21 a drag that is dropped outside of all pages ends with the effect that the browser reports")
    func outside() throws {
        for (effect, event) in [("copy", "end copy"), ("move", "end move"), ("none", "end cancel")] {
            let pair = Pair()
            _ = try begin(pair.source, "row 1")
            pair.source.send(["dragEnd", .string(Self.name), .string(effect)])
            #expect(pair.shelves.source.events == [event])
        }
    }

    @Test(
        "PG21 a page that goes away during its drag cancels it; what the browser still drags is text from outside"
    )
    func sourceReloads() throws {
        let pair = Pair()
        _ = try begin(pair.source, "row 1")
        over(pair.target, y: 30)
        pair.source.session.end()
        #expect(pair.shelves.source.events == ["end cancel"])
        over(pair.target, y: 50)
        #expect(try drop(pair.target, y: 50) == nil)
        #expect(pair.shelves.target.items.first?.localObject == nil)
        #expect(pair.shelves.target.texts == ["outside"])
        #expect(pair.shelves.target.events == ["enter 1", "exit", "enter 1", "drop 1 at 2", "over"])
    }

    @Test("PG21 a page that goes away under a drag is left by it")
    func targetReloads() throws {
        let pair = Pair()
        _ = try begin(pair.source, "row 1")
        over(pair.target, y: 30)
        pair.target.session.end()
        #expect(pair.shelves.target.events == ["enter 1", "exit"])
        #expect(pair.source.view.hasActiveDrag)
        pair.source.send(["dragEnd", .string(Self.name), "none"])
        #expect(pair.shelves.source.events == ["end cancel"])
    }

    @Test("PG21 a drag of which the page says nothing for ten seconds has left, and one that rests has not")
    func rest() throws {
        let pair = Pair()
        over(pair.target, y: 30, types: ["text/plain"])
        pair.target.clock.advance(by: .seconds(9))
        over(pair.target, y: 30, types: ["text/plain"])
        pair.target.clock.advance(by: .seconds(9))
        _ = pair.target.session.update(at: pair.target.clock.now)
        #expect(pair.shelves.target.events == ["enter 1"])
        pair.target.clock.advance(by: .seconds(1))
        pair.target.take()
        #expect(pair.shelves.target.events == ["enter 1", "exit", "over"])
        #expect(pair.target.page.drop == .null)
    }

    @Test("PG21 text from outside is loaded after the drop; before, a view sees its types")
    func text() throws {
        let run = SessionRun(count: 100)
        let shelf = DropShelf(run)
        over(run, y: 30, types: ["text/plain", "application/x-other+json"])
        run.send(["dragLeave"])
        run.take()
        #expect(run.page.drop == .null)
        over(run, y: 30, types: ["text/plain", "application/x-other+json"])
        #expect(try drop(run, y: 70, types: ["text/plain", "application/x-other+json"], text: "1 2") == nil)
        #expect(shelf.events == ["enter 1", "exit", "over", "enter 1", "drop 1 at 3", "over"])
        #expect(shelf.texts == ["1 2"])
        #expect(shelf.items[0].itemProvider.registeredTypes == ["text/plain", "application/x-other+json"])
    }

    @Test("PG21 a drop with other types than the browser showed before enters again, with the right items")
    func otherTypes() throws {
        let run = SessionRun(count: 100)
        let shelf = DropShelf(run)
        over(run, y: 30, types: ["text/uri-list"])
        #expect(try drop(run, y: 30, types: ["text/plain"]) == nil)
        #expect(shelf.events == ["enter 1", "exit", "over", "enter 1", "drop 1 at 1", "over"])
        #expect(shelf.texts == ["outside"])
    }

    @Test("PG21 a view that takes nothing says so, and the drop changes nothing")
    func refused() throws {
        let run = SessionRun(count: 100)
        over(run, y: 30, types: ["text/plain"])
        #expect(run.page.drop == ["none", ""])
        #expect(
            try drop(run, y: 30, types: ["text/plain"]) == "nothing was dropped: the rows here do not take it"
        )
        let shelf = DropShelf(run)
        shelf.proposal = DropProposal(operation: .forbidden)
        #expect(try drop(run, y: 30, types: ["text/plain"]) != nil)
        #expect(shelf.events == ["enter 1", "exit", "over"])
    }

    @Test("PG21 V18 a drag of the browser inside a view that reorders moves the row, and back when it leaves")
    func reorder() throws {
        let pair = Pair(isDelegate: false)
        let run = pair.source
        _ = try begin(run, "row 1")
        over(run, y: 70)
        #expect(run.page.drop == ["move", "at"])
        #expect(run.page.texts.prefix(4) == ["row 0", "row 2", "row 3", "row 1"])
        run.send(["dragLeave"])
        run.take()
        #expect(run.page.texts.prefix(4) == ["row 0", "row 1", "row 2", "row 3"])
        over(run, y: 70)
        #expect(try drop(run, y: 70) == nil)
        run.send(["dragEnd", .string(Self.name), "move"])
        run.take()
        #expect(run.source.sections[0].prefix(4) == [0, 2, 3, 1])
        #expect(!run.view.hasActiveDrag)
        #expect(run.page.takeFaults().isEmpty)
    }

    // MARK: - Out

    @Test("PG21 rows that are dragged out are text and lines with tabs: the pressed one, or all marked ones")
    func rowsOut() throws {
        let pair = Pair()
        let run = pair.source
        #expect(try begin(run, "row 2") == ["text": "row 2", "tsv": "row 2"])
        run.send(["dragEnd", .string(Self.name), "none"])
        run.click("row 1", "c")
        run.click("row 3", "c")
        run.take()
        #expect(try begin(run, "row 3")["text"] == "row 3\nrow 1")
        over(pair.target, y: 30)
        #expect(pair.shelves.target.events == ["enter 2"])
        #expect(try begin(run, "row 2")["text"] == "row 2")
        // The drag before was cancelled.
        #expect(pair.shelves.source.events == ["end cancel", "end cancel"])
    }

    @Test("PG21 rows that stay in the process have no text for other programs")
    func restricted() throws {
        let pair = Pair()
        pair.shelves.source.isRestricted = true
        #expect(try begin(pair.source, "row 2") == .null)
    }

    @Test("PG21 too many rows, too much text and rows that are gone are refused with a sentence")
    func refusedDrags() throws {
        let run = SessionRun(count: 2_000)
        run.send(["select", "all"])
        run.take()
        #expect(throws: PageInputError("2000 rows are marked (limit of a drag: 1000)")) {
            try begin(run, "row 2")
        }
        run.send(["select", "none"])
        run.content.longText = String(repeating: "x", count: PageAnswer.maximumByteCount)
        #expect(throws: PageInputError("the rows have more than 8 MiB of text, which a page does not take")) {
            try begin(run, "row 2")
        }
        #expect(throws: PageInputError.self) {
            try run.session.beginDrag(ofView: 999, seen: nil, name: Self.name)
        }
        #expect(throws: PageInputError.self) { try run.session.beginDrag(ofView: 1, seen: nil, name: "x") }
        run.view.dragInteractionEnabled = false
        #expect(throws: PageInputError("the row cannot be dragged")) { try begin(run, "row 2") }
    }

    @Test("PG21 a page is notified which drags leave the view, and whether drops come in")
    func flags() {
        let run = SessionRun(count: 10)
        #expect(run.page.info["canDrag"] == true)
        #expect(run.page.info["dragsRows"] == .undefined)
        #expect(run.page.info["canDrop"] == .undefined)
        let shelf = DropShelf(run)
        run.view.dragDelegate = shelf
        run.content.changeHandler?()
        run.take()
        #expect(run.page.info["dragsRows"] == true)
        #expect(run.page.info["canDrop"] == true)
    }

    @Test(
        "PG5 drags that are not drags are refused with a sentence, and nothing happens",
        arguments: [
            ["dragOver"], ["dragOver", "text/plain", [], 1, 1], ["dragOver", [1], [], 1, 1],
            ["dragOver", [], [], "x", 1],
            ["dragOver", [.string(String(repeating: "x", count: 201))], [], 1, 1],
            ["dragOver", .array(Array(repeating: "a", count: 257)), [], 1, 1],
            ["dragEnd"], ["dragEnd", "x"], ["dragEnd", "x", "eat"],
        ] as [[Value]]
    )
    func malformed(_ input: [Value]) {
        let run = SessionRun(count: 10)
        let shelf = DropShelf(run)
        run.send(input)
        run.take()
        #expect(run.page.messages.count == 1)
        #expect(shelf.events.isEmpty)
    }
}
