import BridgeData
import BridgeTesting
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

@Suite struct WindowTests {
    private static let things = """
        globalThis.store = bridge.store();
        store.createEntity("thing", { name: "string", n: "integer", x: "double", on: "boolean", at: "date", raw: "data" });
        """

    @Test("J2 a row is a proxy that looks and behaves like an object, and is immutable")
    func rows() async throws {
        let results = try await ScriptRun().run(
            Self.things + """
                store.insert("thing", { name: "a\\0b \\u{1F600} é", n: 7, x: 0.5, on: true, at: new Date(1500), raw: new Uint8Array([1, 2, 255]) });
                store.insert("thing", {});
                const [row, empty] = store.fetch("thing", { sort: "name" }).window(0, 0, 2).toReversed();
                report([row.name, row.n, row.x, row.on, row.at.getTime(), [...row.raw], row.none === undefined]);
                report(Object.keys(row));
                report([JSON.parse(JSON.stringify(row)).n, { ...row }.x, "n" in row, "toString" in row, "none" in row]);
                report([Object.getPrototypeOf(row) === Object.prototype, Object.hasOwn(row, "n"), String(row), row.constructor === Object]);
                report(Object.keys(empty).map(key => empty[key] === null));
                const { name, ...rest } = row;
                report([name === row.name, Object.keys(rest).length]);
                const attempts = [
                    () => { "use strict"; row.n = 1 }, () => { delete row.n }, () => Object.defineProperty(row, "n", { value: 1 }),
                    () => Object.setPrototypeOf(row, null), () => Object.freeze(row),
                ];
                report(attempts.map(attempt => { try { attempt(); return "done" } catch (e) { return e.constructor.name } }));
                row.raw[0] = 9; row.at.setTime(0);
                report([row.raw[0], row.at.getTime(), row.n]);
                """
        )
        #expect(results[0] == ["a\0b \u{1F600} é", 7, 0.5, true, 1500, [1, 2, 255], true])
        #expect(results[1] == ["$id", "name", "n", "x", "on", "at", "raw"])
        #expect(results[2] == [7, 0.5, true, true, false])
        #expect(results[3] == [true, true, "[object Object]", true])
        #expect(results[4] == [false, true, true, true, true, true, true])
        #expect(results[5] == [true, 6])
        #expect(results[6] == .array(Array(repeating: "TypeError", count: 5)))
        #expect(results[7] == [1, 1500, 7])
    }

