import BridgeData
import BridgeTesting
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import TestSupport
import Testing

@Suite struct KeyFunctionTests {
    private static let words = """
        globalThis.store = bridge.store();
        store.createEntity("word", { text: "string", n: "integer" });

        """

    @Test("J8 functions sort, filter and divide a query, alone and with attributes, ascending and descending")
    func functions() async throws {
        let results = try await ScriptRun().run(
            Self.words + """
                store.transaction(() => { for (const text of ["pear", "fig", "apple", "kiwi", "date", "plum", "é"]) store.insert("word", { text, n: text.length }) });
                const texts = options => [...store.fetch("word", options)].map(row => row.text).join();
                report(texts({ sort: row => row.text.length }));
                report(texts({ sort: { key: row => row.text.length, ascending: false } }));
                report(texts({ sort: [row => row.text.length, "text"] }));
                report(texts({ sort: ["n", { key: row => row.text, ascending: false }] }));
                report(texts({ sort: { key: row => row.text, ascending: false }, limit: 3 }));
                report(texts({ sort: "text", where: row => row.n === 4 }));
                report(texts({ sort: "text", where: { n: { gte: 4 } }, filter: row => row.text.includes("a") }));
                report(texts({ sort: row => row.n === 4 ? null : row.n % 2 ? row.text : row.n }));
                const query = store.fetch("word", { sectionBy: row => row.text[0], sort: [row => row.text[0], "text"] });
                report([0, 1, 2].map(index => query.section(index)).map(section => [section.name, section.keys[0], section.count]));
                report(query.numberOfSections);
                report(query.indexOf(query.item(1, 0)));
                """
        )
        #expect(
            results == [
                "é,fig,pear,kiwi,date,plum,apple", "apple,pear,kiwi,date,plum,fig,é",
                "é,fig,date,kiwi,pear,plum,apple", "é,fig,plum,pear,kiwi,date,apple", "é,plum,pear",
                "date,kiwi,pear,plum", "apple,date,pear", "pear,kiwi,date,plum,apple,fig,é",
                [["a", "a", 1], ["d", "d", 1], ["f", "f", 1]], 6, ["section": 1, "item": 0],
            ]
        )
    }

    @Test("J8 a key function runs once for each version of a row, and again only for changed rows")
    func counted() async throws {
        let results = try await ScriptRun().run(
            Self.words + """
                const ids = store.transaction(() => Array.from({ length: 5000 }, (_, n) => store.insert("word", { text: "w" + n * 7919 % 5000, n })));
                let filters = 0, sorts = 0, sections = 0;
                const query = store.fetch("word", {
                    filter: row => { filters++; return row.n % 2 === 0 },
                    sectionBy: row => { sections++; return row.text.length },
                    sort: [{ key: row => { sections++; return row.text.length } }, row => { sorts++; return row.text }].slice(1),
                });
                const counts = () => { const result = [filters, sorts, sections]; filters = sorts = sections = 0; return result };
                report(counts());
                report([query.count, query.window(0, 0, 3).length, query.indexOf(ids[0]) !== undefined, [...query].length, query.snapshot().sections.length > 2]);
                report(counts());
                query.onChange(changes => {
                    report([counts(), changes.counts.rows]);
                });
                store.transaction(() => {
                    store.update("word", ids[0], { text: "changed" });
                    store.update("word", ids[0], { text: "again" });
                    store.update("word", ids[1], { n: 2 });
                    store.update("word", ids[2], { n: 1 });
                    store.update("word", ids[3], { text: "odd" });
                    store.delete("word", ids[4]);
                    store.insert("word", { text: "new", n: 10 });
                });
                setTimeout(() => query.close(), 0);
                """
        )
        #expect(results[0] == [5000, 2500, 2500])
        #expect(results[1] == [2500, 3, true, 2500, true])
        #expect(results[2] == [0, 0, 0])
        // Four changed rows and a new one; three of them match the filter.
        #expect(results[3][0] == [5, 3, 3])
        #expect(results[3][1] == ["inserted": 2, "deleted": 2, "moved": 1, "updated": 1])
    }

    @Test(
        "X8 a live query by functions has the change sets and the final order of one by the same attributes",
        arguments: [1, 2, 3]
    )
    func agreesWithAttributes(round: Int) async throws {
        let seed = SeededGenerator.fromEnvironment().seed
        let results = try await ScriptRun().run(
            Self.words + """
                let state = \(seed % 2_147_483_647);
                const random = below => { state = (state * 48271) % 2147483647; return state % below };
                const byNames = store.fetch("word", { where: { n: { lt: 50 } }, sectionBy: "text", sort: ["text", { key: "n", ascending: false }] });
                const byFunctions = store.fetch("word", {
                    filter: row => row.n < 50, sectionBy: row => row.text, sort: [row => row.text, { key: row => row.n, ascending: false }],
                });
                const faults = [];
                let sets = 0, first, stop1, stop2;
                stop1 = byNames.onChange(changes => { first = changes.packed.join() + "/" + changes.ids.join(); });
                stop2 = byFunctions.onChange(changes => {
                    sets++;
                    if (changes.packed.join() + "/" + changes.ids.join() !== first) faults.push([first, String(changes)]);
                    if (!byNames.snapshot().equals(byFunctions.snapshot())) faults.push("order");
                });
                const ids = [];
                const text = () => "abcdefgh"[random(8)] + (random(3) ? "" : "é");
                let left = 120;
                const step = () => {
                    store.transaction(() => {
                        for (let edits = random(6) + 1; edits > 0; edits--) {
                            const kind = random(10);
                            if (kind < 4 || ids.length === 0) ids.push(store.insert("word", { text: text(), n: random(100) }));
                            else if (kind < 6) store.delete("word", ids.splice(random(ids.length), 1)[0]);
                            else if (kind < 8) store.update("word", ids[random(ids.length)], { n: random(100) });
                            else store.update("word", ids[random(ids.length)], { text: text() });
                        }
                    });
                    if (--left > 0) setTimeout(step, 0); else setTimeout(() => { report([faults, sets > 50]); stop1(); stop2(); }, 0);
                };
                step();
                """
        )
        #expect(results == [[[], true]], "seed \(seed)")
    }

    @Test("J8 an error of a function is thrown by the next read, and the function is tried again")
    func failures() async throws {
        let results = try await ScriptRun().run(
            Self.words + """
                const id = store.insert("word", { text: "a", n: 1 });
                const attempt = body => { try { return body() } catch (e) { return e.name + ": " + e.message } };
                report(attempt(() => store.fetch("word", { sort: () => { throw new RangeError("no key") } })));
                report(attempt(() => store.fetch("word", { sort: () => ({}) })));
                report(attempt(() => store.fetch("word", { sort: () => 2n ** 70n })));
                report(attempt(() => store.fetch("word", { filter: 5 })));
                report(attempt(() => store.fetch("word", { filter: () => true, where: () => true })));
                report(attempt(() => store.fetch("word", { sort: row => { store.insert("word", {}); return 1 } })).includes("cannot write"));
                let isBroken = false;
                const query = store.fetch("word", { sort: row => { if (isBroken) throw new Error("broken"); return row.n } });
                isBroken = true;
                store.update("word", id, { n: 2 });
                report(attempt(() => query.count));
                report(attempt(() => query.window(0)));
                isBroken = false;
                report([query.count, query.item(0, 0).n]);
                isBroken = true;
                const stop = query.onChange(changes => { report(changes.counts.rows.updated) });
                store.update("word", id, { n: 3 });
                setTimeout(() => {
                    report(attempt(() => query.count));
                    isBroken = false;
                    store.update("word", id, { n: 4 });
                    setTimeout(() => { report([query.item(0, 0).n]); stop(); }, 0);
                }, 0);
                """
        )
        // An uncaught error is reported immediately, a reported one when the turn ends.
        #expect(results.filter { $0 == "uncaught broken" }.count == 1)
        #expect(
            results.filter { $0 != "uncaught broken" } == [
                "RangeError: no key",
                "TypeError: a key must be a number, a string, a boolean, a date, null or undefined, not object",
                "TypeError: a key is exact only up to 2^53 - 1: sort by the attribute's name, or return a string instead of a larger bigint",
                "TypeError: a filter is a function, not number",
                "TypeError: a fetch has one function that filters", true, "Error: broken", "Error: broken",
                [1, 2], "Error: broken", 1, [4],
            ]
        )
    }

    @Test("J8 rows computed again by a read after a function failed are delivered to the listeners")
    func notifiedAfterFailure() async throws {
        let results = try await ScriptRun().run(
            Self.words + """
                store.insert("word", { text: "a", n: 1 });
                let isBroken = false;
                const notified = [];
                const query = store.fetch("word", { sort: row => { if (isBroken) throw new Error("broken"); return row.n } });
                query.onChange(changes => { notified.push(changes.counts.rows.inserted) });
                isBroken = true;
                store.insert("word", { text: "b", n: 2 });
                setTimeout(() => {
                    isBroken = false;
                    const count = query.count;
                    setTimeout(() => {
                        store.insert("word", { text: "c", n: 3 });
                        setTimeout(() => { report([count, notified, query.count]); query.close(); }, 0);
                    }, 0);
                }, 0);
                """
        )
        #expect(results.filter { $0 != "uncaught broken" } == [[2, [1, 1], 3]])
    }

    @Test("J8 a function that reads the query it gives keys for gets a named error, and the query continues")
    func readsItself() async throws {
        let results = try await ScriptRun().run(
            Self.words + """
                const id = store.insert("word", { text: "a", n: 1 });
                const other = store.fetch("word", { sort: "n" });
                const seen = new Set();
                let query, isBroken = false;
                query = store.fetch("word", { sort: row => {
                    for (const read of [q => q.count, q => q.window(0).length, q => q.indexOf(id), q => q.snapshot(), q => q.onChange(() => {})]) {
                        if (query === undefined) continue;
                        try { seen.add("read " + read(query)) } catch (error) { seen.add(error.code) }
                    }
                    seen.add(other.count);
                    if (isBroken) throw new Error("broken");
                    return row.n;
                } });
                store.update("word", id, { n: 2 });
                report([query.count, query.item(0, 0).n]);
                isBroken = true;
                store.update("word", id, { n: 3 });
                try { query.count } catch (error) { report(error.message) }
                isBroken = false;
                report([query.count, query.item(0, 0).n]);
                report([...seen]);
                """
        )
        #expect(results == [[1, 2], "broken", [1, 3], [1, "query.computing"]])
    }

    @Test("J8 an endless key function is stopped by the time limit, and the query can be read later")
    func endless() async throws {
        let run = try ScriptRun(limit: .milliseconds(100))
        try await run.run(
            Self.words + """
                globalThis.id = store.insert("word", { n: 1 });
                globalThis.hangs = false;
                globalThis.query = store.fetch("word", { sort: row => { while (hangs) {} return row.n } });
                query.unref().onChange(changes => report("notified"));
                hangs = true;
                """
        )
        _ = try? await run.run("store.update('word', id, { n: 2 });")
        await #expect(throws: (any Error).self) { try await run.run("query.count") }
        let results = try await run.run("hangs = false; report([query.count, query.item(0, 0).n]);")
        #expect(results.contains([1, 2]))
    }

    // MARK: - A script's own objects

    @Test("J8 objects of a script are sorted by a key of each, which is computed once")
    func order() async throws {
        let results = try await ScriptRun().run(
            """
            const list = values => values.map((value, index) => ({ value, index }));
            const order = (values, options) => { let asked = 0; const result = bridge.order(list(values), object => { asked++; return object.value }, options); return [[...result].join(), asked]; };
            report(order([3, 1, 2, -0, 0, -5, 1e300, -Infinity, 1]));
            report(order([3, 1, 2, 1], { ascending: false }));
            report(order(["b", "a", "", "ab", "a\\0", "é", "z", "\\u{1F600}", "\\uFFFF"]));
            report(order(["b", 2, null, "a", 10, undefined, true, NaN]));
            report(order(["same", "same", "other"], { ascending: false }));
            report([order([]), order([1])]);
            report(bridge.order([], () => 1) instanceof Int32Array);
            for (const bad of [() => bridge.order(5, () => 1), () => bridge.order([], 5), () => bridge.order([], () => 1, 5), () => bridge.order([{}], x => x)])
                try { bad() } catch (e) { report(e.constructor.name) }
            """
        )
        #expect(results[0] == ["7,5,3,4,1,8,2,0,6", 9])
        #expect(results[1] == ["0,2,1,3", 4])
        // By UTF-8 bytes, where U+FFFF is before U+1F600.
        #expect(results[2] == ["2,1,4,3,0,6,5,8,7", 9])
        #expect(results[3] == ["2,5,7,6,1,4,3,0", 8])
        #expect(results[4] == ["0,1,2", 3])
        #expect(results[5] == [["", 0], ["0", 1]])
        #expect(results[6] == true)
        #expect(results.elements(from: 7) == ["TypeError", "TypeError", "TypeError", "TypeError"])
    }

    @Test("J8 many keys are sorted as by a comparator, also with common prefixes", arguments: [1, 2])
    func manyKeys(round: Int) async throws {
        let seed = SeededGenerator.fromEnvironment().seed
        let results = try await ScriptRun().run(
            """
            let state = \(seed % 2_147_483_647);
            const random = below => { state = (state * 48271) % 2147483647; return state % below };
            const check = (keys, less) => {
                const expected = keys.map((key, index) => index).sort((a, b) => less(keys[a], keys[b]) ? -1 : less(keys[b], keys[a]) ? 1 : a - b).join();
                return [...bridge.order(keys, key => key)].join() === expected;
            };
            const numbers = Array.from({ length: 3000 }, () => (random(2000) - 1000) * (random(2) ? 1 : 1e-7));
            const words = Array.from({ length: 3000 }, () => "common prefix " + "abc".repeat(random(4)) + "xyz"[random(3)] + random(50));
            report([check(numbers, (a, b) => a < b), check(words, (a, b) => a < b)]);
            """
        )
        #expect(results == [[true, true]], "seed \(seed)")
    }

    @Test("J8 the native differ compares arrays of keys, and its result can be announced by a data source")
    func difference() async throws {
        let results = try await ScriptRun().run(
            """
            const show = difference => difference.items.map(({ type, from, to }) => type + " " + [from?.item, to?.item].filter(x => x !== undefined).join(">"));
            report(show(bridge.difference(new Int32Array([1, 2, 3, 4]), new Int32Array([4, 1, 2, 5]))));
            report(show(bridge.difference(["a", "b", "c"], ["c", "a", "b"])));
            report(show(bridge.difference(new Float64Array([0.5, 1.5]), new Float64Array([1.5]))));
            report(show(bridge.difference(new BigInt64Array([1n, 2n]), new BigInt64Array([2n, 1n]))));
            const filled = bridge.difference([], ["x"]);
            report([[...filled.packed], filled.sections]);
            report(bridge.difference([1, 2], [1, 2]).packed.length);
            for (const bad of [() => bridge.difference(["a", "a"], []), () => bridge.difference(new Float64Array([]), new Float64Array([2.5, 2.5])), () => bridge.difference(5, [])])
                try { bad() } catch (e) { report(e.message) }
            """
        )
        #expect(results[0] == ["delete 2", "insert 3", "move 3>0"])
        #expect(results[1] == ["move 2>0"])
        #expect(results[2] == ["delete 0"])
        #expect(results[3].arrayValue?.count == 1)
        #expect(results[4] == [[0, 1, 0, 0, 1, 0, 0, 0, 0, 0], [["type": "insert", "to": 0]]])
        #expect(results[5] == 7)
        #expect(results[6] == "the key a appears twice among the keys before")
        #expect(results[7] == "the key 2.5 appears twice among the keys after")
        #expect(results[8] == "the keys before must be an array or a typed array, not number")
    }
}

extension [Value] {
    fileprivate func elements(from index: Int) -> [Value] { Array(dropFirst(index)) }
}
