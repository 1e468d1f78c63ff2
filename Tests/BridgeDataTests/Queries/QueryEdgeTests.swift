import BridgeData
import JavaScriptBridge
import StoresSQLite
import Testing

/// Edge cases of live queries with unusual input of scripts.
@Suite("Edge cases of live queries") struct QueryEdgeTests {
    private static let head = """
        const store = bridge.store();
        store.createEntity("t", { n: "integer", s: "string" });
        const attempt = body => { try { return body() } catch (error) { return error.code + ": " + error.message } };

        """

    @Test("F3 F13 sections by functions have names in the form of a script's numbers")
    func sectionNames() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                for (const n of [2025, 2026]) store.insert("t", { n, s: "s" });
                const names = sectionBy => { const query = store.fetch("t", { sectionBy }); return [0, 1].map(index => [query.section(index).name, query.snapshot().sections[index].name, query.section(index).keys[0]]) };
                report(names(row => row.n));
                report(names(row => row.n > 2025));
                report(names(row => row.n / 2));
                """
        )
        #expect(
            results == [
                [["2025", "2025", 2025], ["2026", "2026", 2026]], [["0", "0", 0], ["1", "1", 1]],
                [["1012.5", "1012.5", 1012.5], ["1013", "1013", 1013]],
            ]
        )
    }

    @Test("F2 J8 one function that divides and sorts is one key: called once for a row, with its direction")
    func oneFunctionTwice() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                for (const n of [1, 2, 3]) store.insert("t", { n, s: "s" });
                let calls = 0;
                const odd = row => { calls++; return row.n % 2 };
                const query = store.fetch("t", { sectionBy: odd, sort: [{ key: odd, ascending: false }, "n"] });
                report([query.snapshot().sections.map(section => [section.name, section.ids]), calls]);
                report(attempt(() => store.fetch("t", { sectionBy: odd, sort: ["n", odd] })));
                """
        )
        #expect(
            results == [
                [[["1", [1, 3]], ["0", [2]]], 3],
                """
                store.invalidRequest: rows of 't' must be sorted by their section: section key 1 is a function, but sort \
                key 1 is 'n'
                """,
            ]
        )
    }

    @Test("D17 X6 a slow listener is not called for rows that were inserted and deleted while it was busy")
    func nothingMerged() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const query = store.fetch("t", { sort: "n" });
                const received = [];
                let free;
                query.onChange(changes => { received.push(changes.counts.rows.inserted); return new Promise(resolve => { free = resolve }) });
                store.insert("t", { n: 1 });
                setTimeout(() => {
                    const id = store.insert("t", { n: 2 });
                    setTimeout(() => {
                        store.delete("t", id);
                        setTimeout(() => {
                            free();
                            setTimeout(() => { report(received); query.close() }, 0);
                        }, 0);
                    }, 0);
                }, 0);
                """
        )
        #expect(results == [[1]])
    }

    @Test(
        "J2 D5 a row of an entity with both `id` and `rowID` is enumerated, and an invalid index has no item"
    )
    func identityAndItems() async throws {
        let results = try await ScriptRun().run(
            """
            const store = bridge.store();
            store.createEntity("r", { id: "string", rowID: "string" });
            store.insert("r", { id: "zz", rowID: "yy" });
            const query = store.fetch("r");
            const row = query.item(0, 0);
            report([{ ...row }, query.indexOf(row), query.indexOf(1)]);
            report([NaN, 0.5, -1, undefined, "0"].map(item => query.item(0, item) === undefined));
            """
        )
        #expect(
            results == [
                [
                    ["$id": 1, "id": "zz", "rowID": "yy"], ["section": 0, "item": 0],
                    ["section": 0, "item": 0],
                ], [true, true, true, true, true],
            ]
        )
    }

    @Test("S6 an archive is JSON for all keys: infinite, NaN, beyond 2^53")
    func archives() async throws {
        let results = try await ScriptRun().run(
            """
            const store = bridge.store();
            store.createEntity("w", { f: "double", n: "integer" });
            store.insert("w", { f: Infinity, n: 9007199254740993n });
            store.insert("w", { f: 1.5, n: -9007199254740993n });
            const back = (query, view) => {
                const text = JSON.stringify(query.saveState(view));
                const found = query.restoreState(text, { height: 1 });
                return [found.rule, found.path, text.includes("inf") || text.includes('"9007199254740993"') || text.includes('"-9007199254740993"')];
            };
            report(back(store.fetch("w", { sort: { key: "f", ascending: false } }), { height: 1 }));
            report(back(store.fetch("w", { sort: "n", sectionBy: "n" }), { height: 1 }));
            const kept = store.fetch("w", { sort: "f" });
            const values = { x: NaN, big: 2n ** 60n, minus: -Infinity };
            const found = kept.restoreState(JSON.parse(JSON.stringify(kept.saveState({ height: 1, values }))), { height: 1 }).values;
            report([found.x !== found.x, found.big === values.big, found.minus === values.minus]);
            const archive = kept.saveState({ height: 1 });
            try { kept.restoreState({ ...archive, proportion: NaN }, { height: 1 }) } catch (error) { report(error.code) }
            """
        )
        #expect(
            results == [
                ["anchor", ["section": 0, "item": 0], true], ["anchor", ["section": 0, "item": 0], true],
                [true, true, true], "state.unreadable",
            ]
        )
    }

    @Test("S4 a position survives that the sort key changes from a name to a function, and back")
    func archiveOfFunctions() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                for (let n = 0; n < 20; n++) store.insert("t", { n, s: "s" + n });
                const byName = store.fetch("t", { sort: "n" }), byFunction = store.fetch("t", { sort: row => -row.n });
                const there = byFunction.restoreState(byName.saveState({ height: 2, offset: 5 }), { height: 2 });
                const back = byName.restoreState(byFunction.saveState({ height: 2, offset: 5 }), { height: 2 });
                report([there.rule, there.path.item, back.rule, back.path.item]);
                """
        )
        #expect(results == [["anchor", 14, "anchor", 14]])
    }

    @Test("S6 D5 saving a position in a source of too many sections is an error")
    func manySections() async throws {
        let results = try await ScriptRun(limit: .seconds(20)).run(
            """
            const source = bridge.registerDataSource("x", { numberOfSections: 2 ** 31 - 1, numberOfItems: 0, item: () => 1 });
            try { source.saveState({ height: 10 }) } catch (error) { report(error.message) }
            """
        )
        #expect(
            results == [
                "the data source 'x' answered numberOfSections with 2147483647, not with a count up to 100000"
            ]
        )
    }

    @Test("J3 a small change set is passed as numbers, and is merged, inverted and applied like any other")
    func smallChangeSets() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const ids = [10, 20, 30].map(n => store.insert("t", { n }));
                const query = store.fetch("t", { sort: "n" });
                const start = query.snapshot(), sets = [];
                query.onChange(changes => sets.push(changes));
                store.update("t", ids[0], { n: 25 });
                setTimeout(() => {
                    store.transaction(() => { store.delete("t", ids[1]); store.insert("t", { n: 5 }) });
                    setTimeout(() => {
                        const [first, second] = sets;
                        const both = first.merging(second);
                        report([first.packed.join(), [...first.ids], first.version - first.oldVersion, typeof first.milliseconds]);
                        report(start.applying(first).applying(second).equals(query.snapshot()));
                        report(start.applying(both).equals(query.snapshot()));
                        report(query.snapshot().applying(both.inverse()).equals(start));
                        report([both.oldVersion === first.oldVersion, both.version === second.version, String(first)]);
                        report(attempt(() => second.merging(first)).includes("do not follow"));
                        query.close();
                    }, 0);
                }, 0);
                """
        )
        #expect(
            results == [
                ["0,0,0,0,0,1,1,0,0,0,1,0,0,0,1", [1, 1], 1, "number"], true, true, true,
                [
                    true, true,
                    "sections: 0 inserted, 0 deleted, 0 moved, 0 updated; rows: 0 inserted, 0 deleted, 1 moved, 1 updated",
                ], true,
            ]
        )
    }

    @Test(
        "J8 arrays of keys of different kinds are rejected, and a duplicate key is named in its original form"
    )
    func keysOfOneKind() async throws {
        let results = try await ScriptRun().run(
            """
            const message = (before, after) => { try { return bridge.difference(before, after).items.length } catch (error) { return error.message } };
            report(message(new BigUint64Array([2n ** 64n - 1n]), new BigInt64Array([-1n])));
            report(message(new BigInt64Array([1n]), new Float64Array([1])));
            report(message(new BigUint64Array([2n ** 64n - 1n]), new BigUint64Array([1n])));
            report(message(new BigUint64Array([2n ** 64n - 1n, 2n ** 64n - 1n]), new BigUint64Array([1n])));
            report(message([1, 1], [1]));
            report(message([null, NaN], [1]));
            report(message(new DataView(new ArrayBuffer(8)), [1]));
            """
        )
        #expect(
            results == [
                "keys of bigUint64 cannot be compared with keys of bigInt64: pass both arrays as one kind",
                "keys of bigInt64 cannot be compared with keys of float64: pass both arrays as one kind", 2,
                "the key 18446744073709551615 appears twice among the keys before",
                "the key 1 appears twice among the keys before",
                "the key of no value appears twice among the keys before",
                "the keys before must be an array or a typed array, not object",
            ]
        )
    }

    @Test(
        "J3 an id may be a bigint wherever one is accepted, and no listener can change the arrays of a change set"
    )
    func idsAndLists() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const id = store.insert("t", { n: 1 });
                const query = store.fetch("t", { sort: "n" });
                const received = [];
                query.onChange(changes => received.push([attempt(() => { "use strict"; changes.items.length = 0 }) !== undefined, changes.items.length]));
                query.onChange(changes => received.push(changes.items.length));
                report([store.update("t", BigInt(id), { n: 2 }), query.indexOf(BigInt(id))]);
                setTimeout(() => {
                    report(received);
                    query.close();
                    report(store.delete("t", BigInt(id)));
                }, 0);
                """
        )
        #expect(results == [[true, ["section": 0, "item": 0]], [[true, 1], 1], true])
    }

    @Test(
        "J3 change sets of two queries are not joined, and those of one entity not applied to another's order"
    )
    func otherQuery() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                store.createEntity("u", { n: "integer" });
                const queries = ["t", "t", "u"].map(name => store.fetch(name, { sort: "n" }));
                const start = queries[0].snapshot(), sets = [[], [], []];
                queries.forEach((query, index) => query.onChange(changes => sets[index].push(changes)));
                store.transaction(() => { store.insert("t", { n: 1 }); store.insert("u", { n: 1 }) });
                setTimeout(() => {
                    store.transaction(() => { store.insert("t", { n: 2 }); store.insert("u", { n: 2 }) });
                    setTimeout(() => {
                        for (const other of [1, 2]) report(attempt(() => sets[0][0].merging(sets[other][1])));
                        report(attempt(() => start.applying(sets[2][0])));
                        report(start.applying(sets[0][0].merging(sets[0][1])).equals(queries[0].snapshot()));
                        for (const query of queries) query.close();
                    }, 0);
                }, 0);
                """
        )
        #expect(
            results == [
                "invalidArgument: changes of a query of 't' do not follow those of another one, of 't'",
                "invalidArgument: changes of a query of 'u' do not follow those of another one, of 't'",
                "invalidArgument: the changes do not fit this snapshot: they are of 'u', and it is of 't'",
                true,
            ]
        )
    }

    @Test("J8 strings that differ in half a surrogate pair are two keys of an array")
    func halfPairs() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                report(bridge.difference(["\\uD800"], ["\\uD801"]).items.map(item => item.type).join());
                report(bridge.difference(["\\uD800", "\\uD801", "x"], ["x", "\\uD801", "\\uD800"]).items.map(item => item.type).join());
                report(bridge.difference([true, null, -0, new Date(5), 7n], [1, undefined, 0, 5, 7]).items.length);
                """
        )
        #expect(results == ["delete,insert", "move,move", 0])
    }

    @Test(
        "S3 a list sorted by another function is restored without the sort key; by a named one, the name is enough"
    )
    func functionsRestored() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const ids = Array.from({ length: 200 }, (_, n) => store.insert("t", { n: n * 10 }));
                const view = { height: 10, offset: 95 };
                const by = factor => row => row.n * factor;
                const rule = (state, ...sort) => {
                    const query = store.fetch("t", { sort }), found = query.restoreState(state, view);
                    return found.path === undefined ? found.rule : found.rule + " " + query.item(found.path).n;
                };
                const saved = sort => store.fetch("t", { sort }).saveState(view);
                const plain = saved(row => row.n), named = saved({ key: by(1), name: "times 1" }), bound = saved(by(1).bind());
                store.transaction(() => { for (let n = 60; n < 140; n++) store.delete("t", ids[n]) });
                report([rule(plain, row => row.n), rule(plain, row => -row.n), rule(plain, "n"), rule(plain, { key: row => row.n, ascending: false })]);
                report([rule(named, { key: by(1), name: "times 1" }), rule(named, { key: by(-1), name: "times -1" }), rule(named, by(1))]);
                report([rule(bound, by(1).bind()), bound.sortKey === undefined]);
                report([named.sortedBy, /^#[0-9a-f]+\\(\\)$/.test(plain.sortedBy[0])]);
                try { saved({ key: by(1), name: 5 }) } catch (error) { report(String(error)) }
                """
        )
        #expect(
            results == [
                ["sortKey 1400", "proportion", "proportion", "proportion"],
                ["sortKey 1400", "proportion", "proportion"], ["proportion", true], [["times 1()"], true],
                "TypeError: a key function's name must be a string, not number",
            ]
        )
    }

    @Test("S3 a list without sections whose anchors are all deleted is scrolled by the same proportion")
    func proportion() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const ids = Array.from({ length: 200 }, (_, n) => store.insert("t", { n, s: "s" + n }));
                const place = store.fetch("t", { sort: "n" }).saveState({ height: 10, offset: 95 });
                store.transaction(() => { for (let n = 60; n < 140; n++) store.delete("t", ids[n]) });
                const found = store.fetch("t", { sort: { key: "n", ascending: false } }).restoreState(place, { height: 10 });
                report([found.rule, found.offset]);
                """
        )
        #expect(results == [["proportion", 55]])
    }

    @Test(
        "J1 J2 fractions of a window extend to whole rows, and a filter that returns a promise is an error"
    )
    func fractions() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                for (let n = 0; n < 100; n++) store.insert("t", { n, s: "s" });
                const query = store.fetch("t", { sort: "n" });
                const ends = rows => [rows[0]?.n, rows.at(-1)?.n];
                report([ends(query.window(0, 10.5, 20.5)), ends(query.window(0, 10, 20.5)), ends(query.window(0, -0.5, 1))]);
                report([query.window(0, NaN, 2).length, query.window(0, 98.5).length, query.window(0, 3, -Infinity).length]);
                report(ends(query.setWindow({ from: 10.4, to: 20.4 }).rows));
                report(attempt(() => store.fetch("t", { filter: async row => row.n > 5 }).count));
                report(store.fetch("t", { filter: row => row.s.match(/s/) }).count);
                """
        )
        #expect(
            results == [
                [[10, 20], [10, 20], [0, 0]], [2, 2, 0], [10, 20],
                "undefined: a filter must return true or false, not a promise", 100,
            ]
        )
    }

    @Test(
        "J4 J5 however many change sets are pending for a slow listener, it gets one that leads to the present content"
    )
    func manyWait() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const query = store.fetch("t", { sort: ["n"] });
                let shown = query.snapshot(), calls = 0, go;
                query.onChange(changes => {
                    calls++;
                    shown = shown.applying(changes);
                    report([calls, shown.equals(query.snapshot()), changes.version - changes.oldVersion]);
                    if (calls === 1) return new Promise(resolve => { go = resolve });
                    query.close();
                });
                let step = 0;
                (function next() {
                    store.transaction(() => {
                        for (let n = 0; n < 3; n++) store.insert("t", { n: (step * 7 + n * 31) % 101, s: "s" });
                        if (step % 2) store.delete("t", query.window(0, step % 3, step % 3 + 1)[0]);
                        if (step % 3 === 2) store.update("t", query.window(0, 1, 2)[0], { n: 200 - step });
                    });
                    if (++step < 23) setTimeout(next); else go();
                })();
                """
        )
        #expect(results == [[1, true, 1], [2, true, 21]])
    }

    @Test(
        "J1 J6 a loop over a query that deletes, inserts or awaits visits each remaining row once",
        arguments: [false, true]
    )
    func changingLoop(inTransaction: Bool) async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const fill = () => store.transaction(() => {
                    for (const row of [...query]) store.delete("t", row);
                    for (let n = 0; n < 1000; n++) store.insert("t", { n, s: "s" });
                });
                const query = store.fetch("t", { sort: "n" });
                const isWhole = \(inTransaction);
                const run = body => isWhole ? store.transaction(body) : body();
                const seen = (body, after = 1) => run(() => {
                    const numbers = [];
                    for (const row of query) { numbers.push(row.n); if (numbers.length % after === 0) body(row, numbers.length) }
                    return [numbers.length, new Set(numbers).size, Math.min(...numbers), Math.max(...numbers)];
                });
                fill();
                report(seen(row => store.delete("t", row)));
                report(query.count);
                fill();
                report(seen(row => { for (let n = 0; n < 100; n++) store.insert("t", { n: -n - 1, s: "s" }) }, 250));
                fill();
                report(seen((row, count) => { if (count === 256) for (const row of query.window(0, 0, 100)) store.delete("t", row) }));
                fill();
                report(seen(row => store.update("t", row, { s: "t" })));
                """
        )
        #expect(
            results == [
                [1000, 1000, 0, 999], 0, [1000, 1000, 0, 999], [1000, 1000, 0, 999], [1000, 1000, 0, 999],
            ]
        )
    }
}
