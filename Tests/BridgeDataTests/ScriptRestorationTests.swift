import BridgeData
import BridgeTesting
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

@Suite struct ScriptRestorationTests {
    private let path = FileManager.default.temporaryDirectory.path + "/script-state-\(UUID().uuidString).db"

    /// Runs a script on the store of this test, as a separate program, and returns the values that it passed to
    /// `report`.
    private func run(_ script: String) async throws -> [Value] {
        let results = Recorder<Value>()
        var configuration = BridgeConfiguration.patient
        configuration.uncaughtErrorHandler = { results.add(.string("uncaught \($0)")) }
        let store = try SQLiteStore(location: .file(path))
        let bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": store])
        )
        try bridge.registerHandler("report") { (value: Value) in results.add(value) }
        let head = """
            const report = value => bridge.notify('report', value);
            const store = bridge.store();
            store.createEntity("word", { text: "string", size: "integer" });
            const view = offset => ({ offset, height: 100, rowHeight: 20 });

            """
        try await bridge.load(.text(head + script, name: "test.js"))
        await bridge.waitUntilIdle()
        return results.elements
    }

    @Test(
        "S1 S2 S4 S6 a script saves a view as JSON, and finds its position again after a restart, a sort and deletions"
    )
    func restart() async throws {
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        let saved = try await run(
            """
            store.transaction(() => { for (let n = 0; n < 100; n++) store.insert("word", { text: "w" + (100 + n), size: n * 37 % 101 }); });
            const words = store.fetch("word", { sort: "text" });
            const state = words.saveState({
                ...view(507), selection: [{ section: 0, item: 3 }], focus: { section: 0, item: 99 }, expanded: ["more"], values: { filter: "w" },
            });
            report(JSON.stringify(state));
            report([state.version, state.anchor.offset, state.fallbacks.length, state.selected.length, state.values.filter]);
            """
        )
        #expect(saved.last == [1, -7, 8, 1, "w"])
        let json = try #require(saved.first?.stringValue)
        let archive = String(decoding: try JSONEncoder().encode(json), as: UTF8.self)
        let found = try await run(
            """
            store.delete("word", 100);
            const archive = \(archive);
            const words = store.fetch("word", { sort: [{ key: "text", ascending: false }] });
            const state = words.restoreState(archive, view(0));
            report([state.rule, words.item(state.path.section, state.path.item).text, state.offset, state.isClamped]);
            report([state.selection.map(p => words.item(p.section, p.item).text), state.focus === undefined, state.missing, state.expanded, state.values]);
            const changed = JSON.parse(archive);
            changed.anchor.id = "gone";
            changed.fallbacks = [];
            report(store.fetch("word", { sort: "text" }).restoreState(changed, view(0)).rule);
            report(words.restoreState(changed, { ...view(0), policy: "prevent" }) === undefined);
            """
        )
        #expect(
            found == [
                ["anchor", "w125", 1_467, false], [["w103"], true, 1, ["more"], ["filter": "w"]], "sortKey",
                true,
            ]
        )
    }

    @Test("S6 a rejected archive is an error with a code, and an invalid view an error with the reason")
    func refused() async throws {
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        let results = try await run(
            """
            const words = store.fetch("word", { sort: "text" });
            const code = body => { try { body(); return "nothing"; } catch (error) { return error.code; } };
            const good = words.saveState(view(0));
            report([
                code(() => words.restoreState({ ...good, version: 9 }, view(0))),
                code(() => words.restoreState({ ...good, schema: "?" }, view(0))),
                code(() => words.restoreState("{", view(0))),
                code(() => words.restoreState(undefined, view(0))),
                code(() => words.restoreState({ ...good, fallbacks: 5 }, view(0))),
                code(() => words.restoreState(good, { policy: "later" })),
                code(() => words.saveState({ height: "tall" })),
                code(() => words.saveState({ selection: [5] })),
                code(() => words.saveState({ values: { list: [] } })),
                code(() => words.saveState(null)),
                code(() => words.restoreState({ ...good, schema: "?" }, { knownSchemas: ["?"] })),
                good.anchor === undefined,
            ]);
            """
        )
        #expect(
            results == [
                [
                    "state.unknownVersion", "state.unknownSchema", "state.unreadable", "state.unreadable",
                    "state.unreadable", "invalidArgument", "invalidArgument", "invalidArgument",
                    "invalidArgument", "invalidArgument", "nothing", true,
                ]
            ]
        )
    }
}
