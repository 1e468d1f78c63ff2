import BridgeData
import DataSources
import Foundation
import JavaScriptBridge
import ManagedObjects
import Stores
import StoresSQLite
import Testing

/// Native work and memory whose size a script chooses, by a count that it returns or a string that it passes.
@Suite("R9 R19 R23 R33 the native work that a script causes is bounded")
struct ScriptBoundTests {
    private static let head = """
        const attempt = body => { try { return body() } catch (error) { return [error.code, error.message] } };

        """

    @Test("R19 R23 saving a state reads only the rows that matter, whatever counts the script returns")
    func savedState() async throws {
        let results = try await ScriptRun().run(
            """
            let asked = 0;
            const source = { numberOfItems: 1000000, item: (s, i) => { asked++; return { id: i } } };
            const view = { height: 1e12 };
            const state = bridge.registerDataSource("many", source).saveState(view);
            report([state.anchor.id, state.fallbacks.length, asked < 50]);
            asked = 0;
            const other = { ...source, identifier: () => undefined };
            report([bridge.registerDataSource("nameless", other).saveState(view).anchor === undefined, asked <= 1000]);
            """
        )
        #expect(results == [["0", 4, true], [true, true]])
    }

    @Test("R19 R23 more sections than the limit are an error, whenever they are returned")
    func sections() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                let calls = 0;
                const handle = bridge.registerDataSource("many", {
                    numberOfSections: () => calls++ > 3 ? 2147483647 : 1, numberOfItems: () => 0, item: () => 1,
                });
                const state = attempt(() => handle.saveState({ height: 1 }));
                calls = 10;
                report(attempt(() => handle.restoreState(state, { height: 1, policy: "preventWhenEmpty" }))[0]);
                """
        )
        #expect(results == ["decodeFailed"])
        let run = try ScriptRun()
        try await run.run(
            "bridge.registerDataSource('many', { numberOfSections: 2147483647, numberOfItems: 0, item: () => 1 });"
        )
        let (count, code) = try await run.bridge.withDataSource("many") { source in
            (source.numberOfSections, source.lastError?.code)
        }
        #expect(count == 0)
        #expect(code == .decodeFailed)
    }

    @Test("R19 R23 a source is not called after the end of its turn, and the termination ends the turn")
    func termination() async throws {
        let run = try ScriptRun(limit: .milliseconds(100))
        let error = try await #require(throws: JSException.self) {
            try await run.bridge.load(
                .text(
                    """
                    globalThis.asked = 0;
                    const handle = bridge.registerDataSource("endless", {
                        numberOfSections: 100000, item: () => 1,
                        numberOfItems: section => { asked++; while (section > 0); return 0 },
                    });
                    const state = { version: 1, schema: "source:endless", request: "" };
                    handle.restoreState(state, { height: 1, policy: "preventWhenEmpty" });
                    """,
                    name: "test.js"
                )
            )
        }
        #expect(error.termination == .processorTime(limit: .milliseconds(100)))
        #expect(try await run.run("report(asked)") == [2])
    }

    private static func related() throws -> SQLiteStore {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "item",
                attributes: [.init("name", .string)],
                relationships: [.toOne("boss", "item"), .toOne("part.of", "item")]
            )
        ])
        let store = try SQLiteStore(location: .memory)
        _ = try PersistentContainer(model: model, store: store)
        return store
    }

    @Test(
        "R19 R33 a key of a million dots is an unknown attribute, and a key path has at most six relationships"
    )
    func paths() async throws {
        let results = try await ScriptRun(store: Self.related()).run(
            Self.head + """
                const store = bridge.store();
                const code = options => attempt(() => store.fetch("item", options).count);
                report(code({ sort: ".".repeat(1e6) })[1].startsWith("entity 'item' has no attribute '...."));
                report(code({ sort: "boss.".repeat(2e5) + "name" })[1].endsWith("follows more than 6 relationships"));
                report(code({ sort: "name", where: { ["boss.".repeat(7) + "name"]: "x" } })[1].endsWith("follows more than 6 relationships"));
                report([code({ sort: "boss.".repeat(6) + "name" }), code({ sort: "part.of.name" }), code({ sort: "boss.part.of.boss" })]);
                """
        )
        #expect(results == [true, true, true, [0, 0, 0]])
    }

    @Test("R9 R33 more than 64 sort or section keys are rejected with both numbers")
    func keys() async throws {
        let results = try await ScriptRun(store: Self.related()).run(
            Self.head + """
                const store = bridge.store();
                const code = options => attempt(() => store.fetch("item", options).count);
                report(code({ sort: Array(65).fill("name") }));
                report(code({ sort: "name", sectionBy: Array(100000).fill("name") }));
                report(code({ sort: Array.from({ length: 65 }, (_, n) => () => n) })[0]);
                report(code({ sort: Array(64).fill("name") }));
                """
        )
        #expect(
            results == [
                ["limitExceeded", "sort has 65 keys (limit 64)"],
                ["limitExceeded", "sectionBy has 100000 keys (limit 64)"], "limitExceeded", 0,
            ]
        )
    }

    @Test("R9 R19 the keys of an order and of a query are limited in bytes, with both numbers in the error")
    func bytes() async throws {
        let results = try await ScriptRun().run(
            Self.head + """
                const store = bridge.store();
                store.createEntity("note", { n: "integer" });
                store.transaction(() => { for (let n = 0; n < 200; n++) store.insert("note", { n }) });
                const long = "x".repeat(1 << 20);
                let asked = 0;
                const key = () => { asked++; return long };
                report([attempt(() => bridge.order(Array(100000).fill(0), key)), asked]);
                asked = 0;
                report([attempt(() => store.fetch("note", { sort: [key] }).count), asked]);
                // What was refused leaves nothing behind: as much as is permitted can be ordered again and again.
                for (let n = 0; n < 3; n++) report(bridge.order([0, 1, 2], index => long + (2 - index)).join());
                report(store.fetch("note", { sort: [row => -row.n], limit: 1 }).window(0, 1)[0]?.n ?? "no row");
                """
        )
        #expect(results.count == 6)
        for (result, place) in zip(results.prefix(2), ["an order", "a query"]) {
            #expect(result[0][0] == "limitExceeded")
            let message = try #require(result[0][1].stringValue)
            #expect(message.hasPrefix("the keys of \(place) have 13"), "\(message)")
            #expect(message.hasSuffix(" bytes (limit 134217728)"), "\(message)")
            #expect(result[1] == 128)
        }
        #expect(results[2...4] == ["2,1,0", "2,1,0", "2,1,0"])
    }
}