    @Test("J2 integers are exact up to 64 bits, and ids too")
    func wholeNumbers() async throws {
        let run = try ScriptRun()
        try await run.run(Self.things)
        let numbers: [Int64] = [
            .min, -9_007_199_254_740_992, -9_007_199_254_740_991, 0, 9_007_199_254_740_991, .max,
        ]
        try run.store.write { transaction in
            for number in numbers { try transaction.insert(into: "thing", ["n": .integer(number)]) }
        }
        let results = try await run.run(
            "report(store.fetch('thing', { sort: 'n' }).window(0).map(row => typeof row.n + ' ' + row.n));"
        )
        #expect(
            results == [
                [
                    "bigint -9223372036854775808", "bigint -9007199254740992", "number -9007199254740991",
                    "number 0", "number 9007199254740991", "bigint 9223372036854775807",
                ]
            ]
        )
    }

    @Test("J2 an attribute may have any name, including that of a member of Object.prototype")
    func names() async throws {
        let results = try await ScriptRun().run(
            """
            const store = bridge.store();
            store.createEntity("odd", { id: "string", constructor: "string", __proto__x: "string", then: "integer", "0": "integer" });
            const id = store.insert("odd", { id: "mine", constructor: "c", then: 3, "0": 4 });
            const row = store.fetch("odd", { sort: "id" }).item(0, 0);
            report([row.id, row.$id === id, row.constructor, row.then, row[0], Object.keys(row)]);
            """
        )
        #expect(
            results == [
                ["mine", true, "c", 3, 4, ["$id", "0", "id", "constructor", "__proto__x", "then"]]
            ]
        )
    }

    @Test(
        "J2 a window that is read again is the same array until something changes, never inside a transaction"
    )
    func cachedWindows() async throws {
        let results = try await ScriptRun().run(
            Self.things + """
                for (let n = 0; n < 100; n++) store.insert("thing", { n, name: "t" + n });
                const query = store.fetch("thing", { sort: "n" });
                const first = query.window(0, 10, 20);
                report([query.window(0, 10, 20) === first, query.window(0, 11, 20) === first, Object.isFrozen(first)]);
                const id = first[0].$id;
                store.update("thing", id, { name: "new" });
                report([query.window(0, 10, 20) === first, first[0].name, query.window(0, 10, 20)[0].name]);
                try {
                    store.transaction(() => {
                        store.update("thing", id, { name: "inside" });
                        const one = query.window(0, 10, 20)[0].name;
                        store.update("thing", id, { name: "deeper" });
                        report([one, query.window(0, 10, 20)[0].name]);
                        throw 1;
                    });
                } catch {}
                report(query.window(0, 10, 20)[0].name);
                for (let from = 0; from < 50; from++) query.window(0, from, from + 10);
                report(query.window(0, 10, 20).map(row => row.n).join());
                """
        )
        #expect(
            results == [
                [true, false, true], [false, "t10", "new"], ["inside", "deeper"], "new",
                "10,11,12,13,14,15,16,17,18,19",
            ]
        )
    }

    @Test("J4 a window that a script names moves with it, and shows the delivered version")
    func namedWindow() async throws {
        let results = try await ScriptRun().run(
            Self.things + """
                for (let n = 0; n < 100; n++) store.insert("thing", { n });
                const query = store.fetch("thing", { sort: "n", window: { from: 5, to: 8 } });
                const numbers = () => query.rows.map(row => row.n);
                report(numbers());
                query.onChange(() => { report(numbers()); query.dispose(); });
                store.insert("thing", { n: -1 });
                report(numbers());
                const other = store.fetch("thing", { sort: "n" });
                report([other.rows.length, other.setWindow({ from: 99 }).rows.map(row => row.n)]);
                for (const bad of [5, { from: "1" }]) try { other.setWindow(bad) } catch (e) { report(e.message) }
                other.dispose();
                try { other.count } catch (e) { report(e.message) }
                """
        )
        #expect(
            results == [
                [5, 6, 7], [5, 6, 7], [101, [98, 99]], "a window is { section, from, to }",
                "a window's section, from and to are numbers", "the query was closed", [4, 5, 6],
            ]
        )
    }

    @Test(
        "J2 J3 rows, windows and change sets survive a script that replaces the built-ins that every file uses"
    )
    func tampering() async throws {
        let results = try await ScriptRun().run(
            Self.things + """
                globalThis.log = [];
                for (let n = 0; n < 20; n++) store.insert("thing", { n, name: "t" + n, at: new Date(n) });
                const query = store.fetch("thing", { sort: [row => row.n % 3, "n"], sectionBy: row => row.n % 3 });
                const text = String, stringify = JSON.stringify, evil = () => { log.push("seen"); throw new Error("evil") };
                const victims = [Array.prototype, Object.prototype, String.prototype, Map.prototype, Int32Array.prototype.__proto__, Date.prototype, Function.prototype];
                const kept = [];
                const real = Object.defineProperty;
                for (const victim of victims) for (const key of Reflect.ownKeys(victim)) {
                    if (key === "constructor" || key === "__proto__") continue;
                    const old = Object.getOwnPropertyDescriptor(victim, key);
                    if (!old.configurable) continue;
                    kept.push([victim, key, old]);
                }
                const own = kept.length;
                let failure, seen, inserted, paths;
                query.onChange(changes => { inserted = changes.items[0]; paths = changes.packed[0]; });
                for (let index = 0; index < own; index++) real(kept[index][0], kept[index][1], { value: evil, configurable: true, writable: true });
                real(Array.prototype, 0, { set: evil, get: evil, configurable: true });
                real(Object.prototype, "get", { value: evil, configurable: true, writable: true });
                try {
                    const rows = query.window(1, 0, 3);
                    seen = [rows[0].n, rows[0].name, rows[2].n, query.item(0, 1).n, query.count, query.indexOf(rows[0]).item];
                    store.insert("thing", { n: 20, name: "x" });
                } catch (error) { failure = error }
                delete Array.prototype[0];
                delete Object.prototype.get;
                for (let index = 0; index < own; index++) real(kept[index][0], kept[index][1], kept[index][2]);
                report([failure === undefined, seen, log.length]);
                setTimeout(() => { report([inserted.type, inserted.to, paths]); query.close(); }, 0);
                """
        )
        #expect(results == [[true, [1, "t1", 7, 3, 20, 0], 0], ["insert", ["section": 2, "item": 6], 0]])
    }
}
