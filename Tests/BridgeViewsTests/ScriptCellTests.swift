import BridgeData
import BridgeTesting
import BridgeViews
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import Testing

/// Contents of cells from scripts, and the sources of views.
@Suite struct ScriptCellTests {
    @Test("V11 V13 a script's array is shown with the content of its function, in spans, with accessories")
    func array() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.view = bridge.collectionView({
                source: [{ id: 1, name: "Ada" }, { id: 2, name: "Alan" }],
                cell: person => ({
                    spans: [person.name, { text: "!", style: "strong" }], secondary: "no. " + person.id, image: "person",
                    accessories: ["checkmark", { label: "new" }, { outline: true }], indentation: 1,
                }),
            });
            """
        )
        let frame = try await views.bridge.withCollectionView("main") { try $0.view.makeFrame() }
        #expect(frame.elements.count == 2)
        let content = try #require(frame.elements.first?.content)
        #expect(content.text.spans == [.init("Ada"), .init("!", style: .strong)])
        #expect(content.secondaryText.string == "no. 1")
        #expect(content.imageName == "person")
        #expect(
            content.accessories == [.checkmark, .label("new"), .outlineDisclosure(isExpanded: true)]
        )
        #expect(content.indentationLevel == 1)
        #expect(
            try await views.value("JSON.stringify(view.cellForItem({ at: { section: 0, item: 0 } }))")
                == """
                {"text":"Ada!","spans":[{"text":"Ada","style":"plain"},{"text":"!","style":"strong"}],\
                "secondary":[{"text":"no. 1","style":"plain"}],"image":"person",\
                "accessories":["checkmark",{"label":"new"},{"outline":true}],"indentation":1}
                """
        )
    }

    @Test("a content is made once for each version of a row, never for a frame")
    func made() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.made = 0;
            globalThis.items = Array.from({ length: 1000 }, (_, id) => ({ id }));
            globalThis.view = bridge.collectionView({ source: items, cell: item => { made++; return "row " + item.id; } });
            """
        )
        for offset in [0.0, 1, 2, 500, 0, 500, 1, 0] {
            try await views.bridge.withCollectionView("main") { owner in
                owner.view.contentOffset = offset
                _ = try owner.view.makeFrame()
            }
        }
        // Two blocks: around 0 and around 500.
        let made = try await views.value("made")
        #expect(made == 64)
        // Far away and back again, beyond what the host keeps.
        for offset in stride(from: 0.0, through: 900, by: 32) {
            try await views.bridge.withCollectionView("main") { owner in
                owner.view.contentOffset = offset
                _ = try owner.view.makeFrame()
            }
        }
        try await views.bridge.withCollectionView("main") { owner in
            owner.view.contentOffset = 0
            _ = try owner.view.makeFrame()
        }
        let all = try #require(try await views.value("made").integerValue)
        #expect(all <= 1000)
    }

    @Test(
        "J6 a live query drives a view: inserts, updates and deletes arrive as one batch, cells of other rows are kept"
    )
    func query() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            const store = bridge.store();
            store.createEntity("city", { name: "string", size: "integer" });
            for (let index = 0; index < 5; index++) store.insert("city", { name: "c" + index, size: index });
            globalThis.made = [];
            globalThis.view = bridge.collectionView({
                source: store.fetch("city", { sort: "name" }),
                cell: row => { made.push(row.name); return row.name + " " + row.size; },
            });
            """
        )
        #expect(try await views.texts() == ["c0 0", "c1 1", "c2 2", "c3 3", "c4 4"])
        try await views.run(
            """
            made.length = 0;
            const city = bridge.store().fetch("city", { where: { name: "c3" } }).rows[0];
            bridge.store().transaction(() => {
                bridge.store().insert("city", { name: "a", size: 9 });
                bridge.store().update("city", city, { size: 33 });
                bridge.store().delete("city", bridge.store().fetch("city", { where: { name: "c0" } }).rows[0]);
            });
            """
        )
        #expect(try await views.texts() == ["a 9", "c1 1", "c2 2", "c3 33", "c4 4"])
        // Only what is new: the contents of the other rows are those of before.
        #expect(try await views.value("made.sort().join()") == "a,c3")
        let counters = try await views.bridge.withCollectionView("main") { $0.view.counters }
        #expect(counters.created == 6)
    }

    @Test("a query in sections has their names as headers")
    func sections() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            const store = bridge.store();
            store.createEntity("city", { name: "string", land: "string" });
            for (const [name, land] of [["Rom", "I"], ["Bari", "I"], ["Graz", "A"]]) store.insert("city", { name, land });
            bridge.collectionView({ source: store.fetch("city", { sectionBy: "land", sort: "name" }), cell: row => row.name });
            """
        )
        let frame = try await views.bridge.withCollectionView("main") { try $0.view.makeFrame() }
        let lines = frame.elements.sorted { $0.attributes.frame.minY < $1.attributes.frame.minY }
            .map(\.content.text.string)
        #expect(lines == ["A", "Graz", "I", "Bari", "Rom"])
    }

    @Test(
        "a registered data source, an object and a data source of the host are sources, and announce changes"
    )
    func otherSources() async throws {
        let views = try ScriptViews()
        let shown = Shown()
        try await views.bridge.withContext { context in
            let list = ListSource(values: ["x", "y"])
            try context.showDataSource(list, named: "host")
            shown.value = list
        }
        try await views.run(
            """
            globalThis.rows = ["a", "b"];
            globalThis.source = bridge.registerDataSource("rows", { numberOfItems: () => rows.length, item: (s, i) => rows[i] });
            bridge.collectionView({ name: "registered", source });
            bridge.collectionView({ name: "object", source: { numberOfItems: 3, item: (s, i) => i * 2 } });
            bridge.collectionView({ name: "host", source: bridge.dataSource("host"), cell: text => text.toUpperCase() });
            """
        )
        #expect(try await views.texts("registered") == ["a", "b"])
        #expect(try await views.texts("object") == ["0", "2", "4"])
        #expect(try await views.texts("host") == ["X", "Y"])
        try await views.run("rows.unshift('new'); source.reload([{ type: 'insert', to: [0, 0] }]);")
        #expect(try await views.texts("registered") == ["new", "a", "b"])
        try await views.bridge.withContext { _ in _ = try shown.value?.setItems(["z", "x", "y"]) }
        #expect(try await views.texts("host") == ["Z", "X", "Y"])
        #expect(views.changes.elements.contains("host"))
        #expect(try await views.bridge.collectionViewNames() == ["registered", "object", "host"])
    }

    /// A list that is used in the turns of one bridge only.
    private final class Shown: @unchecked Sendable {
        var value: ListSource<String, String>?
    }

    @Test(
        "U6 an announcement that does not match the counts reloads the view, and says which rule was broken"
    )
    func wrongChanges() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.rows = ["a", "b"];
            globalThis.source = bridge.registerDataSource("rows", { numberOfItems: () => rows.length, item: (s, i) => rows[i] });
            globalThis.view = bridge.collectionView({ source });
            """
        )
        _ = try await views.texts()
        try await views.run("rows.push('c', 'd'); source.reload([{ type: 'insert', to: [0, 2] }]);")
        #expect(try await views.texts() == ["a", "b", "c", "d"])
        let message = try #require(try await views.value("view.lastError").stringValue)
        #expect(message.contains("the data source 'main' announced do not match its counts"))
    }

    @Test(
        "bad contents: a wrong cell is a sentence in its place, the other rows are shown",
        arguments: [
            ("() => { throw new Error('no name'); }", "cell failed: no name"),
            ("() => ({ text: {} })", "cell failed: the text of a cell is a string, not object"),
            ("() => ({ spans: [['x', 'blink']] })", "cell failed: a style is 'plain'"),
            ("() => ({ text: 'x', accessories: ['star'] })", "cell failed: an accessory is"),
            (
                "() => ({ text: 'x', accessories: 'star' })",
                "cell failed: the accessories of a cell are an array"
            ),
            ("() => ({ text: 'x', indentation: -1 })", "cell failed: the indentation of a cell"),
            ("() => ({ text: 'x', indentation: NaN })", "cell failed: the indentation of a cell"),
            ("() => ({ get text() { throw 7; } })", "cell failed: 7"),
        ]
    )
    func wrongCells(_ cell: String, _ message: String) async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            const bad = \(cell);
            bridge.collectionView({ source: [1, 2, 3], cell: item => item === 2 ? bad(item) : "row " + item });
            """
        )
        let texts = try await views.texts()
        #expect(texts.count == 3)
        #expect(texts.first == "row 1" && texts.last == "row 3")
        #expect(texts[1].hasPrefix(message))
        let frame = try await views.bridge.withCollectionView("main") { try $0.view.makeFrame() }
        #expect(frame.elements[1].content.text.spans.map(\.style) == [.failure])
        #expect(views.errors.elements.count == 1)
    }

    @Test("X9 a source whose count fails keeps the rows that it had, and the error is recorded")
    func failingCount() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.count = 2;
            globalThis.source = bridge.registerDataSource("rows", {
                numberOfItems: () => { if (count < 0) throw new Error("no count"); return count; }, item: (s, i) => "r" + i });
            globalThis.view = bridge.collectionView({ source });
            """
        )
        #expect(try await views.texts() == ["r0", "r1"])
        try await views.run("count = -1; view.reloadData();")
        #expect(try await views.texts() == ["r0", "r1"])
        let message = try #require(try await views.value("view.lastError").stringValue)
        #expect(message.contains("failed in numberOfItems"))
        try await views.run("count = 3; view.reloadData();")
        #expect(try await views.texts() == ["r0", "r1", "r2"])
    }

    @Test(
        "X9 a source or a header that answers with a promise is refused by the name of its function",
        arguments: [
            ("numberOfItems: 2, item: async (s, i) => 'a' + i", "item must return its value, not a promise"),
            (
                "numberOfItems: 2, item: (s, i) => ({ then: () => {} })",
                "item must return its value, not a promise"
            ),
            (
                "numberOfItems: 2, window: async () => ['a', 'b']",
                "window must return its value, not a promise"
            ),
            (
                "numberOfItems: async () => 2, item: () => 'a'",
                "numberOfItems must return its value, not a promise"
            ),
            (
                "numberOfItems: 2, item: () => 'a', headerTitle: async () => 'A'",
                "headerTitle must return its value, not a promise"
            ),
        ]
    )
    func promises(_ members: String, _ message: String) async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            try {
                bridge.collectionView({ source: { \(members) }, cell: item => "a" + item });
            } catch (error) {
                note(error.message);
            }
            """
        )
        if let refusal = views.notes.elements.first?.stringValue { #expect(refusal.contains(message)) }
        guard views.notes.elements.isEmpty else { return }
        // The sentence is that of the frame, which renderers show.
        let error = await #expect(throws: (any Error).self) { try await views.texts() }
        #expect("\(String(describing: error))".contains(message))
        #expect(views.errors.elements.contains { $0.contains(message) })
    }

    @Test("a header and the details that are promises are refused by their names")
    func otherPromises() async throws {
        let views = try ScriptViews()
        try await views.run(
            "bridge.collectionView({ source: ['a'], header: async () => 'A', details: async () => 'b' });"
        )
        #expect(
            try await views.texts().contains(
                "header failed: header must return its value, not a promise: a frame cannot wait"
            )
        )
        let error = try await views.bridge.withCollectionView("main") { owner in
            #expect(throws: (any Error).self) { try owner.details(at: IndexPath(item: 0, section: 0)) }
        }
        #expect("\(String(describing: error))".contains("details must return its value, not a promise"))
    }

    @Test("a cell that never ends is stopped by the limit, and the next frame is right")
    func endless() async throws {
        let views = try ScriptViews(limit: .milliseconds(150))
        try await views.run(
            """
            globalThis.isEndless = true;
            globalThis.view = bridge.collectionView({ source: [1, 2], cell: item => { while (isEndless); return "row " + item; } });
            """
        )
        await #expect(throws: (any Error).self) { try await views.texts() }
        try await views.run("isEndless = false; view.reloadData();")
        #expect(try await views.texts() == ["row 1", "row 2"])
    }

    @Test("1,000,000 rows cost a frame no more than the visible ones")
    func many() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.asked = 0;
            globalThis.view = bridge.collectionView({
                source: { numberOfItems: 1000000, item: (s, i) => { asked++; return i; } }, cell: i => "row " + i });
            view.scrollToItem({ at: { section: 0, item: 999999 }, scrollPosition: "bottom" });
            """
        )
        #expect(try await views.texts().last == "row 999999")
        let asked = try #require(try await views.value("asked").integerValue)
        #expect(asked <= 200)
    }
}
