import BridgeData
import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

@Suite struct DeliveryTests {
    private static let numbers = """
        globalThis.store = bridge.store();
        store.createEntity("x", { n: "integer", s: "string" });
        globalThis.fetch = (options = {}) => store.fetch("x", { sort: "n", ...options });

        """

    private func store() throws -> (SQLiteStore, URL) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return (try SQLiteStore(location: .file(folder.appendingPathComponent("x.db").path)), folder)
    }

    @Test(
        "J6 during a delivery all queries show one version, whatever other threads commit meanwhile"
    )
    func oneVersion() async throws {
        let (store, folder) = try store()
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = try ScriptRun(store: store)
        // `total` counts every row twice, once for each half: a version in which the halves differ was never committed.
        try await run.run(
            Self.numbers + """
                const low = fetch({ where: { n: { lt: 0 } } }), high = fetch({ where: { n: { gte: 0 } } });
                const silent = fetch();
                globalThis.faults = [];
                globalThis.rounds = 0;
                const check = name => () => {
                    rounds++;
                    const versions = new Set([low.version, high.version, silent.version]);
                    const sums = [low, high].map(query => query.window(0).reduce((sum, row) => sum + row.n, 0));
                    if (versions.size !== 1 || low.count !== high.count || silent.count !== 2 * low.count || sums[0] + sums[1] !== 0) {
                        faults.push([name, [...versions], low.count, high.count, silent.count, sums]);
                    }
                };
                globalThis.queries = [low.unref(), high.unref(), silent];
                low.onChange(check("low")); high.onChange(check("high"));
                """
        )
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<2 {
                group.addTask {
                    for number in 1...100 {
                        let value = Int64(thread * 1000 + number)
                        try? store.write { transaction in
                            try transaction.insert(into: "x", ["n": .integer(value)])
                            try transaction.insert(into: "x", ["n": .integer(-value)])
                        }
                    }
                }
            }
        }
        await run.bridge.waitUntilIdle()
        let results = try await run.run("report([faults, rounds > 0, queries.map(query => query.count)]);")
        #expect(results == [[[], true, [200, 200, 400]]])
    }

    @Test("J6 a listener reads one version of all queries, however many commits follow while it runs")
    func manyCommitsMeanwhile() async throws {
        let run = try ScriptRun()
        let store = run.store
        try run.bridge.registerHandler("commit") { (count: Int) in
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                for number in 1...count {
                    _ = try? store.write { try $0.insert(into: "x", ["n": .integer(Int64(number))]) }
                }
                isDone.signal()
            }
            isDone.wait()
            return count
        }
        try await run.run(
            Self.numbers + """
                const first = fetch(), silent = fetch();
                globalThis.seen = [];
                first.unref().onChange(() => {
                    if (seen.length === 0) { seen.push([]); bridge.callHandlerSync("commit", 400); }
                    seen.push([first.version === silent.version, first.count, silent.count]);
                });
                globalThis.queries = [first, silent];
                bridge.callHandlerSync("commit", 1);
                """
        )
        await run.bridge.waitUntilIdle()
        let results = try await run.run("report([seen, queries.map(query => query.count)]);")
        #expect(results == [[[[], [true, 1, 1], [true, 401, 401]], [401, 401]]])
    }

    @Test("X6 a busy listener gets one merged change set, however many commits arrived meanwhile")
    func slowListener() async throws {
        let run = try ScriptRun()
        let results = try await run.run(
            Self.numbers + """
                const query = fetch({ sectionBy: "s", sort: ["s", "n"] });
                let shown = query.snapshot(), notified = 0, free;
                const stop = query.onChange(async changes => {
                    notified++;
                    shown = shown.applying(changes);
                    report([notified, shown.equals(query.snapshot()), changes.oldVersion < changes.version]);
                    await new Promise(resolve => { free = resolve });
                });
                // Another listener, which does not wait, receives each one.
                let others = 0;
                const stopOther = query.onChange(() => { others++; });
                let step = 0;
                const next = () => {
                    if (step === 0) store.insert("x", { n: 0, s: "a" });
                    else if (step < 300) {
                        const n = step * 7919 % 101;
                        store.transaction(() => {
                            if (step % 3 === 0 && query.count > 1) store.delete("x", query.item(0, 0).$id);
                            if (step % 3 === 1 && query.count > 1) store.update("x", query.item(query.numberOfSections - 1, 0).$id, { n, s: "s" + n % 5 });
                            store.insert("x", { n, s: "s" + step % 4 });
                        });
                    } else if (step === 300) free();
                    else { report([notified, others]); stop(); stopOther(); return }
                    step++;
                    setTimeout(next, 0);
                };
                next();
                """
        )
        #expect(results == [[1, true, true], [2, true, true], [2, 300]])
    }

    @Test("X6 the changes pending for a busy engine do not grow with the number of commits")
    func noBacklog() async throws {
        let (store, folder) = try store()
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = try ScriptRun(store: store)
        try await run.run(
            Self.numbers + """
                globalThis.sets = []; globalThis.ids = [];
                store.transaction(() => { for (let n = 0; n < 10; n++) ids.push(store.insert("x", { n })) });
                fetch().unref().onChange(changes => { sets.push(changes.counts.rows.updated) });
                """
        )
        let count = 400
        // The engine is blocked for as long as the commits take.
        try await run.bridge.withContext { _ in
            for number in 0..<count {
                try store.write { transaction in
                    try transaction.update("x", id: Int64(number % 10 + 1), ["s": .string("\(number)")])
                }
            }
        }
        await run.bridge.waitUntilIdle()
        #expect(try await run.run("report(sets);") == [[10]])
    }

    @Test("J7 the commits of a script that was stopped are delivered in another turn")
    func stoppedAfterCommit() async throws {
        let run = try ScriptRun(limit: .milliseconds(50))
        try await run.run(
            Self.numbers + "fetch().unref().onChange(changes => report(changes.counts.rows.inserted));"
        )
        _ = try? await run.run("store.insert('x', { n: 1 }); for (;;) {}")
        await run.results.wait(for: 1)
        #expect(run.results.elements == [1])
    }

    @Test(
        "J3 a change set is one packed array with the rows' ids, and its objects are created on access"
    )
    func packed() async throws {
        let results = try await ScriptRun().run(
            Self.numbers + """
                const ids = store.transaction(() => [1, 2, 3].map(n => store.insert("x", { n })));
                const query = fetch();
                query.onChange(changes => {
                    report([changes.packed instanceof Int32Array, [...changes.packed], [...changes.ids].map(id => ids.indexOf(id))]);
                    report(changes.items.map(({ id, ...change }) => ({ ...change, id: ids.indexOf(id) })));
                    report([changes.items === changes.objects, changes.merging(changes.inverse()).packed.slice(0, 6).join()]);
                    try { changes.merging(changes) } catch (e) { report(e.code) }
                    try { changes.merging({}) } catch (e) { report(e.code) }
                    query.close();
                });
                store.transaction(() => {
                    store.delete("x", ids[0]);
                    store.update("x", ids[1], { n: 9 });
                    ids.push(store.insert("x", { n: 5 }));
                });
                """
        )
        #expect(
            results[0] == [true, [0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 2, 0, 1, 0, 2], [0, 3, 1, 1]]
        )
        #expect(
            results[1] == [
                ["type": "delete", "from": ["section": 0, "item": 0], "id": 0],
                ["type": "insert", "to": ["section": 0, "item": 1], "id": 3],
                [
                    "type": "move", "from": ["section": 0, "item": 1], "to": ["section": 0, "item": 2],
                    "id": 1,
                ],
                [
                    "type": "update", "from": ["section": 0, "item": 1], "to": ["section": 0, "item": 2],
                    "id": 1,
                ],
            ]
        )
        // A row that was inserted and deleted is absent; one that was deleted and inserted again is another one.
        #expect(results[2] == [true, "0,0,0,1,1,0"])
        #expect(results[3] == "invalidArgument")
        #expect(results[4] == "invalidArgument")
    }

    @Test("J3 a thousand changes are passed with their ids, and lead to the query's content")
    func manyChanges() async throws {
        let run = try ScriptRun()
        try await run.run(
            Self.numbers + """
                const query = fetch();
                const before = query.snapshot();
                query.unref().onChange(changes => {
                    report([changes.items.length, changes.counts.rows.inserted, changes.ids.length, changes.ids.constructor.name]);
                    report([changes.items[1].id === query.item(0, 1).$id, changes.items[998].id === query.item(0, 998).$id]);
                    report(before.applying(changes).equals(query.snapshot()));
                });
                """
        )
        try run.store.write { transaction in
            for number in 0..<1000 { try transaction.insert(into: "x", ["n": .integer(Int64(number))]) }
        }
        await run.results.wait(for: 3)
        #expect(run.results.elements == [[1000, 1000, 1000, "Float64Array"], [true, true], true])
    }

    @Test("J5 a transaction rejects a promise of any kind, and rolls back")
    func promises() async throws {
        let results = try await ScriptRun().run(
            Self.numbers + """
                const bodies = [async () => { store.insert("x", { n: 1 }) }, () => { store.insert("x", { n: 2 }); return Promise.resolve() }, () => { store.insert("x", { n: 3 }); return { then() {} } }];
                for (const body of bodies) try { store.transaction(body); report("done") } catch (e) { report([e.name, e.message]) }
                report(fetch().count);
                """
        )
        let refusal: Value = ["TypeError", "a transaction cannot wait: its body returned a promise"]
        #expect(results == [refusal, refusal, refusal, 0])
    }
}

