import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

@testable import BridgeCommands
@testable import PageViews
@testable import TerminalViews

/// The option `--state` of browse and serve: one file, two renderers.
@Suite("saved states of views")
struct ViewStateTests {
    /// A table in a terminal of ten rows, one of them the status line and one the header.
    private final class Browsed {
        let content: TableContent
        let browser: TerminalBrowser

        init(_ source: any TableSource) async {
            let content = TableContent(source) {}
            self.content = content
            browser = TerminalBrowser(view: content.view, content: content)
            browser.setSize(TerminalSize(columns: 60, rows: 10))
            await settle()
        }

        /// Applies answers until all rows are in their order.
        func settle() async {
            let (browser, content) = (browser, content)
            let isSettled = await waitUntil {
                _ = browser.update(at: .zero)
                return content.isSettled && browser.pendingState == nil
            }
            #expect(isSettled)
            _ = browser.makeScreen()
        }

        func type(_ keys: String) {
            for key in keys { browser.handle(.key(KeyPress(.character(key)))) }
        }

        /// The first fields of the visible rows below a pinned header.
        var visible: [String] { content.view.visibleIndexPaths.map { content.fields(at: $0)[0] } }
        var marked: [String] { content.view.indexPathsForSelectedItems.map { content.fields(at: $0)[0] } }
    }

    private static func store(_ path: String, rows: Int) throws -> SQLiteStore {
        let store = try SQLiteStore(location: .file(path))
        try store.createEntity(EntityDescription(name: "item", attributes: [.init("name", .string)]))
        try store.write { transaction in
            for number in 0..<rows {
                try transaction.insert(into: "item", ["name": .string("row \(number)")])
            }
        }
        return store
    }

    @Test("S4 saved in a terminal, restored in a page after rows were deleted and the program has restarted")
    func terminalToPage() async throws {
        let workplace = try Workplace()
        let path = workplace.file("s.db")
        let file = workplace.file("state.json")
        do {
            let store = try Self.store(path, rows: 1_000)
            let browsed = await Browsed(try StoreTable(store: store, entityName: "item"))
            // Descending, and then to a row in the middle.
            browsed.type("oo")
            await browsed.settle()
            browsed.type(":400")
            browsed.browser.handle(.key(KeyPress(.enter)))
            browsed.type(" jj ")
            _ = browsed.browser.makeScreen()
            #expect(browsed.marked.count == 2)
            try StateFile(file).save(try #require(try browsed.browser.savedState()))
            let first = try #require(browsed.visible.first)
            try store.write { transaction in
                // Rows before the position in both orders, and not the visible ones.
                for id in Array(1...100) + Array(900...950) {
                    _ = try transaction.delete(from: "item", id: Int64(id))
                }
            }
            try workplace.write("\(first)\n\(browsed.marked.joined(separator: "\n"))", to: "seen")
            try store.close()
        }
        let seen = try String(contentsOfFile: workplace.file("seen"), encoding: .utf8).split(separator: "\n")
        let store = try SQLiteStore(location: .file(path))
        let table = ServedTable(try StoreTable(store: store, entityName: "item"), clock: SystemClock())
        table.start(group: nil)
        let state = try #require(try StateFile(file).state)
        nonisolated(unsafe) var session: PageSession?
        try table.queue.sync {
            let page = try table.makePage()
            let made = PageSession(view: page.view, content: page.content)
            made.apply([.resize(width: 800, height: 280)])
            #expect(made.restore(state))
            session = made
        }
        #expect(
            await waitUntil {
                table.queue.sync { session?.pendingState == nil && session?.content.isSettled == true }
            }
        )
        table.queue.sync {
            guard let session else { return }
            #expect(session.content.sort == ViewSort(column: 0, isDescending: true))
            let update = session.makeUpdate()
            let offset = update?["content"]["offset"].doubleValue ?? 0
            let shown = (update?["elements"].arrayValue ?? []).filter {
                ($0["frame"][1].doubleValue ?? 0) + 28 > offset && $0["kind"] == "cell"
            }
            #expect(shown.first?["columns"][0][0][0].stringValue == String(seen[0]))
            #expect(update?["info"]["selectedCount"] == 2)
        }
        table.queue.sync { session = nil }
        try store.close()
    }

    @Test("S4 S8 a state is restored in a terminal as it was; one of another table is kept and said")
    func terminalToTerminal() async throws {
        let workplace = try Workplace()
        let lines = (0..<1_000).map { "\($0),name \($0)" }
        let path = try workplace.write((["id,name"] + lines).joined(separator: "\n"), to: "t.csv")
        let first = await Browsed(try CSVTable(path: path))
        first.type(":500")
        first.browser.handle(.key(KeyPress(.enter)))
        first.type("f7")
        first.browser.handle(.key(KeyPress(.enter)))
        await first.settle()
        let json = try #require(try first.browser.savedState()).json
        let second = await Browsed(try CSVTable(path: path))
        #expect(second.browser.restore(try ViewState(json: json)))
        await second.settle()
        #expect(second.content.filter == "7")
        #expect(second.visible == first.visible)
        #expect(second.browser.focusedPath == first.browser.focusedPath)
        let other = await Browsed(try CSVTable(path: try workplace.write("x,y\n1,2\n", to: "other.csv")))
        #expect(!other.browser.restore(try ViewState(json: json)))
        #expect(other.browser.message.hasPrefix("the saved position was not used"))
        #expect(other.content.filter == "")
    }

