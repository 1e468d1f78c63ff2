import BridgeProtocol
import BridgeTesting
import DataBridging
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// What scripts do with stores is in a journal whole: a replay has no store.
@Suite("Replay: data", .serialized)
struct DataJournalTests {
    private static let cities = """
        const store = bridge.store();
        store.createEntity("city", { name: { type: "string", unique: true, optional: false }, country: "string", people: "integer",
            area: "double", founded: "date", flag: "data", isCapital: "boolean" });
        store.transaction(() => {
            for (const [name, country, people] of [["Oslo", "NO", 7], ["Bergen", "NO", 3], ["Kraków", "PL", 8], ["Łódź", "PL", 6], ["東京", "JP", 140]])
                store.insert("city", { name, country, people, area: people / 3, founded: new Date(1000 * people),
                    flag: new Uint8Array([people, 1, 2]), isCapital: name === "Oslo" });
        });
        const byCountry = store.fetch("city", { sectionBy: "country", sort: ["country", "name"] });

        """

    /// Scripts of all that the data API has, each with how many reports it makes.
    private static let scripts: [(name: String, text: String, reports: Int)] = [
        (
            "rows",
            """
            report([byCountry.count, byCountry.numberOfSections, [0, 1, 2, 3, -1].map(s => byCountry.numberOfItems(s))]);
            report(byCountry.section(1));
            for (const row of byCountry) report({ ...row });
            report(byCountry.window(2, 0, 10).map(row => [row.name, row.flag, row.founded, row.area, row.isCapital]));
            report([byCountry.item(9, 0) === undefined, byCountry.indexOf(byCountry.item(2, 1)), Object.keys(byCountry.item(0, 0))]);
            report(store.entities);
            report(store.fetch("city", { where: { or: [{ name: { contains: "ó" } }, { country: { in: ["JP"] } }] }, sort: "name" }).rows.map(r => r.name));
            """, 10
        ),
        (
            "listeners",
            """
            const other = store.fetch("city", { sort: "people" });
            const before = byCountry.snapshot();
            byCountry.onChange(changes => {
                report([changes.toString(), changes.sections, changes.items, changes.packed, changes.ids]);
                const fresh = store.fetch("city", { sectionBy: "country", sort: ["country", "name"] }).snapshot();
                report([before.applying(changes).equals(fresh), fresh.applying(changes.inverse()).equals(before)]);
                Promise.resolve().then(() => report("after " + other.count));
                if (byCountry.count < 8) store.insert("city", { name: "More " + byCountry.count, country: "XX", people: 1 });
                else byCountry.close();
            });
            other.onChange(changes => { report(other.window(0, 0, 3).map(r => r.name)); if (other.count > 6) throw new Error("mine"); }),
            store.transaction(() => {
                store.insert("city", { name: "Nice", country: "FR", people: 3 });
                store.delete("city", byCountry.item(0, 0).id);
                store.update("city", byCountry.item(1, 1).id, { people: 8 });
                store.update("city", byCountry.item(2, 0).id, { name: "Żory" });
            });
            report(["after the transaction", byCountry.count]);
            setTimeout(() => { store.upsert("city", "name", { name: "Oslo", people: 700 }); other.close(); }, 0);
            """, 8
        ),
        (
            "transactions",
            """
            const mine = new Error("mine");
            try { store.transaction(() => { store.insert("city", { name: "A" }); throw mine }) } catch (e) { report(e === mine) }
            try { store.transaction(() => { throw 5 }) } catch (e) { report(e) }
            store.transaction(() => {
                store.insert("city", { name: "B" });
                try { store.transaction(() => { store.insert("city", { name: "C" }); throw mine }) } catch (e) { report(e === mine) }
            });
            try { store.transaction(async () => { store.insert("city", { name: "D" }) }) } catch (e) { report(e.message) }
            report(store.fetch("city", { where: { name: { in: ["A", "B", "C", "D"] } }, sort: "name" }).rows.map(r => r.name));
            try { store.insert("city", { name: "Oslo" }) } catch (e) { report([e.code, e.message, e instanceof Error, e.name]) }
            try { store.insert("city", { name: 5 }) } catch (e) { report([e.code, e.message]) }
            try { store.insert("city", { nam: "x" }) } catch (e) { report(e.code) }
            try { bridge.store("none") } catch (e) { report(e.code) }
            try { store.insert("city", { get name() { throw mine } }) } catch (e) { report(e === mine) }
            let reads = 0;
            store.insert("city", { get name() { return "read " + ++reads } });
            report([reads, store.transaction(() => 42)]);
            report({ "@": 1, list: [{ "@": ["host", 1] }] });
            """, 12
        ),
        (
            "key functions",
            """
            let calls = 0;
            const byLength = store.fetch("city", { filter: row => row.people < 100, sort: [{ key: row => { calls++; return row.name.length }, ascending: false }, "name"] });
            report([byLength.rows.map(r => r.name), calls]);
            byLength.onChange(changes => { report([changes.items, byLength.rows.map(r => r.name), calls]); byLength.close() });
            store.transaction(() => { store.insert("city", { name: "Nowy Targ", people: 2 }); store.insert("city", { name: "Paris", people: 200 }) });
            const bad = new Error("bad");
            try { store.fetch("city", { sort: () => { throw bad } }).count } catch (e) { report(e === bad) }
            report(Array.from(bridge.order(["b", "c", "a"], (x) => x)));
            report(Array.from(bridge.order([3, 1, 2], (x) => x, { ascending: false })));
            report(bridge.difference([1, 2, 3], [3, 1, 4]).items);
            report(bridge.difference(new Int32Array([1, 2]), new Int32Array([2])).packed);
            """, 7
        ),
        (
            "state",
            """
            const view = { height: 2, offset: 1, selection: [{ section: 0, item: 0 }], values: { filter: "x" } };
            const state = byCountry.saveState(view);
            delete state.time;
            report(state);
            report(byCountry.restoreState(JSON.stringify(state), view));
            try { byCountry.restoreState("{}") } catch (e) { report(e.code) }
            """, 3
        ),
    ]

    private func record(_ script: String, reports: Int) async throws -> Journal {
        let run = try RecordedRun()
        try await run.run(Self.cities + script)
        await run.results.wait(for: reports)
        #expect(run.results.elements.count >= reports)
        #expect(
            !run.results.elements.contains { $0.stringValue?.hasPrefix("uncaught") == true }
                || script.contains("\"mine\""),
            "\(run.results.elements)"
        )
        return try run.end()
    }

    @Test("What a script does with a store replays without the store, to the last bit", arguments: 0..<5)
    func replays(number: Int) async throws {
        let script = Self.scripts[number]
        let journal = try await record(script.text, reports: script.reports)
        for _ in 0..<2 {
            let report = try await JournalReplay(journal).run()
            #expect(report.divergence == nil, "\(script.name): \(report)")
            #expect(report.crossings == journal.entries.count)
        }
        #expect(try Journal(journal.text) == journal)
    }

    @Test("A recorded script sees what one that is not recorded sees", arguments: 0..<5)
    func changesNothing(number: Int) async throws {
        let script = Self.scripts[number]
        let recorded = try RecordedRun()
        try await recorded.run(Self.cities + script.text)
        await recorded.results.wait(for: script.reports)
        let plain = try ScriptRun()
        try await plain.run(Self.cities + script.text)
        await plain.results.wait(for: script.reports)
        let shown = { (results: [Value]) in results.map { $0["time"].isNil ? "\($0)" : "" } }
        #expect(shown(recorded.results.elements) == shown(plain.results.elements))
        _ = try recorded.end()
    }
}
