import BridgeData
import BridgeTesting
import BridgeViews
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import Testing

/// The sides of scripts' views: hostile scripts, ends, changes that are easy to miss.
@Suite struct ScriptViewSidesTests {
    // MARK: - Contents that must not be stale

    @Test("an item that a registered source changes in place is shown again when the source announces it")
    func changedInPlace() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.rows = [{ n: 1 }, { n: 2 }];
            globalThis.source = bridge.registerDataSource("rows", { numberOfItems: () => rows.length, item: (s, i) => rows[i] });
            bridge.collectionView({ source, cell: row => "n " + row.n });
            """
        )
        #expect(try await views.texts() == ["n 1", "n 2"])
        try await views.run("rows[0].n = 7; source.reload([{ type: 'update', from: [0, 0] }]);")
        #expect(try await views.texts() == ["n 7", "n 2"])
        try await views.run("rows[1].n = 8; source.reload();")
        #expect(try await views.texts() == ["n 7", "n 8"])
    }

    @Test("a cell with the path has the content of its own path after an insertion")
    func pathCells() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.items = ["a", "b"];
            globalThis.view = bridge.collectionView({ source: items, cell: (item, path) => path.item + " " + item });
            """
        )
        #expect(try await views.texts() == ["0 a", "1 b"])
        try await views.run("items.unshift('new'); view.insertItems({ at: [[0, 0]] });")
        #expect(try await views.texts().first == "0 new")
        try await views.run("view.reconfigureItems({ at: [[0, 1], [0, 2]] });")
        #expect(try await views.texts() == ["0 new", "1 a", "2 b"])
    }

    @Test("a row that was changed while it was outside of a query is shown again when it returns")
    func returned() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.store = bridge.store();
            store.createEntity("task", { title: "string", done: "boolean" });
            globalThis.id = store.insert("task", { title: "old", done: false });
            bridge.collectionView({ source: store.fetch("task", { where: { done: false } }), cell: row => row.title });
            """
        )
        #expect(try await views.texts() == ["old"])
        try await views.run("store.update('task', id, { done: true });")
        #expect(try await views.texts() == [])
        try await views.run(
            "store.update('task', id, { title: 'new' }); store.update('task', id, { done: false });"
        )
        #expect(try await views.texts() == ["new"])
    }

    @Test("sections that come later have headers")
    func laterHeaders() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.store = bridge.store();
            store.createEntity("city", { name: "string", land: "string" });
            bridge.collectionView({ source: store.fetch("city", { sectionBy: "land" }), cell: row => row.name });
            """
        )
        #expect(try await views.texts() == [])
        try await views.run("store.insert('city', { name: 'Rom', land: 'Italy' });")
        #expect(try await views.texts().sorted() == ["Italy", "Rom"])
    }

    @Test("headers that count their items are right after each change")
    func countingHeaders() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.store = bridge.store();
            store.createEntity("city", { name: "string", land: "string" });
            store.insert("city", { name: "Rom", land: "Italy" });
            globalThis.query = store.fetch("city", { sectionBy: "land", sort: "name" });
            bridge.collectionView({ source: query, cell: row => row.name, header: section => "Italy " + query.section(section).count });
            globalThis.items = [1];
            globalThis.list = bridge.collectionView({ name: "list", source: items, header: () => items.length + " items" });
            """
        )
        #expect(try await views.texts().sorted() == ["Italy 1", "Rom"])
        try await views.run("store.insert('city', { name: 'Bari', land: 'Italy' });")
        #expect(try await views.texts().sorted() == ["Bari", "Italy 2", "Rom"])
        #expect(try await views.texts("list").sorted() == ["1", "1 items"])
        try await views.run("items.push(2); list.insertItems({ at: [[0, 1]] });")
        #expect(try await views.texts("list").sorted() == ["1", "2", "2 items"])
    }

    @Test(
        "misspelled options, promises and objects without a cell function are said in a sentence",
        arguments: [
            ("{ source: [1], cels: 1 }", "collectionView has no member 'cels'"),
            ("{ source: [1], delegate: { didSelectItem() {} } }", "a delegate has no member 'didSelectItem'"),
        ]
    )
    func misspelled(_ options: String, _ message: String) async throws {
        let views = try ScriptViews()
        try await views.run(
            "try { bridge.collectionView(\(options)); } catch (error) { note(error.message); }"
        )
        #expect(views.notes.elements.first?.stringValue?.hasPrefix(message) == true)
    }

    @Test(
        "contents that cannot be shown say so in their place",
        arguments: [
            (
                "async item => 'x'",
                "cell failed: cell must return its value, not a promise"
            ),
            ("item => ({ txt: 'x' })", "cell failed: a content has no member 'txt'"),
            ("item => 'a\\ud800b'", "a\u{FFFD}b"), ("item => '\\ud83d\\ude00\\ud83d'", "\u{1F600}\u{FFFD}"),
        ]
    )
    func unshownContents(_ cell: String, _ text: String) async throws {
        let views = try ScriptViews()
        try await views.run("bridge.collectionView({ source: [{ id: 1 }], cell: \(cell) });")
        #expect(try await views.texts().first?.hasPrefix(text) == true)
        try await views.run("bridge.collectionView({ name: 'plain', source: [{ id: 1 }] });")
        #expect(try await views.texts("plain").first?.contains("needs the option cell") == true)
    }

    @Test(
        "U6 a single update that breaks a rule throws, and a layout that invalidates itself requests no frame"
    )
    func singleUpdates() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.items = [1, 2];
            globalThis.view = bridge.collectionView({ source: items, delegate: { willDisplay() { view.reloadData(); } } });
            for (const update of [
                () => view.insertItems({ at: [[0, 1]] }), () => view.deleteItems({ at: [[0, 9]] }),
                () => view.performBatchUpdates(async () => {}),
            ]) { try { update(); note("no error"); } catch (error) { note(error.code ?? error.message); } }
            """
        )
        #expect(
            views.notes.elements.prefix(2).allSatisfy { $0.stringValue?.hasPrefix("view.") == true },
            "\(views.notes.elements)"
        )
        #expect(views.notes.elements.last?.stringValue?.contains("not a promise") == true)
        let changes = views.changes.elements.count
        _ = try? await views.texts()
        #expect(views.changes.elements.count == changes)
    }

    // MARK: - Moves and menus

    @Test("V18 a move that fails is undone, and said in a sentence")
    func failedMove() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.items = [1, 2, 3];
            bridge.collectionView({ source: items, delegate: { canMoveItemAt: () => true, moveItemAt() { throw new Error("locked"); } } });
            bridge.collectionView({
                name: "object", source: { numberOfItems: 3, item: (s, i) => i }, delegate: { canMoveItemAt: () => true } });
            """
        )
        for name in ["main", "object"] {
            let before = try await views.texts(name)
            try await views.bridge.withCollectionView(name) { owner in
                #expect(try owner.view.beginInteractiveMovementForItem(at: IndexPath(item: 0, section: 0)))
                try owner.view.updateInteractiveMovementTarget(IndexPath(item: 2, section: 0))
                try owner.view.endInteractiveMovement()
            }
            #expect(try await views.texts(name) == before)
        }
        #expect(views.errors.elements.first == "locked")
        #expect(views.errors.elements.last?.contains("was not moved") == true)
    }

    @Test("a query that reports a move itself is not moved twice")
    func reportedMove() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.store = bridge.store();
            store.createEntity("task", { name: "string", place: "integer" });
            for (const [name, place] of [["a", 0], ["b", 1], ["c", 2]]) store.insert("task", { name, place });
            globalThis.query = store.fetch("task", { sort: "place" });
            bridge.collectionView({ source: query, cell: row => row.name, delegate: {
                moveItemAt({ at, to }) {
                    const rows = [...query.window(0, 0, 3)];
                    rows.splice(to.item, 0, ...rows.splice(at.item, 1));
                    store.transaction(() => rows.forEach((row, place) => store.update("task", row, { place })));
                },
            } });
            """
        )
        _ = try await views.texts()
        try await views.bridge.withCollectionView("main") { owner in
            #expect(try owner.view.beginInteractiveMovementForItem(at: IndexPath(item: 0, section: 0)))
            try owner.view.updateInteractiveMovementTarget(IndexPath(item: 2, section: 0))
            try owner.view.endInteractiveMovement()
        }
        await views.settle()
        #expect(try await views.texts() == ["b", "c", "a"])
    }

    @Test("an action is performed on the item of its menu, whatever menus and rows came meanwhile")
    func menus() async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.items = [{ id: 1 }, { id: 2 }, { id: 3 }];
            globalThis.view = bridge.collectionView({ source: items, cell: item => item.id, menu: item => [
                { title: "Take", action: (own, path) => own.id + " at " + path.item },
            ] });
            """
        )
        let first = try await views.bridge.withCollectionView("main") { owner in
            let menu = try owner.menu(at: IndexPath(item: 1, section: 0))
            _ = try owner.menu(at: IndexPath(item: 2, section: 0))
            return menu[0]
        }
        try await views.run("items.unshift({ id: 9 }); view.insertItems({ at: [[0, 0]] });")
        let message = try await views.bridge.withCollectionView("main") { owner in
            try owner.performAction(first.number, ofMenu: first.menu)
        }
        #expect(message == "2 at 2")
        try await views.run("items.splice(2, 1); view.deleteItems({ at: [[0, 2]] });")
        await #expect(throws: (any Error).self) {
            try await views.bridge.withCollectionView("main") { owner in
                try owner.performAction(first.number, ofMenu: first.menu)
            }
        }
    }

    // MARK: - Hostile scripts

    @Test(
        "R20 a script that replaces functions of the language gets errors or wrong rows, and never ends the host",
        arguments: [
            "Array.prototype[Symbol.iterator] = function* () { yield NaN; };",
            "Array.prototype.toJSON = () => [[\"cell\", \"\", 1e18, -5, 0, 0, 1, 1]];",
            "Object.prototype.toJSON = () => NaN;",
            "Object.prototype.section = 1e300; Object.prototype.item = -7;",
            "Array.isArray = () => true;",
        ]
    )
    func tampering(_ attack: String) async throws {
        let views = try ScriptViews()
        try await views.run(
            """
            globalThis.layout = {
                collectionViewContentSize: { width: 40, height: 10 },
                layoutAttributesForElements: () => [{ indexPath: { section: 0, item: 0 }, frame: { x: 0, y: 0, width: 4, height: 1 } }],
            };
            globalThis.view = bridge.collectionView({ source: [1, 2], cell: item => "row " + item, layout });
            \(attack)
            for (const call of [
                () => view.numberOfItems({ inSection: 0 }), () => view.scrollToItem({ at: [0, 1] }),
                () => view.reloadItems({ at: [[0, 1]] }), () => view.selectItem({ at: { section: 0, item: 1 } }),
                () => view.insertSections([0, 1]), () => view.layoutAttributesForItem({ at: [0, 0] }),
                () => view.setCollectionViewLayout({ script: { prepare: () => [9, 9], elements: () => [["cell", "", 1e18, 0, 0, 0, 1, 1]] } }),
                () => view.invalidateLayout(), () => view.indexPathsForVisibleItems,
            ]) { try { call(); } catch {} }
            """
        )
        _ = try? await views.texts()
        // The host lives, and another view of the bridge works as far as the language does.
        #expect(try await views.bridge.collectionViewNames() == ["main"])
    }

    @Test(
        "layouts whose items are too small or too many to be shown are refused",
        arguments: [
            ("{ type: 'flow', itemSize: { width: 0, height: 20 } }", "itemSize of a layout is at least"),
            ("{ type: 'grid', columns: 4, rowLength: 0.01 }", "rowLength of a layout is at least"),
            ("{ type: 'grid', columns: 10000 }", "columns of a layout is an integer from 1 to 500"),
        ]
    )
    func tinyItems(_ layout: String, _ message: String) async throws {
        let views = try ScriptViews(unit: .pixel)
        try await views.run(
            "try { bridge.collectionView({ source: { numberOfItems: 2147483647, item: (s, i) => i }, layout: \(layout) }); } catch (error) { note(error.message); }"
        )
        #expect(views.notes.elements.first?.stringValue?.hasPrefix(message) == true)
    }

    @Test("a source that fails again and again is reported once, and requests no frame")
    func reportedOnce() async throws {
        let views = try ScriptViews()
        try await views.run(
            "globalThis.view = bridge.collectionView({ source: { numberOfItems: 3, window() { throw new Error('gone'); } } });"
        )
        let before = views.changes.elements.count
        for _ in 0..<5 { _ = try? await views.texts() }
        #expect(views.changes.elements.count == before)
        #expect(views.errors.elements.count == 1)
    }

    // MARK: - Ends

    @Test("L2 a closed view is freed, follows no data, and its name is free")
    func closed() async throws {
        let views = try ScriptViews { $0.maximumViews = 1 }
        try await views.run(
            """
            globalThis.rows = [1];
            globalThis.source = bridge.registerDataSource("rows", { numberOfItems: () => rows.length, item: (s, i) => rows[i] });
            for (let round = 0; round < 100; round++) bridge.collectionView({ source }).close();
            globalThis.view = bridge.collectionView({ source });
            """
        )
        let held = try await views.bridge.withCollectionView("main") { Held(owner: $0) }
        #expect(held.owner != nil)
        try await views.run("view.close(); try { view.reloadData(); } catch (error) { note(error.message); }")
        #expect(held.owner == nil)
        #expect(views.notes.elements == ["the collection view was closed"])
        let changes = views.changes.elements.count
        try await views.run("rows.push(2); source.reload();")
        #expect(views.changes.elements.count == changes)
    }

    @Test(
        "a renderer that holds a view through a reload of the bridge gets an error, and the new script its own view"
    )
    func reload() async throws {
        let views = try ScriptViews()
        let script =
            "bridge.collectionView({ source: Array.from({ length: 500 }, (_, i) => i), cell: i => 'row ' + i });"
        try await views.run(script)
        _ = try await views.texts()
        // As a page does, whose session lives longer than the context.
        let kept = try await views.bridge.withCollectionView("main") { Kept(owner: $0) }
        try await views.bridge.reload(rerunningScripts: false)
        try await views.bridge.withContext { _ in
            kept.owner?.view.contentOffset = 300
            #expect(throws: (any Error).self) { try kept.owner?.view.makeFrame() }
            #expect(throws: (any Error).self) {
                try kept.owner?.makeView(unit: .pixel, frame: Rect(x: 0, y: 0, width: 10, height: 10))
            }
            kept.owner = nil
        }
        try await views.run(script)
        #expect(try await views.texts().first == "row 0")
    }

    private struct Held: @unchecked Sendable { weak var owner: ScriptCollectionView? }

    private final class Kept: @unchecked Sendable {
        var owner: ScriptCollectionView?
        init(owner: ScriptCollectionView) { self.owner = owner }
    }
}
