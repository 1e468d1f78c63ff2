import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Testing

@testable import PageViews

@Suite("The saved state of a page")
struct SessionStateTests {
    private static func saved(_ prepare: (SessionRun) -> Void = { _ in }) throws -> String {
        let run = SessionRun(count: 1_000)
        prepare(run)
        run.scroll(to: 10_007)
        run.take()
        return try run.session.savedState()
    }

    private static func restored(_ state: String, _ sections: [[Int]]) -> SessionRun {
        let run = SessionRun(sections)
        run.session.restore(state)
        run.take()
        return run
    }

    @Test("PG7 S6 the first row returns to its place, with marks and focus")
    func same() throws {
        let state = try Self.saved { run in
            run.press("j")
            run.press(" ")
        }
        let run = Self.restored(state, [Array(0..<1_000)])
        #expect(run.page.distance("row 500") == -7)
        #expect(run.marked == [0] && run.focused == 0)
    }

    @Test("PG7 S3 after other rows came, went and were sorted, the first row is where it was")
    func resorted() throws {
        let run = Self.restored(try Self.saved(), [Array((0..<2_000).reversed())])
        #expect(run.page.distance("row 500") == -7)
    }

    @Test("PG7 a deleted first row is replaced by its neighbour, and missing marks are reported")
    func deleted() throws {
        let state = try Self.saved { run in
            run.press("j")
            run.press(" ")
        }
        let run = Self.restored(state, [(0..<1_000).filter { $0 != 500 && $0 != 0 }])
        let distance = try #require(run.page.distance("row 501") ?? run.page.distance("row 499"))
        #expect(abs(distance) <= 20)
        #expect(run.page.messages == ["rows of the saved marks are gone: 2"])
    }

    @Test("PG7 a state that is none is a sentence", arguments: ["", "{}", "{\"version\":9}", "[]"])
    func unreadable(_ state: String) {
        let run = Self.restored(state, [Array(0..<100)])
        #expect(run.page.messages.count == 1)
        #expect(run.page.messages.first?.hasPrefix("the saved position was not used: ") == true)
        #expect(run.page.position == 0)
    }

    @Test("PG7 the position waits until the rows are in their order, unless the user scrolls before")
    func waiting() throws {
        let state = try Self.saved()
        let run = SessionRun(count: 1_000)
        run.content.isSettled = false
        run.session.restore(state)
        run.take()
        #expect(run.page.position == 0)
        run.content.isSettled = true
        run.content.changeHandler?()
        run.take()
        #expect(run.page.position == 10_007)
        let other = SessionRun(count: 1_000)
        other.content.isSettled = false
        other.session.restore(state)
        other.scroll(to: 40)
        other.content.isSettled = true
        other.content.changeHandler?()
        other.take()
        #expect(other.page.position == 40)
    }

    @Test("PG7 the filter is a part of the state")
    func filter() throws {
        let state = try Self.saved { $0.content.filter = "a b" }
        #expect(Self.restored(state, [[1]]).content.filter == "a b")
    }

    @Test("PG7 a state of more marks than a message can have lacks them, and keeps those that are there")
    func manyMarks() throws {
        let state = try Self.saved { run in
            for item in 0..<1_000 where item % 2 == 0 {
                try? run.view.selectItem(at: IndexPath(item: item, section: 0))
            }
            run.content.restorationSchema = String(repeating: "long ", count: 5_400)
        }
        let message = try JSONEncoder().encode(state)
        #expect(message.count < 60_000)
        let run = SessionRun(count: 1_000)
        run.content.restorationSchema = String(repeating: "long ", count: 5_400)
        run.press("j")
        run.press(" ")
        run.session.restore(state)
        run.take()
        #expect(run.marked == [0])
        #expect(run.page.position == 10_007)
        #expect(run.page.messages.isEmpty)
    }

    @Test("PG7 V12 order and marks that other pages show too are not overwritten by an older state")
    func shared() throws {
        let state = try Self.saved { run in
            run.content.filter = "old"
            run.press("j")
            run.press(" ")
        }
        let run = SessionRun(count: 1_000)
        run.content.isShared = true
        run.content.filter = "new"
        try run.view.selectItem(at: IndexPath(item: 5, section: 0))
        run.session.restore(state)
        run.take()
        #expect(run.content.filter == "new")
        #expect(run.marked == [5])
        #expect(run.focused == 0)
        #expect(run.page.position == 10_007)
    }

    @Test("PG7 a state of other rows changes nothing")
    func otherRows() throws {
        let state = try Self.saved { run in
            run.content.restorationSchema = "table x"
            run.content.filter = "old"
        }
        let run = SessionRun(count: 1_000)
        run.content.restorationSchema = "table y"
        run.session.restore(state)
        run.take()
        #expect(run.content.filter == "")
        #expect(run.page.position == 0)
        #expect(run.page.messages.first?.hasPrefix("the saved position was not used: ") == true)
    }
}
