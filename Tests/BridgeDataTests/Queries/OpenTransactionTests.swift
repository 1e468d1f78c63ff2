import BridgeData
import JavaScriptBridge
import ManagedObjects
import Stores
import StoresSQLite
import Testing

/// Queries beside open transactions: nothing that may be rolled back is shown afterwards.
@Suite("Queries and open transactions") struct OpenTransactionTests {
    private static let head = """
        const store = bridge.store();
        store.createEntity("t", { n: "integer" });
        const ids = [1, 2, 3].map(n => store.insert("t", { n }));
        const shown = query => [...query].map(row => row.n).join();
        const attempt = body => { try { return body() } catch (error) { return error.code + ": " + error.message } };

        """

    @Test(
        "F19 a query created in a rolled-back transaction shows the committed rows, with a listener and without",
        arguments: [false, true]
    )
    func rolledBack(isListening: Bool) async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                let query;
                const notified = [];
                attempt(() => store.transaction(() => {
                    store.update("t", ids[0], { n: 9 });
                    store.insert("t", { n: 4 });
                    query = store.fetch("t", { sort: "n" });
                    if (\(isListening)) query.onChange(changes => notified.push(String(changes)));
                    report(shown(query));
                    throw new Error("no");
                }));
                report([query.count, shown(query), query.snapshot().sections[0].ids.length]);
                setTimeout(() => {
                    store.insert("t", { n: 5 });
                    setTimeout(() => {
                        const fresh = store.fetch("t", { sort: "n" });
                        report([shown(query), query.snapshot().equals(fresh.snapshot()), query.version === fresh.version]);
                        store.update("t", ids[0], { n: 7 });
                        setTimeout(() => {
                            report([shown(query), query.snapshot().equals(fresh.snapshot()), notified.length]);
                            query.close();
                        }, 0);
                    }, 0);
                }, 0);
                """
        )
        #expect(
            results == [
                "2,3,4,9", [3, "1,2,3", 3], ["1,2,3,5", true, true],
                ["2,3,5,7", true, isListening ? 3 : 0],
            ]
        )
    }

    @Test(
        "F19 a query created in a committed transaction shows every row once, and its listener gets later changes"
    )
    func committed() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                let query;
                const notified = [];
                store.transaction(() => {
                    store.update("t", ids[0], { n: 9 });
                    query = store.fetch("t", { sort: "n" });
                    query.onChange(changes => notified.push([changes.counts.rows, [...changes.ids]]));
                    store.insert("t", { n: 4 });
                });
                setTimeout(() => {
                    report([shown(query), query.count, notified]);
                    query.close();
                }, 0);
                """
        )
        #expect(
            results == [
                [
                    "2,3,4,9", 4,
                    [[["inserted": 1, "deleted": 0, "moved": 0, "updated": 1], [4, 1]]],
                ]
            ]
        )
    }

    @Test("F19 J5 a savepoint that is rolled back leaves nothing in the queries created in it")
    func savepoint() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                let query;
                store.transaction(() => {
                    store.insert("t", { n: 0 });
                    attempt(() => store.transaction(() => {
                        store.delete("t", ids[1]);
                        query = store.fetch("t", { sort: "n" });
                        report(shown(query));
                        throw new Error("no");
                    }));
                    report(shown(query));
                    store.insert("t", { n: 8 });
                });
                report([shown(query), query.count]);
                """
        )
        #expect(results == ["0,1,3", "0,1,2,3", ["0,1,2,3,8", 5]])
    }

    @Test("F19 a query that was not read since its transaction ended shows nothing of it inside the next one")
    func nextTransaction() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                let rolledBack, committed;
                attempt(() => store.transaction(() => {
                    store.insert("t", { n: 4 });
                    rolledBack = store.fetch("t", { sort: "n" });
                    throw new Error("no");
                }));
                store.transaction(() => {
                    const id = store.insert("t", { n: 5 });
                    committed = store.fetch("t", { sort: "n" });
                    store.delete("t", id);
                });
                store.transaction(() => {
                    store.insert("t", { n: 6 });
                    report([shown(rolledBack), rolledBack.count, shown(committed), committed.count]);
                });
                report([shown(rolledBack), shown(committed)]);
                """
        )
        #expect(results == [["1,2,3", 3, "1,2,3", 3], ["1,2,3,6", "1,2,3,6"]])
    }

    @Test("F19 J6 a query that must be read again is not read inside a transaction")
    func readAnewLater() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                let isBroken = false;
                const query = store.fetch("t", { sort: row => { if (isBroken) throw new Error("broken"); return row.n } });
                isBroken = true;
                store.update("t", ids[0], { n: 5 });
                report(attempt(() => query.count));
                isBroken = false;
                attempt(() => store.transaction(() => {
                    store.insert("t", { n: 4 });
                    report(attempt(() => shown(query)));
                    throw new Error("no");
                }));
                report(shown(query));
                store.insert("t", { n: 0 });
                report([shown(query), query.count]);
                """
        )
        #expect(
            results == [
                "undefined: broken", "undefined: broken", "2,3,5", ["0,2,3,5", 4],
            ]
        )
    }

    @Test("F19 a query over related rows created before a transaction applies nothing of it")
    func relatedRows() async throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "book",
                attributes: [.init("title", .string)],
                relationships: [.toOne("author", "author", inverse: "books")]
            ),
            EntityDescription(
                name: "author",
                attributes: [.init("name", .string)],
                relationships: [.toMany("books", "book", inverse: "author")]
            ),
        ])
        let store = try SQLiteStore(location: .memory)
        _ = try PersistentContainer(model: model, store: store)
        let results = try await ScriptRun(store: store).run(
            """
            const store = bridge.store();
            const ann = store.insert("author", { name: "ann" }), bob = store.insert("author", { name: "bob" });
            const book = store.insert("book", { title: "t", author: ann });
            const query = store.fetch("book", { sectionBy: "author.name", sort: "author.name" });
            const name = () => query.section(0).name;
            report(name());
            store.update("author", ann, { name: "eve" });
            try {
                store.transaction(() => {
                    store.update("author", ann, { name: "joe" });
                    report(name());
                    throw new Error("no");
                });
            } catch {}
            report(name());
            store.update("book", book, { author: bob });
            report([name(), query.count]);
            """
        )
        #expect(results == ["ann", "eve", "eve", ["bob", 1]])
    }

    @Test(
        "F19 U10 a query of an entity whose creation was rolled back throws, and follows a new one of the same shape",
        arguments: [#"{ a: "string", b: "string" }"#, #"{ a: "integer", b: "string" }"#, #"{ a: "string" }"#]
    )
    func entityThatNeverWas(shape: String) async throws {
        let isSame = shape == #"{ a: "string", b: "string" }"#
        let results = try await ScriptRun().run(
            Self.head + """
                let query;
                attempt(() => store.transaction(() => {
                    store.createEntity("x", { a: "string", b: "string" });
                    store.insert("x", { a: "a" });
                    query = store.fetch("x", { sort: "a" });
                    report(query.count);
                    throw new Error("no");
                }));
                report(attempt(() => query.count));
                const shape = \(shape);
                store.createEntity("x", shape);
                store.insert("x", { a: shape.a === "string" ? "b" : 5 });
                report(attempt(() => [query.count, query.indexOf(1), query.window().map(row => row.a)]));
                store.insert("x", { a: shape.a === "string" ? "a" : 4 });
                report(attempt(() => [query.count, query.indexOf(1)]));
                """
        )
        let other: Value =
            "store.schema: the attributes of 'x' changed after the query was created: create it again"
        #expect(results[0] == 1)
        #expect(results[1] == "store.schema: the store has no entity 'x'")
        #expect(results[2] == (isSame ? [1, ["section": 0, "item": 0], ["b"]] : other))
        #expect(results[3] == (isSame ? [2, ["section": 0, "item": 1]] : other))
    }

    @Test("F19 a script that runs inside a write of the host shows nothing of it after a rollback")
    func insideTheHostsWrite() async throws {
        let run = try ScriptRun(isolation: .actor)
        try await run.run(
            Self.head + """
                globalThis.old = store.fetch("t", { sort: "n" });
                globalThis.shown = shown;
                let made;
                globalThis.look = () => { made = bridge.store().fetch("t", { sort: "n" }); made.onChange(() => {}); made.unref(); return shown(old) + "/" + shown(made) };
                globalThis.again = () => { const text = shown(old) + "/" + shown(made); return text };
                globalThis.end = () => { old.close(); made.close() };
                """
        )
        let bridge = run.bridge
        let store = run.store
        let inside = try await Task.detached {
            try Self.rolledBack(store) {
                try bridge.runtime.withContextAndWait { try $0.evaluate("look()").toString() }
            }
        }.value
        #expect(inside == "1,2,3/1,2,3,8")
        await bridge.waitUntilIdle()
        try store.write { _ = try $0.insert(into: "t", ["n": .integer(4)]) }
        await bridge.waitUntilIdle()
        let after = try await bridge.runtime.withContext { try $0.evaluate("again()").toString() }
        #expect(after == "1,2,3,4/1,2,3,4")
        try await bridge.runtime.withContext { _ = try $0.evaluate("end()") }
    }

    @Test(
        "F19 R18 a script on its own thread gets an error for the store its caller writes to, without a deadlock"
    )
    func circleWithTheHostsWrite() async throws {
        let run = try ScriptRun(isolation: .thread)
        try await run.run(
            Self.head + """
                globalThis.look = () => [
                    attempt(() => store.fetch("t").count), attempt(() => store.insert("t", { n: 4 })),
                    attempt(() => store.transaction(() => 1)),
                ].join("\\n");
                """
        )
        let bridge = run.bridge
        let store = run.store
        let inside = try await Task.detached {
            try Self.rolledBack(store) {
                try bridge.runtime.withContextAndWait { try $0.evaluate("look()").toString() }
            }
        }.value
        let prefix =
            "store.wouldDeadlock: deadlock: the store is in a transaction on a thread that waits for this thread"
        for line in inside.split(separator: "\n") { #expect(line.hasPrefix(prefix)) }
        #expect(inside.split(separator: "\n").count == 3)
        let after = try await bridge.runtime.withContext { try $0.evaluate("look()").toString() }
        #expect(after.hasPrefix("3\n4\n1"))
    }

    private struct Undone: Error {}

    /// Runs a closure inside a write that has inserted a row and is rolled back.
    private static func rolledBack<Result>(_ store: SQLiteStore, _ body: () throws -> Result) throws -> Result
    {
        var result: Result?
        do {
            try store.write { transaction in
                _ = try transaction.insert(into: "t", ["n": .integer(8)])
                result = try body()
                throw Undone()
            }
        } catch is Undone {}
        return try #require(result)
    }
}
