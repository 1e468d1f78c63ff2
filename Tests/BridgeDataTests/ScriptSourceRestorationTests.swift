import BridgeData
import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import Testing

/// Views over a script's sources find their position again by the identities of the items.
@Suite struct ScriptSourceRestorationTests {
    private static let head = """
        const words = [];
        for (let n = 0; n < 100; n++) words.push({ id: "k" + n, text: "w" + (100 + n), size: n * 37 % 101 });
        const source = {
            numberOfItems: () => words.length, window: (section, from, to) => words.slice(from, to), sortKeys: ["text"],
        };
        const handle = bridge.registerDataSource("words", source);
        const view = offset => ({ offset, height: 100, rowHeight: 20 });

        """

    @Test("S1 S2 S3 S4 S6 a script's list finds its position by identity, and reports the rule")
    func list() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const state = handle.saveState({ ...view(507), selection: [{ section: 0, item: 3 }], focus: { section: 0, item: 99 }, values: { filter: "w" } });
                report([state.anchor.id, state.anchor.offset, state.fallbacks.length, state.selected, state.focus, state.sortedBy, state.sortKey]);
                const text = JSON.stringify(state);
                const found = () => {
                    const { rule, path, offset, isClamped, missing, values } = handle.restoreState(text, view(0));
                    return [rule, path === undefined ? null : words[path.item].text, offset, missing, values.filter, isClamped];
                };
                words.reverse(); source.sortKeys = ["-text"]; handle.reload();
                report(found());
                words.reverse(); source.sortKeys = ["text"];
                words.splice(25, 1); words.splice(98, 1); handle.reload();
                report(found());
                words.splice(20, 12); handle.reload();
                report(found());
                source.sortKeys = []; handle.reload();
                report(found());
                words.length = 0; handle.reload();
                report(found());
                report(handle.restoreState(text, { ...view(0), policy: "preventWhenEmpty" }) === undefined);
                """
        )
        #expect(
            results == [
                ["k25", -7, 8, ["k3"], "k99", ["text"], ["w125"]], ["anchor", "w125", 1_487, 0, "w", false],
                ["fallback", "w126", 487, 1, "w", false], ["sortKey", "w133", 407, 1, "w", false],
                ["section", "w100", 0, 1, "w", false], ["top", .null, 0, 2, "w", false], true,
            ]
        )
    }

    @Test(
        "S1 S3 S5 sections are identified by identifier or title, and items without an identity are left out"
    )
    func sections() async throws {
        let results = try await ScriptRun().run(
            """
            const sections = [["a", [1, 2, 3]], ["b", [4, 5, 6]], ["c", [7, 8, 9]]];
            const source = {
                numberOfSections: () => sections.length, numberOfItems: s => sections[s][1].length,
                item: (s, i) => sections[s][1][i], headerTitle: s => "Title " + sections[s][0],
                identifier: item => item === 5 ? undefined : item,
            };
            const handle = bridge.registerDataSource("numbers", source);
            const view = offset => ({ offset, height: 2 });
            const state = handle.saveState({ ...view(4), selection: [{ section: 1, item: 1 }, { section: 2, item: 2 }] });
            report([state.anchor.id, state.section, state.selected, state.schema]);
            sections.reverse(); handle.reload();
            report(handle.restoreState(state, view(0)));
            sections[1][1] = [10, 11]; sections[0][1] = [12]; sections[2][1] = [13, 14, 15]; handle.reload();
            const found = handle.restoreState(state, view(0));
            report([found.rule, found.path, found.missing]);
            source.schema = "other";
            try { handle.restoreState(state, view(0)) } catch (error) { report(error.code) }
            report(handle.restoreState(state, { ...view(0), knownSchemas: ["source:numbers"] }).rule);
            """
        )
        #expect(results.count == 5)
        #expect(results[0] == ["6", ["Title b"], ["9"], "source:numbers"])
        #expect(results[1]["rule"] == "anchor")
        #expect(results[1]["path"] == ["section": 1, "item": 2])
        #expect(results[1]["selection"] == [["section": 0, "item": 2]])
        #expect(results[2] == ["section", ["section": 1, "item": 0], 1])
        #expect(results[3] == "state.unknownSchema")
        #expect(results[4] == "section")
    }

    @Test(
        "S8 an identity is looked up by the script's indexOf, or in a table that is built once for each change"
    )
    func lookUp() async throws {
        let results = try await ScriptRun().run(
            """
            let read = 0;
            const list = Array.from({ length: 5000 }, (_, index) => ({ id: index }));
            const source = { numberOfItems: () => list.length, window: (s, from, to) => { read += to - from; return list.slice(from, to) } };
            const handle = bridge.registerDataSource("list", source);
            const view = { height: 1, offset: 4000 };
            const state = handle.saveState(view);
            const counted = () => { const before = read; const { rule, offset } = handle.restoreState(state, { height: 1 }); return [rule, offset, read - before] };
            report([read < 20, ...counted(), ...counted()]);
            list.unshift({ id: -1 }); handle.reload([{ type: "insert", to: [0, 0] }]);
            report([...counted(), ...counted()]);
            // A change without an announcement is detected by the item at the position.
            list.unshift({ id: -2 });
            report(counted());
            source.indexOf = id => ({ section: 0, item: list.findIndex(item => item.id === Number(id)) });
            handle.reload();
            report(counted());
            source.indexOf = () => ({ section: 0, item: 7 });
            try { handle.restoreState(state, { height: 1 }) } catch (error) { report([error.code, error.message]) }
            """
        )
        #expect(
            results == [
                [true, "anchor", 4_000, 5_001, "anchor", 4_000, 1],
                ["anchor", 4_001, 5_002, "anchor", 4_001, 1], ["anchor", 4_002, 5_004], ["anchor", 4_002, 1],
                [
                    "decodeFailed",
                    "the data source 'list' answered indexOf with an object, not with a path { section, item } that has it",
                ],
            ]
        )
    }

    @Test(
        "S2 S4 a Swift view over a script's source is restored in a turn, and through a mirror outside of turns"
    )
    func fromSwift() async throws {
        let run = try ScriptRun()
        try await run.run(
            Self.head
                + "globalThis.shift = () => { words.unshift({ id: 'new', text: 'a' }); handle.reload() };"
        )
        let view = RowsView(counts: [100], rowLength: 20, viewportLength: 100, contentOffset: 507)
        let archive = try await run.bridge.withDataSource("words") { source in
            let marks = RestorableMarks(focus: IndexPath(item: 4, section: 0))
            return source.savedState(of: view, marks: marks)
        }
        #expect(archive.anchor?.id == "k25")
        let mirror = try await run.bridge.mirrorDataSource("words", of: Value.self)
        #expect(try await mirror.savedState(of: view).anchor == archive.anchor)
        try await run.run("shift();")
        let larger = RowsView(counts: [101], rowLength: 20, viewportLength: 100)
        let found = try #require(try await mirror.restoredState(from: archive, in: larger))
        #expect(found.rule == .anchor)
        #expect(found.contentOffset == 527)
        #expect(found.marks.focus == IndexPath(item: 5, section: 0))
        let again = try await run.bridge.withDataSource("words") { source in
            try source.restoredState(from: archive, in: larger)
        }
        #expect(again == found)
        // A view of an older state than the script's is not combined with the newest one.
        mirror.changesPending = {}
        try await run.run("shift();")
        await #expect(throws: BridgeError.self) { try await mirror.restoredState(from: archive, in: larger) }
    }

    @Test("S1 S5 a hostile identity is an error with the name of the source, and never a wrong position")
    func hostile() async throws {
        let results = try await ScriptRun().run(
            """
            const code = source => {
                const handle = bridge.registerDataSource("bad", { numberOfItems: 3, item: (s, i) => ({ id: i }), ...source });
                try { handle.restoreState(handle.saveState({ height: 1, offset: 1 }), { height: 1 }); return "nothing" }
                catch (error) { return error.message }
            };
            report([
                code({ identifier: () => ({}) }), code({ identifier: () => NaN }), code({ identifier: () => { throw new Error("no") } }),
                code({ item: () => ({ get id() { throw new Error("no") } }) }), code({ sortKeys: "text" }),
                code({ sortKeys: ["id"], item: () => ({ id: Symbol.iterator }) }), code({ sectionIdentifier: () => null }), code({ schema: 5 }),
                code({ sortKeys: ["list"], item: (s, i) => ({ id: i, list: [] }) }), code({ numberOfItems: -1 }), code({}),
            ]);
            """
        )
        let messages = try #require(results.first?.arrayValue).compactMap(\.stringValue)
        #expect(messages.count == 11)
        #expect(messages.dropLast().allSatisfy { $0.hasPrefix("the data source 'bad' ") }, "\(messages)")
        #expect(messages.last == "nothing")
    }

    @Test(
        "S1 S2 S8 a data source of the host saves and restores a script's view, if its items have identities"
    )
    func hostSource() async throws {
        struct Item: Identifiable, Hashable, Codable { var id: Int }
        let run = try ScriptRun()
        try await run.bridge.showDataSource(named: "menu") { _ in
            ListSource((0..<50).map { Item(id: $0 * 2) }, id: \.id)
        }
        let results = try await run.run(
            """
            const menu = bridge.dataSource("menu");
            const state = menu.saveState({ height: 5, offset: 20 });
            report([state.anchor.id, menu.restoreState(state, { height: 5 }).offset, menu.restoreState(state, { height: 5 }).rule]);
            """
        )
        #expect(results == [["40", 20, "anchor"]])
    }
}
