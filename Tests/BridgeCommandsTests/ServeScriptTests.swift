import BridgeValues
import BridgeViews
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Testing

@testable import BridgeCommands
@testable import PageViews

@Suite("serve a script")
struct ServeScriptTests {
    /// A script with the sessions of its pages, in the turns of its engine.
    private final class Served {
        let program: ScriptViewProgram
        private let name: String
        private let sessions = Sessions()

        init(_ script: String, _ workplace: Workplace) async throws {
            let path = try workplace.write(script, to: "view.js")
            program = try ScriptViewProgram(path: path, storePath: nil, unit: .pixel, viewChanged: {})
            name = try await program.load(view: nil)
        }

        func open(state: String? = nil) async throws {
            let (name, program, sessions) = (name, program, sessions)
            try await program.bridge.withContext { context in
                let page = try program.makePage(name, in: context)
                let session = PageSession(view: page.view, content: page.content)
                session.apply([.resize(width: 800, height: 280)])
                if let state { session.restore(state) }
                sessions.all.append(session)
            }
        }

        /// Uses a session in a turn.
        func use<Result: Sendable>(
            _ index: Int = 0,
            _ body: @Sendable (PageSession) throws -> Result
        ) async throws -> Result {
            let sessions = sessions
            return try await program.bridge.withContext { _ in try body(sessions.all[index]) }
        }

        func run(_ script: String) async throws {
            try await program.bridge.withContext { _ = try $0.evaluate(script) }
        }

        func end() async throws {
            let sessions = sessions
            try await program.bridge.withContext { _ in sessions.all = [] }
            _ = program.close()
        }
    }

    /// Sessions that are used in the turns of one engine only.
    private final class Sessions: @unchecked Sendable {
        var all: [PageSession] = []
    }

    private static let script = """
        globalThis.items = Array.from({ length: 500 }, (_, id) => ({ id, name: "row " + id }));
        globalThis.view = bridge.collectionView({
            title: "Rows", source: items,
            cell: item => ({ spans: [[item.name, "strong"]], secondary: "no. " + item.id }),
            details: item => ["id " + item.id],
            onPrimaryAction: item => { view.status = "opened " + item.name; },
            menu: item => [{ title: "Remove", isDestructive: true, action: () => {
                const index = items.indexOf(item);
                items.splice(index, 1);
                view.performBatchUpdates(() => view.deleteItems({ at: [[0, index]] }));
                return "removed " + item.name;
            } }],
        });
        """

    private static func texts(_ update: Value?) -> [String] {
        (update?["elements"].arrayValue ?? []).map { element in
            (element["text"].arrayValue ?? []).compactMap { $0[0].stringValue }.joined()
        }
    }

    @Test(
        "a page shows the script's rows, details, menu and primary action; what the script changes is in the next update"
    )
    func page() async throws {
        let workplace = try Workplace()
        let served = try await Served(Self.script, workplace)
        try await served.open()
        let first = try await served.use { $0.makeUpdate() }
        #expect(Self.texts(first).prefix(3) == ["row 0", "row 1", "row 2"])
        #expect(first?["elements"][0]["text"][0][1] == "strong")
        #expect(first?["info"]["title"] == "Rows" && first?["info"]["rowCount"] == 500)
        let number = try #require(first?["elements"][1]["n"].integerValue)
        let (menu, details) = try await served.use { session in
            (try session.menu(ofView: Int(number)), try session.details(ofView: Int(number)))
        }
        #expect(menu[0]["title"] == "Remove" && menu[0]["isDestructive"] == true)
        #expect(details[0][0][0] == "id 1")
        let id = try #require(menu[0]["id"].stringValue)
        let message = try await served.use { try $0.perform(id, ofView: Int(number)) }
        #expect(message == "removed row 1")
        let second = try await served.use { $0.makeUpdate() }
        #expect(second?["info"]["rowCount"] == 499)
        // The other rows keep their views.
        #expect(second?["reset"] == .undefined && (second?["elements"].arrayValue ?? []).count < 22)
        try await served.use {
            $0.apply([
                .click(
                    view: Int(first?["elements"][2]["n"].integerValue ?? 0),
                    modifiers: [],
                    count: 2,
                    part: .row
                )
            ])
        }
        let third = try await served.use { $0.makeUpdate() }
        #expect(third?["info"]["status"] == "opened row 2")
        try await served.end()
    }

