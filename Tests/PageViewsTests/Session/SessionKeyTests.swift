import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Testing

@testable import PageViews

@Suite("Keys and clicks of a page")
struct SessionKeyTests {
    @Test(
        "PG20 arrows, letters, pages and edges move the focus",
        arguments: [
            (["ArrowDown"], 0), (["j", "j", "j"], 2), (["j", "j", "k"], 0), (["G"], 99),
            (["End", "ArrowUp"], 98),
            (["G", "g"], 0), (["j", "PageDown"], 4), (["End", "PageUp"], 95), (["Home"], 0),
        ]
    )
    func keys(_ keys: [String], _ expected: Int) {
        let run = SessionRun(count: 100)
        for key in keys { run.press(key) }
        run.take()
        #expect(run.focused == expected)
        #expect(
            run.page.active.flatMap { run.page.elements[$0] }?["text"][0][0] == .string("row \(expected)")
        )
    }

    @Test("PG20 V13 Space marks, Shift extends, Ctrl+A marks all except none")
    func marks() {
        let run = SessionRun(count: 1_000_000)
        for key in ["j", " ", "j", " "] { run.press(key) }
        #expect(run.marked == [0, 1])
        run.press("ArrowDown", "s")
        run.press("ArrowDown", "s")
        #expect(run.marked == [0, 1, 2, 3])
        run.press("ArrowUp", "s")
        #expect(run.marked == [0, 1, 2])
        run.press("a", "c")
        run.take()
        #expect(run.page.info["selectedCount"] == 1_000_000)
        #expect(run.page.elements.values.allSatisfy { $0["selected"] == .bool(true) })
        run.press(" ")
        run.take()
        #expect(run.page.info["selectedCount"] == 999_999)
        run.press("*")
        #expect(run.marked == [2])
    }

    @Test(
        "PG20 an update has the row with the focus, the number of rows and of marks; keys that mark many are announced"
    )
    func counts() {
        let run = SessionRun([Array(0..<100_000), Array(0..<100_000)], headers: true)
        #expect(run.page.counts == [0, 200_000, 0, 0])
        run.press("j")
        run.take()
        #expect(run.page.counts == [1, 200_000, 0, 0])
        run.press("End")
        run.press(" ")
        run.take()
        #expect(run.page.counts == [200_000, 200_000, 1, 0])
        #expect(run.page.announcements.isEmpty)
        run.press("a", "c")
        run.take()
        #expect(run.page.counts == [200_000, 200_000, 200_000, 0])
        run.press("*")
        run.take()
        #expect(run.page.counts == [200_000, 200_000, 0, 0])
        #expect(run.page.announcements == ["200,000 marked", "no row is marked"])
        run.press("ArrowUp")
        run.take()
        #expect(run.page.announcements.count == 2)
    }

    @Test("PG20 a range that is too long is refused in a sentence")
    func longRange() {
        let run = SessionRun(count: 1_000_000)
        run.press("j")
        run.press("End", "s")
        run.take()
        #expect(run.page.messages == ["a range has 1000000 rows (limit 100000)"])
        #expect(run.marked.isEmpty)
    }

    @Test("PG20 a click gives the focus, Ctrl marks, Shift marks a range, two clicks are the primary action")
    func clicks() {
        final class Opener: CollectionViewDelegate {
            var opened: [Int] = []
            func collectionView(_ view: CollectionView, performPrimaryActionForItemAt path: IndexPath) {
                opened.append(path.item)
            }
        }
        let opener = Opener()
        let run = SessionRun(count: 100)
        run.view.delegate = opener
        run.click("row 3")
        #expect(run.focused == 3 && run.marked.isEmpty)
        run.click("row 1", "c")
        #expect(run.marked == [1])
        run.click("row 4", "s")
        #expect(run.marked == [1, 2, 3, 4])
        run.click("row 5", count: 2)
        run.press("Enter")
        #expect(opener.opened == [5, 5])
    }

    @Test(
        "C10 each selection of the user asks the delegate and notifies it: ranges, all rows, and the others"
    )
    func asked() {
        final class Judge: CollectionViewDelegate {
            var calls: [String] = []
            func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
                path.item != 2
            }
            func collectionView(_ view: CollectionView, shouldDeselectItemAt path: IndexPath) -> Bool {
                path.item != 5
            }
            func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) {
                calls.append("+\(path.item)")
            }
            func collectionView(_ view: CollectionView, didDeselectItemAt path: IndexPath) {
                calls.append("-\(path.item)")
            }
            func take() -> String {
                defer { calls = [] }
                return calls.joined(separator: " ")
            }
        }
        let judge = Judge()
        let run = SessionRun(count: 8)
        run.view.delegate = judge
        run.click("row 1")
        run.click("row 4", "s")
        #expect(run.marked == [1, 3, 4] && judge.take() == "+1 +3 +4")
        run.press("ArrowUp", "s")
        #expect(run.marked == [1, 3] && judge.take() == "-4")
        run.press("a", "c")
        #expect(run.marked == [0, 1, 3, 4, 5, 6, 7] && judge.take() == "+0 +4 +5 +6 +7")
        run.press("*")
        #expect(run.marked == [5] && judge.take() == "-0 -1 -3 -4 -6 -7")
        run.press("*")
        #expect(run.marked == [0, 1, 3, 4, 5, 6, 7] && judge.take() == "+0 +1 +3 +4 +6 +7")
        run.press("a", "cs")
        #expect(run.marked == [5] && judge.take() == "-0 -1 -3 -4 -6 -7")
        let long = SessionRun(count: 100_001)
        long.view.delegate = judge
        long.press("a", "c")
        long.take()
        #expect(
            long.page.messages == [
                "100001 rows would be asked one by one whether they can be marked (limit 100000)"
            ]
        )
        #expect(long.marked.isEmpty && judge.take().isEmpty)
    }

    @Test("C10 a delegate that changes the data ends what marks many rows")
    func changingDelegate() {
        final class Remover: CollectionViewDelegate {
            let source: NumberSource
            init(_ source: NumberSource) { self.source = source }
            func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) {
                guard path.item == 3 else { return }
                source.sections[0].remove(at: 0)
                view.deleteItems(at: [IndexPath(item: 0, section: 0)])
            }
        }
        let run = SessionRun(count: 8)
        let remover = Remover(run.source)
        run.view.delegate = remover
        run.press("a", "c")
        run.take()
        #expect(run.marked == [1, 2, 3])
        #expect(run.page.faults.isEmpty)
    }

    @Test("V13 where one row may be selected, a click selects it")
    func single() {
        let run = SessionRun(count: 100, isMultiple: false)
        run.click("row 3")
        run.click("row 2")
        #expect(run.marked == [2])
        run.press("a", "c")
        run.take()
        #expect(run.page.messages == ["only one row can be marked"])
    }

    @Test("V16 typed letters lead to the next row that begins so")
    func typing() {
        let run = SessionRun(count: 1_000)
        run.send(["type", "row 77"])
        run.take()
        #expect(run.focused == 77)
        run.clock.advance(by: .seconds(2))
        run.send(["type", "x"])
        run.take()
        #expect(run.page.messages == ["no row begins with 'x'"])
    }

    @Test("V15 index titles lead to sections; folded sections are one row")
    func sections() {
        let run = SessionRun([[1, 2], [3], [4, 5]], headers: true)
        run.send(["jump", 2])
        run.take()
        #expect(run.focused == 4)
        run.press("[")
        run.take()
        #expect(run.focused == nil)
        #expect(run.page.active.flatMap { run.page.elements[$0] }?["text"][0][0] == "section 2")
        run.press("ArrowUp")
        #expect(run.focused == 3)
        run.press("ArrowDown")
        run.press("ArrowRight")
        run.take()
        #expect(run.focused == 4)
        #expect(
            run.page.texts == [
                "section 0", "row 1", "row 2", "section 1", "row 3", "section 2", "row 4", "row 5",
            ]
        )
        // Headers count as rows.
        #expect(run.page.number("row 4").flatMap { run.page.elements[$0] }?["row"] == 7)
        #expect(run.page.info["rowCount"] == 8)
    }

    @Test("V18 PG19 a row is moved by keys: each step is announced, Escape cancels")
    func movingByKeys() {
        let run = SessionRun(count: 10)
        for key in ["j", "m", "ArrowDown", "ArrowDown"] { run.press(key) }
        run.take()
        #expect(run.page.texts.prefix(4) == ["row 1", "row 2", "row 0", "row 3"])
        #expect(run.page.announcements.last == "row 3 of 10")
        run.press("Escape")
        run.take()
        #expect(run.page.texts.prefix(3) == ["row 0", "row 1", "row 2"])
        run.press("ArrowDown", "a")
        run.take()
        #expect(run.source.sections[0].prefix(3) == [1, 0, 2])
        #expect(run.page.announcements.last == "dropped at row 2")
        #expect(run.focused == 0)
    }

    @Test("V18 PG5 a row is moved by the pointer; the end of the session returns it")
    func movingByPointer() throws {
        let run = SessionRun(count: 10)
        let number = Value.integer(Int64(try #require(run.page.number("row 0"))))
        run.send(["drag", "begin", number, 5, 5])
        run.send(["drag", "move", number, 5, 50])
        run.take()
        #expect(run.page.texts.prefix(3) == ["row 1", "row 2", "row 0"])
        run.send(["drag", "end", number, 5, 50])
        #expect(run.source.sections[0].prefix(3) == [1, 2, 0])
        run.send(["drag", "begin", number, 5, 5])
        run.send(["drag", "move", number, 5, 90])
        run.session.end()
        #expect(run.view.interactivelyMovingIndexPath == nil)
        #expect(run.source.sections[0].prefix(3) == [1, 2, 0])
    }

    @Test("V18 a reload during a drag ends it in a sentence, and loses nothing")
    func reloadInDrag() throws {
        let run = SessionRun(count: 10)
        let number = Value.integer(Int64(try #require(run.page.number("row 0"))))
        run.send(["drag", "begin", number, 5, 5])
        run.send(["drag", "move", number, 5, 50])
        run.take()
        run.view.reloadData()
        run.take()
        #expect(run.page.messages == ["the move has ended, because the rows have changed"])
        #expect(run.page.texts == (0..<10).map { "row \($0)" })
        run.send(["drag", "end", number, 5, 50])
        run.take()
        #expect(run.source.sections[0] == Array(0..<10))
    }

    @Test("PG20 a range costs what is new in it")
    func rangeCost() {
        let run = SessionRun(count: 10_000)
        run.press("j")
        run.press("End", "s")
        #expect(run.marked.count == 10_000)
        let before = run.source.identityRequests
        run.press("ArrowUp", "s")
        #expect(run.marked.count == 9_999)
        #expect(run.source.identityRequests - before < 10)
    }

    @Test("V18 a movement without inputs is cancelled after ten seconds, because other pages wait for it")
    func forgottenMovement() {
        let run = SessionRun(count: 10)
        for key in ["j", "m", "ArrowDown"] { run.press(key) }
        run.take()
        run.clock.advance(by: .seconds(9))
        run.press("ArrowDown")
        run.clock.advance(by: .seconds(9))
        run.take()
        #expect(run.page.texts.prefix(3) == ["row 1", "row 2", "row 0"])
        #expect(run.session.update(at: run.clock.now) == run.clock.now + .seconds(1))
        run.clock.advance(by: .seconds(1))
        run.take()
        #expect(run.view.interactivelyMovingIndexPath == nil)
        #expect(run.page.texts.prefix(3) == ["row 0", "row 1", "row 2"])
        #expect(run.page.messages == ["the move was cancelled, because nothing happened for 10 seconds"])
        #expect(run.page.info["isMoving"] == .undefined)
    }

    @Test("V18 while a row is moved, questions are about the rows as they are shown")
    func questionsWhileMoving() throws {
        let run = SessionRun(count: 10)
        for key in ["j", "m", "ArrowDown", "ArrowDown"] { run.press(key) }
        run.content.marks[1] = .updated
        run.content.changeHandler?()
        run.take()
        #expect(run.page.texts.prefix(3) == ["row 1", "row 2", "row 0"])
        let number = try #require(run.page.number("row 1"))
        #expect(run.page.elements[number]?["mark"] == "updated")
        #expect(try run.session.details(ofView: number) == [[["row 1", "plain"]]])
        _ = try run.session.menu(ofView: number)
        _ = try run.session.perform("delete", ofView: number)
        #expect(run.content.performed == ["delete 1"])
    }
}
