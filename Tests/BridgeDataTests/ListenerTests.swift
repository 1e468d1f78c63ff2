import BridgeData
import BridgeTesting
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

@Suite struct ListenerTests {
    private static let numbers = """
        const report = value => bridge.notify("report", value);
        const store = bridge.store();
        store.createEntity("x", { n: "integer" });
        const fetch = () => store.fetch("x", { sort: "n" });

        """

    private func run(_ script: String) async throws -> [Value] {
        let (bridge, results) = try make()
        try await bridge.load(.text(Self.numbers + script, name: "listeners.js"))
        await bridge.waitUntilIdle()
        return results.elements
    }

    private func make(limit: Duration? = .seconds(30)) throws -> (Bridge, Recorder<Value>) {
        let results = Recorder<Value>()
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.processorTime = limit
        configuration.uncaughtErrorHandler = { results.add(.string("uncaught \($0)")) }
        let bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": try SQLiteStore(location: .memory)])
        )
        try bridge.registerHandler("report") { (value: Value) in results.add(value) }
        return (bridge, results)
    }

    @Test(
        "J7 a listener that a time limit stops keeps no other listener, of its query or the next, from its change set"
    )
    func stoppedListener() async throws {
        let (bridge, results) = try make(limit: .milliseconds(50))
        try await bridge.load(
            .text(
                Self.numbers + """
                    const queries = [fetch().unref(), fetch().unref(), fetch().unref()];
                    const listen = (query, name) => query.onChange(changes => report([name, changes.counts.rows.inserted]));
                    let hangs = true;
                    listen(queries[0], "before");
                    queries[0].onChange(() => { while (hangs) {} });
                    listen(queries[0], "after");
                    listen(queries[1], "next");
                    queries[1].onChange(() => { while (hangs) {} });
                    queries[1].onChange(() => { while (hangs) {} });
                    listen(queries[1], "twice");
                    listen(queries[2], "last");
                    """,
                name: "stopped.js"
            )
        )
        // The commit's own turn is stopped first.
        _ = try? await bridge.load(.text("store.insert('x', { n: 1 })", name: "insert.js"))
        await bridge.waitUntilIdle()
        let names: [Value] = ["before", "after", "next", "twice", "last"]
        #expect(results.elements.filter { $0.arrayValue != nil } == names.map { [$0, 1] })
        try await bridge.load(.text("hangs = false; store.insert('x', { n: 2 })", name: "again.js"))
        await bridge.waitUntilIdle()
        #expect(results.elements.filter { $0.arrayValue != nil } == (names + names).map { [$0, 1] })
    }

    @Test("J7 queries are notified in the order in which their listeners were added")
    func order() async throws {
        let results = try await run(
            """
            const queries = Array.from({ length: 40 }, fetch), received = [], order = [];
            for (let step = 0; step < 40; step++) order.push(step * 27 % 40);
            const stops = order.map(number => queries[number].onChange(() => received.push(number)));
            // Who stops and begins again comes last.
            stops[5]();
            stops[5] = queries[order[5]].onChange(() => received.push(order[5]));
            const expected = order.filter((_, index) => index !== 5).concat(order[5]);
            store.insert("x", { n: 1 });
            setTimeout(() => {
                report(received.join() === expected.join());
                stops.forEach(stop => stop());
            }, 0);
            """
        )
        #expect(results == [true])
    }

    @Test("J7 no listener is called after close, after a stop, or for a change set from before it was added")
    func duringDelivery() async throws {
        let results = try await run(
            """
            const closing = fetch(), stopping = fetch(), adding = fetch();
            closing.onChange(() => { report("closing"); closing.close(); });
            closing.onChange(() => report("after close"));
            let calls = 0;
            stopping.onChange(() => { report("stopping"); stop(); });
            const stop = stopping.onChange(() => report("after stop"));
            const add = () => {
                if (++calls < 1000) adding.onChange(add);
            };
            adding.onChange(add);
            store.insert("x", { n: 1 });
            setTimeout(() => {
                report(calls);
                store.insert("x", { n: 2 });
                setTimeout(() => { report(calls); stopping.close(); adding.close(); }, 0);
            }, 0);
            """
        )
        #expect(results == ["closing", "stopping", 1, "stopping", 3])
    }

    @Test("J7 closing another query in a listener prevents the calls of its listeners")
    func closingAnother() async throws {
        let results = try await run(
            """
            const first = fetch(), second = fetch();
            first.onChange(() => { report("first"); second.close(); first.close(); });
            second.onChange(() => report("second"));
            store.insert("x", { n: 1 });
            """
        )
        #expect(results == ["first"])
    }

    @Test("inside a transaction a window has the written values, and counts are of the version before")
    func windowInTransaction() async throws {
        let results = try await run(
            """
            const [a, b] = store.transaction(() => [1, 2].map(n => store.insert("x", { n })));
            const query = fetch(), values = () => query.window(0).map(row => row?.n ?? null);
            try {
                store.transaction(() => {
                    store.update("x", a, { n: 10 });
                    store.delete("x", b);
                    store.insert("x", { n: 3 });
                    report([query.count, values()]);
                    throw 1;
                });
            } catch {}
            report([query.count, values()]);
            """
        )
        #expect(results == [[2, [10, .null]], [2, [1, 2]]])
    }

    @Test("J7 changes pending for an async listener are joined over commits that do not change the query")
    func unseenCommits() async throws {
        let results = try await run(
            """
            const query = store.fetch("x", { where: { n: { lt: 100 } }, sort: "n" });
            const notified = [], sets = [];
            let release;
            query.onChange(changes => {
                notified.push(changes.counts.rows.inserted);
                if (notified.length === 1) return new Promise(resolve => { release = resolve });
            });
            query.onChange(changes => { sets.push(changes) });
            const steps = [1, 2, 1000, 3, 4].map(n => () => store.insert("x", { n }));
            steps.push(() => release(), () => store.insert("x", { n: 5 }), () => {
                report([notified, sets.length]);
                report(sets[1].merging(sets[2]).counts.rows.inserted);
                report(sets[2].inverse().merging(sets[1].inverse()).counts.rows.deleted);
                try { sets[1].merging(sets[3]) } catch (error) { report(error.code) }
                try { sets[2].merging(sets[1]) } catch (error) { report(error.code) }
                query.close();
            });
            const next = () => {
                const step = steps.shift();
                if (step === undefined) return;
                step();
                setTimeout(next, 0);
            };
            next();
            """
        )
        #expect(results == [[[1, 3, 1], 5], 2, 2, "invalidArgument", "invalidArgument"])
    }
}