@Suite struct RowValueTests {
    @Test("G dates of rows are the written milliseconds, before and after 1970")
    func dates() async throws {
        let run = try ScriptRun(store: SQLiteStore(location: .memory))
        let wrong = try await run.run(
            """
            const store = bridge.store();
            store.createEntity("x", { d: "date" });
            const times = [];
            for (let index = 0; index < 5000; index++) times.push((index * 7919 * 104729) % 4e12 - 2e12, index * 172799 - 432000000);
            const ids = store.transaction(() => times.map(time => store.insert("x", { d: new Date(time) })));
            const query = store.fetch("x", { sort: "d" });
            let count = 0;
            times.forEach((time, index) => {
                const row = query.item(query.indexOf(ids[index]));
                if (row.d.getTime() !== time) count++;
            });
            report(count);
            """
        )
        #expect(wrong == [0])
    }

    @Test("J1 options of a fetch that are undefined count as missing")
    func undefinedOptions() async throws {
        let run = try ScriptRun(store: SQLiteStore(location: .memory))
        let seen = try await run.run(
            """
            const store = bridge.store();
            store.createEntity("x", { n: "integer" });
            store.insert("x", { n: 1 });
            const options = ["where", "sort", "sectionBy", "limit", "offset", "filter", "window"];
            let text = "";
            try { store.fetch("x", { order: "n" }); } catch (error) { text = error.message; }
            report([store.fetch("x", Object.fromEntries(options.map(name => [name, undefined]))).count,
             store.fetch("x", { filter: undefined }).count, store.fetch("x", { window: undefined, limit: 1 }).count,
             options.filter(name => !text.includes(name)).length]);
            """
        )
        #expect(seen == [[1, 1, 1, 0]])
    }
}