    @Test(
        "a script's delegate is asked about each row that a page marks; without one, all rows are marked together",
        arguments: [true, false]
    )
    func marks(asks: Bool) async throws {
        let workplace = try Workplace()
        let delegate =
            "shouldSelectItemAt: path => path.item % 2 === 0, didSelectItemAt: path => { selected.push(path.item); }"
        let script = """
            globalThis.selected = [];
            globalThis.view = bridge.collectionView({
                source: Array.from({ length: \(asks ? 500 : 1_000_000) }, (_, n) => n), delegate: { \(asks ? delegate : "") },
            });
            view.allowsMultipleSelection = true;
            """
        let served = try await Served(script, workplace)
        try await served.open()
        let update = try await served.use { session in
            session.apply([.select(.all)])
            return session.makeUpdate()
        }
        #expect(update?["counts"][2] == (asks ? 250 : 1_000_000))
        let selected = try await served.program.bridge.withContext {
            try $0.evaluate("selected.length").toValue()
        }
        #expect(selected == (asks ? 250 : 0))
        try await served.end()
    }

    @Test("the message of an action that ends later is shown by the page that began it, and by no other")
    func laterMessages() async throws {
        let workplace = try Workplace()
        let script = """
            globalThis.gate = Promise.withResolvers();
            bridge.collectionView({
                source: ["a", "b"],
                onPrimaryAction: async item => { await gate.promise; throw new Error("no " + item); },
                menu: item => [{ title: "Send", action: () => gate.promise.then(() => "sent " + item) }],
            });
            """
        let served = try await Served(script, workplace)
        var number = 0
        for index in 0..<3 {
            try await served.open()
            let update = try await served.use(index) { $0.makeUpdate() }
            if index == 0 { number = Int(update?["elements"][0]["n"].integerValue ?? 0) }
        }
        let message = try await served.use(0) { [number] session -> String? in
            let menu = try session.menu(ofView: number)
            return try session.perform(try #require(menu[0]["id"].stringValue), ofView: number)
        }
        #expect(message == nil)
        try await served.use(1) { session in
            let keys: [Value] = [["key", "ArrowDown", ""], ["key", "Enter", ""]]
            session.apply(try keys.map { try PageInput($0) })
        }
        _ = try await served.use(1) { $0.makeUpdate() }
        try await served.run("gate.resolve()")
        var messages: [String?] = []
        for index in 0..<3 {
            messages.append(try await served.use(index) { $0.makeUpdate()?["message"].stringValue })
        }
        #expect(messages == ["sent a", "the action failed: no a", nil])
        try await served.end()
    }

    @Test("V12 two pages share the script's rows and marks, and a layout of the script is each one's own")
    func pages() async throws {
        let workplace = try Workplace()
        let served = try await Served(Self.script, workplace)
        try await served.open()
        try await served.open()
        _ = try await served.use { $0.makeUpdate() }
        try await served.use(1) { $0.apply([.scroll(offset: 2_800, velocity: 0)]) }
        let other = try await served.use(1) { $0.makeUpdate() }
        #expect(Self.texts(other).contains("row 100"))
        try await served.use(0) { try $0.view.selectItem(at: IndexPath(item: 3, section: 0)) }
        #expect(try await served.use(1) { $0.view.isItemSelected(at: IndexPath(item: 3, section: 0)) })
        try await served.run(
            "items.unshift({ id: 900, name: 'new' }); view.performBatchUpdates(() => view.insertItems({ at: [[0, 0]] }));"
        )
        let after = try await served.use(0) { $0.makeUpdate() }
        #expect(Self.texts(after).contains("new"))
        try await served.end()
    }

    @Test(
        "S1 S3 S7 a position saved in the terminal is found in a page of the same script after a restart and another order"
    )
    func acrossRenderers() async throws {
        let workplace = try Workplace()
        let terminal = try await Served(Self.script, workplace)
        let state = try await terminal.program.bridge.withCollectionView("main") { owner in
            try owner.setUnit(.cell)
            owner.view.frame = Rect(x: 0, y: 0, width: 60, height: 20)
            try owner.view.scrollToItem(at: IndexPath(item: 200, section: 0), at: .start)
            try owner.view.selectItem(at: IndexPath(item: 202, section: 0))
            _ = try owner.view.makeFrame()
            let archive = try owner.makeRestorableSource()
                .savedState(of: owner.view, marks: owner.view.restorableMarks)
            return String(decoding: try archive.json(), as: UTF8.self)
        }
        try await terminal.end()
        // Another process: the rows are reversed, and the first visible one is gone.
        let page = try await Served(
            Self.script
                + "items.reverse(); items.splice(items.findIndex(item => item.id === 200), 1); view.reloadData();",
            workplace
        )
        try await page.open(state: state)
        let update = try await page.use { $0.makeUpdate() }
        let texts = Self.texts(update)
        // The rule of the next rows: 201 takes the place of 200.
        let content = try #require(update?["content"]["offset"].doubleValue)
        let anchor = update?["elements"].arrayValue?.first { element in element["text"][0][0] == "row 201" }
        #expect(texts.contains("row 201"))
        #expect(anchor?["frame"][1].doubleValue == content + 28 || anchor?["frame"][1].doubleValue == content)
        let selected = try await page.use { session in session.view.indexPathsForSelectedItems.map(\.item) }
        #expect(selected == [499 - 202])
        try await page.end()
    }
}
