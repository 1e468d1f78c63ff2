import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Testing

@testable import PageViews

@Suite("Bad inputs of a page")
struct SessionInputTests {
    @Test(
        "each bad input is a sentence, and the page stays as it is",
        arguments: [
            (["scroll", .double(.nan), 0], "'scroll': the offset is NaN"),
            (["scroll", "12", 0], "'scroll': the offset is \"12\""),
            (["resize", 0, 1_000_000_000], "the size 0.0 x 1000000000.0 is limited to 1...16384 px each"),
            (["click", 999, "", 1, ""], "the row is no longer shown there (view 999); nothing was done"),
            (["click", 1, "q", 1, ""], "'click': the modifiers is \"q\""),
            (["key", "F13", ""], "the key 'F13' has no action here"),
            (["measure", [[1, 0]]], "'measure': a length is 0.0 px (limit 1000000)"),
            (["measure", [[1, .double(.nan)]]], "'measure': a length is NaN"),
            (["sort", 3], "column 3 cannot be sorted"),
            (["jump", 7], "there is no section 7"),
            (["drag", "begin", 999, 1, 1], "the row is no longer shown there (view 999); nothing was done"),
            (["fly"], "'fly' is not an input of a page"),
            (["select", "most"], "'select': the kind is \"most\""),
        ] as [([Value], String)]
    )
    func sentences(_ input: [Value], _ sentence: String) {
        let run = SessionRun(count: 100)
        run.press("j")
        run.take()
        let before = run.page.texts
        run.send(input)
        run.take()
        #expect(run.page.messages == [sentence])
        #expect(run.focused == 0)
        // A size that is too large leads to a large window.
        if input.first != "resize" { #expect(run.page.texts == before) }
        #expect(run.page.takeFaults().isEmpty)
    }

    @Test("PG17 100,000 lengths in one input are refused, 10,000 are applied in one pass")
    func manyLengths() throws {
        let run = SessionRun(count: 1_000)
        let first = try #require(run.page.order.first)
        func lengths(_ count: Int) -> Value {
            .array((0..<count).map { .array([.integer(Int64(first + $0)), 30]) })
        }
        run.send(["measure", lengths(100_000)])
        run.take()
        #expect(run.page.messages == ["'measure' has 100000 lengths (limit 10000)"])
        run.send(["measure", lengths(10_000)])
        run.take()
        #expect(run.page.elements[first]?["frame"][3] == 30)
        #expect(run.page.messages.count == 1)
    }

    @Test("a click on a view that shows another row since does nothing but a message")
    func usedAgain() throws {
        let run = SessionRun(count: 1_000)
        let number = try #require(run.page.number("row 2"))
        let seen = run.page.sequence
        run.scroll(to: 10_000)
        run.take()
        let other = run.page.elements[number]?["text"][0][0].stringValue
        #expect(other != nil && other != "row 2")
        run.session.apply([
            .seen(sequence: seen), .click(view: number, modifiers: .control, count: 1, part: .row),
        ])
        run.take()
        #expect(run.marked.isEmpty && run.focused == nil)
        #expect(run.page.messages.count == 1)
        run.send(["click", .integer(Int64(number)), "c", 1, ""])
        #expect(run.marked.count == 1)
    }

    @Test("an action of a menu acts on its row, also after the row has moved to another view")
    func menu() throws {
        let run = SessionRun(count: 100)
        let number = try #require(run.page.number("row 2"))
        #expect(try run.session.menu(ofView: number)[0]["isDestructive"] == true)
        run.source.sections[0].reverse()
        run.view.reloadData()
        run.take()
        #expect(try run.session.perform("delete", ofView: number) == "done")
        #expect(run.content.performed == ["delete 2"])
        let last = try #require(run.page.number("row 99"))
        _ = try run.session.menu(ofView: last)
        run.source.sections[0].removeAll { $0 == 99 }
        run.view.reloadData()
        run.take()
        #expect(throws: PageInputError.self) { try run.session.perform("delete", ofView: last) }
        #expect(run.content.performed.count == 1)
    }

    @Test("PG20 a copy has the marked rows, or the one with the focus")
    func copy() throws {
        let run = SessionRun(count: 100)
        run.press("j")
        #expect(try run.session.copy()["text"] == "row 0")
        run.press(" ")
        run.press("ArrowDown", "s")
        run.take()
        #expect(try run.session.copy()["text"] == "row 0\nrow 1")
    }

    @Test("a question about a view that shows another row since is refused")
    func askedAgain() throws {
        let run = SessionRun(count: 1_000)
        let number = try #require(run.page.number("row 2"))
        let seen = run.page.sequence
        #expect(try run.session.details(ofView: number, seen: seen) == [[["row 2", "plain"]]])
        run.scroll(to: 10_000)
        run.take()
        #expect(run.page.elements[number] != nil)
        #expect(throws: PageInputError.self) { try run.session.details(ofView: number, seen: seen) }
        #expect(throws: PageInputError.self) { try run.session.menu(ofView: number, seen: seen) }
        #expect(try run.session.menu(ofView: number, seen: run.page.sequence).array.count == 1)
    }

    @Test("an action is one of the menu that was shown, also when the row has another menu since")
    func shownMenu() throws {
        let run = SessionRun(count: 100)
        let number = try #require(run.page.number("row 2"))
        #expect(throws: PageInputError.self) { try run.session.perform("delete", ofView: number) }
        _ = try run.session.menu(ofView: number)
        run.content.items = [ViewMenuItem(id: "open", title: "Open")]
        #expect(throws: PageInputError.self) { try run.session.perform("open", ofView: number) }
        _ = try run.session.menu(ofView: number)
        run.content.items = []
        #expect(try run.session.perform("open", ofView: number) == "done")
        #expect(run.content.performed == ["open 2"])
    }

    @Test("PG20 texts that no message could have are refused in a sentence")
    func longTexts() throws {
        let run = SessionRun(count: 100)
        run.press("j")
        run.take()
        let number = try #require(run.page.active)
        run.content.longText = String(repeating: "x", count: 4_000_000)
        #expect(try run.session.copy()["text"].stringValue?.utf8.count == 4_000_000)
        // As JSON, each of these has six bytes.
        run.content.longText = String(repeating: "\u{1}", count: 1_500_000)
        let sentence = "more than 8 MiB of text, which a page does not take"
        #expect(throws: PageInputError("the details of the row have \(sentence)")) {
            try run.session.details(ofView: number)
        }
        #expect(throws: PageInputError("the rows have \(sentence)")) { try run.session.copy() }
    }

    @Test("a click that crosses a batch acts on its row, or on none if the view shows another one")
    func crossesBatch() throws {
        let run = SessionRun(count: 1_000)
        let number = try #require(run.page.number("row 2"))
        let seen = run.page.sequence
        try run.view.performBatchUpdates {
            run.source.sections[0].insert(2_000, at: 0)
            run.view.insertItems(at: [IndexPath(item: 0, section: 0)])
        }
        run.take()
        run.session.apply([
            .seen(sequence: seen), .click(view: number, modifiers: .control, count: 1, part: .row),
        ])
        #expect(run.marked == [2])
        run.take()
        let again = run.page.sequence
        // All visible rows go, and their views are used again.
        try run.view.performBatchUpdates {
            run.source.sections[0].removeFirst(100)
            run.view.deleteItems(at: (0..<100).map { IndexPath(item: $0, section: 0) })
        }
        run.take()
        let used = try #require(run.page.order.first { $0 == number } ?? run.page.order.first)
        run.session.apply([
            .seen(sequence: again), .click(view: used, modifiers: .control, count: 1, part: .row),
        ])
        #expect(run.marked.isEmpty)
    }
}
