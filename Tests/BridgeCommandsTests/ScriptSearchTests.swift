import BridgeViews
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Testing

@testable import BridgeCommands
@testable import PageViews
@testable import TerminalViews

/// Search and filter in the views of scripts.
@Suite("search in scripts' views")
struct ScriptSearchTests {
    private static func with(
        _ options: String,
        rows: Int = 100,
        _ body: @escaping @Sendable (ScriptCollectionView, ScriptViewProgram, JSContext) throws -> Void
    ) async throws {
        let workplace = try Workplace()
        let script = """
            globalThis.items = Array.from({ length: \(rows) }, (_, n) => "Row " + n);
            globalThis.view = bridge.collectionView({
                source: items, cell: item => ({ text: item, secondary: item === "Row 7" ? "special one" : "" }), \(options)
            });
            """
        let path = try workplace.write(script, to: "view.js")
        let program = try ScriptViewProgram(path: path, storePath: nil, unit: .cell, viewChanged: {})
        let name = try await program.load(view: nil)
        try await program.bridge.withContext { context in
            try body(try context.collectionView(named: name), program, context)
        }
        _ = program.close()
    }

    @Test(
        "T13 a terminal finds rows by the texts of their cells, in both directions, and again after a change"
    )
    func terminal() async throws {
        try await Self.with("search: true") { owner, program, context in
            let browser = TerminalBrowser(view: owner.view, content: ScriptContent(owner, of: program))
            browser.setSize(TerminalSize(columns: 40, rows: 10))
            func type(_ keys: String) {
                for key in keys { browser.handle(.key(KeyPress(.character(key)))) }
            }
            _ = browser.makeScreen()
            type("/row 9")
            #expect(browser.content.matches == ViewMatches(count: 19, isComplete: true))
            browser.handle(.key(KeyPress(.enter)))
            #expect(browser.focusedPath?.item == 9)
            type("n")
            #expect(browser.focusedPath?.item == 19)
            type("NNN")
            #expect(browser.focusedPath?.item == 98)
            type("nn")
            #expect(browser.focusedPath?.item == 9)
            _ = try context.evaluate(
                "items[5] = 'a new row 9'; view.reloadItems({ at: [[0, 5]] })"
            )
            #expect(browser.content.matches?.count == 20)
            type("N")
            #expect(browser.focusedPath?.item == 5)
            type("/special")
            browser.handle(.key(KeyPress(.enter)))
            #expect(browser.focusedPath?.item == 7)
            type("f")
            #expect(browser.message == "this view has no filter")
        }
    }

    @Test("a search reads the first 10,000 rows, and says that there are more")
    func bounded() async throws {
        try await Self.with("search: true", rows: 1_000_000) { owner, program, _ in
            let content = ScriptContent(owner, of: program)
            content.search = "row 9999"
            #expect(content.matches == ViewMatches(count: 1, isComplete: false))
            let path = IndexPath(item: 9_999, section: 0)
            #expect(content.match(from: nil, forward: true, includingStart: true) == path)
            content.search = "row 10000"
            #expect(content.match(from: nil, forward: true, includingStart: true) == nil)
            content.search = ""
            #expect(content.matches == nil)
        }
    }

    @Test("a page shows the boxes of what the script has, and its filter reaches the script")
    func page() async throws {
        let options =
            "search(query, view) { items.splice(0, Infinity, ...(query ? ['found ' + query] : ['all'])); view.reloadData(); }"
        for (option, flags) in [
            ("", Set<String>()), ("search: true", Set(["canSearch"])),
            (options, Set(["canSearch", "canFilter"])),
        ] {
            try await Self.with(option) { owner, program, context in
                let page = try program.makePage(owner.name, in: context)
                let session = PageSession(view: page.view, content: page.content)
                session.apply([.resize(width: 400, height: 280)])
                let info = session.makeUpdate()?["info"]
                let shown = ["canSearch", "canFilter"].filter { info?[$0] == true }
                #expect(Set(shown) == flags)
                session.apply([.filter("tea"), .search("found")])
                guard flags.contains("canFilter") else { return }
                let update = session.makeUpdate()
                #expect(update?["info"]["filter"] == "tea")
                #expect(session.content.matches?.count == 1)
                #expect(owner.view.numberOfItems(inSection: 0) == 1)
                // Another page sees the same filter.
                let other = try program.makePage(owner.name, in: context)
                #expect(other.content.filter == "tea")
            }
        }
    }
}