    @Test("S4 quitting before the rows are found keeps the saved state; a movement of the user replaces it")
    func quitting() async throws {
        let workplace = try Workplace()
        let path = try workplace.write("id\n" + (0..<500).map { "\($0)\n" }.joined(), to: "t.csv")
        let first = await Browsed(try CSVTable(path: path))
        first.type("G")
        _ = first.browser.makeScreen()
        let state = try #require(try first.browser.savedState())
        let second = await Browsed(try CSVTable(path: path))
        #expect(second.browser.restore(state))
        // No update has restored it yet.
        second.type("q")
        #expect(try second.browser.savedState() == nil)
        second.type("j")
        #expect(try second.browser.savedState() != nil)
    }

    @Test("S4 groups and folds are restored in a terminal and in a page, before rows are shown unfolded")
    func groups() async throws {
        let workplace = try Workplace()
        let lines = (0..<100).map { "\($0),\(["even", "odd", "\"z\u{1F}\"\"]\""][$0 % 3])" }
        let path = try workplace.write((["id,kind"] + lines).joined(separator: "\n"), to: "t.csv")
        let first = await Browsed(try CSVTable(path: path))
        #expect(first.content.group(byColumn: 1))
        await first.settle()
        first.content.setFolded(true, section: 2)
        first.content.setFolded(true, section: 0)
        let folded = first.content.foldedTitles
        #expect(folded.count == 2)
        let state = try ViewState(json: try #require(try first.browser.savedState()).json)
        let second = await Browsed(try CSVTable(path: path))
        #expect(second.browser.restore(state))
        await second.settle()
        #expect(second.content.groupedColumn == 1)
        #expect(second.content.foldedTitles == folded)
        #expect((0..<3).map { second.content.isFolded(section: $0) } == [true, false, true])
        #expect(second.visible == first.visible)
        let table = ServedTable(try CSVTable(path: path), clock: SystemClock())
        // The option --group of this run is newer than the state.
        let grouped = ServedTable(try CSVTable(path: path), clock: SystemClock())
        grouped.start(group: 0)
        table.start(group: nil)
        for (table, column, count) in [(table, 1, 2), (grouped, 0, 0)] {
            nonisolated(unsafe) var session: PageSession?
            try table.queue.sync {
                let page = try table.makePage()
                let made = PageSession(view: page.view, content: page.content)
                #expect(made.restore(state))
                session = made
            }
            #expect(await waitUntil { table.queue.sync { session?.pendingState == nil } })
            table.queue.sync {
                #expect(session?.content.groupedColumn == column)
                #expect(session?.content.foldedTitles.count == count)
                session = nil
            }
        }
    }

    @Test("folds of a hostile state are ignored")
    func hostileFolds() async throws {
        let workplace = try Workplace()
        let path = try workplace.write("id\n1\n2\n", to: "t.csv")
        let first = await Browsed(try CSVTable(path: path))
        _ = first.content.group(byColumn: 0)
        await first.settle()
        first.content.setFolded(true, section: 0)
        let json = String(decoding: try #require(try first.browser.savedState()).json, as: UTF8.self)
        for (old, new) in [
            (#""group":0"#, #""group":99"#), (#""group":0"#, #""group":-1"#),
            (#""group":0"#, #""group":"x""#),
            (#""folded":"[\"1\"]""#, #""folded":"[1]""#), (#""folded":"[\"1\"]""#, #""folded":7"#),
            (#""folded":"[\"1\"]""#, #""folded":"[\"nowhere\"]""#),
        ] {
            let changed = json.replacingOccurrences(of: old, with: new)
            #expect(changed != json)
            let second = await Browsed(try CSVTable(path: path))
            #expect(second.browser.restore(try ViewState(json: Data(changed.utf8))))
            await second.settle()
            #expect(second.content.view.indexPathsForVisibleItems.count == 2, "\(new)")
        }
    }

    @Test("a file that is not a state is refused and kept; a missing or empty one has none")
    func files() async throws {
        let workplace = try Workplace()
        #expect(try StateFile(workplace.file("missing")).state == nil)
        #expect(try StateFile(try workplace.write("", to: "empty")).state == nil)
        let text = try workplace.write("important\n", to: "text")
        #expect(throws: CommandFailure.self) { try StateFile(text) }
        let table = try workplace.write("a\n1\n", to: "t.csv")
        let refused = await workplace.run(["serve", "--state", text, table])
        #expect(refused.status == 66)
        #expect(refused.errorOutput.contains("text' is not a saved state: "))
        #expect(!refused.errorOutput.contains("StateArchiveError"), "\(refused.errorOutput)")
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "important\n")
        let folder = await workplace.run(["serve", "--state", workplace.file(""), table])
        #expect(folder.status == 66 && folder.errorOutput.contains("it is not a regular file"))
        for command in ["browse", "serve"] {
            let same = await workplace.run([command, "--state", table, table])
            #expect(same.status == 2 && same.errorOutput.contains("would write over the table"))
        }
        let state = try #require(try await Browsed(try CSVTable(path: table)).browser.savedState())
        #expect(throws: CommandFailure.self) { try StateFile(workplace.file("none/state")).save(state) }
    }
}
