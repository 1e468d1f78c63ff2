import BridgeData
import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

@Suite struct LiveQueryTests {
    /// Runs a script on a fresh store until it is idle, and returns the values that it passed to `report`.
    private func run(_ script: String, store: SQLiteStore? = nil) async throws -> [Value] {
        let results = Recorder<Value>()
        var configuration = BridgeConfiguration.patient
        configuration.uncaughtErrorHandler = { results.add(.string("uncaught \($0)")) }
        let data = DataConfiguration(stores: ["default": try store ?? SQLiteStore(location: .memory)])
        let bridge = try Bridge(configuration: configuration, data: data)
        try bridge.registerHandler("report") { (value: Value) in results.add(value) }
        try await bridge.load(
            .text("const report = value => bridge.notify('report', value);\n" + script, name: "test.js")
        )
        await bridge.waitUntilIdle()
        return results.elements
    }

    private static let cities = """
        const store = bridge.store();
        store.createEntity("city", { name: { type: "string", unique: true, optional: false }, country: "string", people: "integer" });
        store.transaction(() => {
            for (const [name, country, people] of [["Oslo", "NO", 7], ["Bergen", "NO", 3], ["Kraków", "PL", 8], ["Łódź", "PL", 6], ["東京", "JP", 140]])
                store.insert("city", { name, country, people });
        });
        const byCountry = store.fetch("city", { sectionBy: "country", sort: ["country", "name"] });
        """

    @Test("a script reads a sectioned query: counts, sections, windows, items, identities, iteration")
    func reading() async throws {
        let results = try await run(
            Self.cities + """
                report([byCountry.count, byCountry.numberOfSections, [0, 1, 2, 3, -1].map(s => byCountry.numberOfItems(s))]);
                report(byCountry.section(1));
                report(byCountry.window(2, 0, 10).map(row => row.name));
                report([byCountry.item(0, 0).people, byCountry.item(0, 1) === undefined, byCountry.item(9, 0) === undefined]);
                report(byCountry.indexOf(byCountry.item(2, 1)));
                report([...byCountry].map(row => row.name).join());
                report(store.fetch("city", { where: { people: { gte: 7 }, country: { ne: "JP" } }, sort: [{ key: "people", ascending: false }] }).window(0).map(r => r.name));
                report(store.fetch("city", { where: { or: [{ name: { contains: "ó" } }, { country: { in: ["JP"] } }] }, sort: "name" }).window(0).map(r => r.name));
                report(store.fetch("city", { sort: "name", limit: 2, offset: 1 }).window(0).map(r => r.name));
                """
        )
        #expect(
            results == [
                [5, 3, [1, 2, 2, 0, 0]],
                ["name": "NO", "keys": ["NO"], "indexTitle": "N", "count": 2],
                ["Kraków", "Łódź"], [140, true, true], ["section": 2, "item": 1],
                "東京,Bergen,Oslo,Kraków,Łódź", ["Kraków", "Oslo"], ["Kraków", "Łódź", "東京"],
                ["Kraków", "Oslo"],
            ]
        )
    }

    @Test(
        "a listener gets one minimal change set after a transaction, and applying it gives a fresh fetch"
    )
    func changeSets() async throws {
        let results = try await run(
            Self.cities + """
                const before = byCountry.snapshot();
                const stop = byCountry.onChange(changes => {
                    report(changes.toString());
                    report([changes.sections, changes.items]);
                    const fresh = store.fetch("city", { sectionBy: "country", sort: ["country", "name"] }).snapshot();
                    report([before.applying(changes).equals(fresh), before.equals(fresh), fresh.applying(changes.inverse()).equals(before)]);
                    stop();
                });
                store.transaction(() => {
                    store.insert("city", { name: "Nice", country: "FR", people: 3 });
                    store.delete("city", byCountry.item(0, 0));
                    store.update("city", byCountry.item(1, 1), { people: 8 });
                    store.update("city", byCountry.item(2, 0), { name: "Żory" });
                });
                report(["after the transaction", byCountry.count, byCountry.section(0).name]);
                """
        )
        #expect(
            results.map { $0.stringValue ?? "" }.first { $0.hasPrefix("sections") }
                == "sections: 1 inserted, 1 deleted, 0 moved, 0 updated; rows: 1 inserted, 1 deleted, 1 moved, 2 updated"
        )
        // Listeners are notified first: until then the query shows the version before.
        #expect(results.first == ["after the transaction", 5, "JP"])
        #expect(results.last == [true, false, true])
        #expect(results.count == 4)
    }

    @Test("a throw rolls back, an inner throw only its own part, and a promise is rejected")
    func transactions() async throws {
        let results = try await run(
            Self.cities + """
                const mine = new Error("mine");
                try { store.transaction(() => { store.insert("city", { name: "A" }); throw mine }) } catch (e) { report(e === mine) }
                store.transaction(() => {
                    store.insert("city", { name: "B" });
                    try { store.transaction(() => { store.insert("city", { name: "C" }); throw 1 }) } catch {}
                });
                try { store.transaction(async () => { store.insert("city", { name: "D" }) }) } catch (e) { report(e.message) }
                report(store.fetch("city", { where: { name: { in: ["A", "B", "C", "D"] } }, sort: "name" }).window(0).map(r => r.name));
                try { store.insert("city", { name: "Oslo" }) } catch (e) { report(e.code) }
                try { store.insert("city", { name: 5 }) } catch (e) { report([e.code, e.message]) }
                try { store.insert("city", { nam: "x" }) } catch (e) { report(e.code) }
                try { bridge.store("none") } catch (e) { report(e.code) }
                report(store.transaction(() => 42));
                """
        )
        #expect(results[0] == true)
        #expect(results[1].stringValue?.contains("promise") == true)
        #expect(results[2] == ["B"])
        #expect(results[3] == "store.notUnique")
        #expect(results[4][0] == "store.invalidValue")
        #expect(results[5] == "store.schema")
        #expect(results[6] == "invalidArgument")
        #expect(results[7] == 42)
    }

    @Test("A string with a lone surrogate, which no store can keep, is rejected with that reason")
    func loneSurrogate() async throws {
        let run = try ScriptRun()
        let results = try await run.run(
            """
            const store = bridge.store();
            store.createEntity("e", { a: "string" });
            for (const use of [
                () => store.insert("e", { a: "n\\ud800" }),
                () => store.fetch("e", { where: { a: "n\\ud800" } }).count,
            ]) {
                try { report(use()) } catch (error) { report([error.code, error.message]) }
            }
            """
        )
        let message = "'e.a' holds well-formed strings, but this one has a lone surrogate: 'n\u{FFFD}'"
        #expect(results == Array(repeating: ["store.invalidValue", .string(message)], count: 2))
    }

    @Test("an endless loop inside a transaction is stopped and rolled back")
    func terminationInTransaction() async throws {
        let store = try SQLiteStore(location: .memory)
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.processorTime = .milliseconds(30)
        let bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": store])
        )
        try await bridge.load(
            .text("const store = bridge.store(); store.createEntity('x', { n: 'integer' })", name: "a.js")
        )
        for _ in 0..<5 {
            await #expect(throws: JSException.self) {
                try await bridge.load(
                    .text(
                        "store.transaction(() => { store.insert('x', { n: 1 }); for (;;) {} })",
                        name: "b.js"
                    )
                )
            }
        }
        #expect(try store.read { try $0.count(FetchRequest(entityName: "x")) } == 0)
        #expect(try await bridge.load(.text("store.insert('x', { n: 2 })", name: "c.js")).integerValue != nil)
    }

    @Test("J7 a write inside a change listener is delivered in a later round, never inside")
    func writeInListener() async throws {
        let results = try await run(
            Self.cities + """
                let depth = 0, rounds = 0;
                const stop = byCountry.onChange(changes => {
                    depth++;
                    report([depth, changes.counts.rows.inserted]);
                    if (++rounds < 3) store.insert("city", { name: "N" + rounds, country: "NO" });
                    else stop();
                    depth--;
                });
                store.insert("city", { name: "N0", country: "NO" });
                """
        )
        #expect(results == [[1, 1], [1, 1], [1, 1]])
    }

    @Test("a commit of another thread reaches the listener of a script")
    func commitFromSwift() async throws {
        let store = try SQLiteStore(location: .memory)
        let results = Recorder<Value>()
        let bridge = try Bridge(configuration: .patient, data: DataConfiguration(stores: ["default": store]))
        try bridge.registerHandler("report") { (value: Value) in results.add(value) }
        try await bridge.load(
            .text(
                Self.cities + "byCountry.onChange(c => bridge.notify('report', c.counts.rows.inserted))",
                name: "l.js"
            )
        )
        try store.write { try $0.insert(into: "city", ["name": .string("Lyon"), "country": .string("FR")]) }
        await results.wait(for: 1)
        #expect(results.elements == [1])
    }

    @Test("a CSV import is one transaction: a bad line is reported and leaves the store unchanged")
    func csvImport() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data("code,n\na,1\nb,2\n".utf8).write(to: directory.appendingPathComponent("good.csv"))
        try Data("code,n\nc,3\nd,x\n".utf8).write(to: directory.appendingPathComponent("bad.csv"))
        try Data("code,n\na,1\nc,5\n".utf8).write(to: directory.appendingPathComponent("next.csv"))
        let results = try await run(
            """
            const store = bridge.store(), at = "\(directory.path)/";
            report(store.importCSV(at + "good.csv", { entity: "thing", key: "code" }));
            try { store.importCSV(at + "bad.csv", { entity: "thing", key: "code" }) } catch (e) { report([e.code, e.message.includes("bad.csv:3")]) }
            report(store.importCSV(at + "next.csv", { entity: "thing", key: "code", mode: "replace" }));
            report(store.fetch("thing", { sort: "code" }).window(0).map(r => [r.code, r.n]));
            try { store.importCSV(at + "none.csv", { entity: "other" }) } catch (e) { report(Object.keys(store.entities)) }
            """
        )
        #expect(results[0] == ["rows": 2, "inserted": 2, "updated": 0, "deleted": 0, "unchanged": 0])
        #expect(results[1] == ["store.importFailed", true])
        #expect(results[2] == ["rows": 2, "inserted": 1, "updated": 0, "deleted": 1, "unchanged": 1])
        #expect(results[3] == [["a", 1], ["c", 5]])
        #expect(results[4] == ["thing"])
    }

    @Test("importCSV takes a delimiter, infers booleans and dates, and rejects an unknown option")
    func csvOptions() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let text = "name;done;due\n\"a;b\";true;2024-02-29\nc;false;\n"
        try Data(text.utf8).write(to: directory.appendingPathComponent("list.csv"))
        let results = try await run(
            """
            const store = bridge.store(), path = "\(directory.path)/list.csv";
            store.importCSV(path, { entity: "task", delimiter: ";" });
            report(store.fetch("task", { sort: "name" }).window(0).map(r => [r.name, r.done, r.due]));
            const refused = (options) => { try { store.importCSV(path, options) } catch (error) { report([error.code, error.message]) } };
            refused({ entity: "task", delimeter: ";" });
            refused({ entity: "task", delimiter: ";;" });
            refused("task");
            for (const name of ["x\\uD800", "x\\uD801"]) {
                try { store.createEntity(name, { n: "integer" }) } catch (error) { report(error.code) }
                try { store.createEntity("y", { [name]: "integer" }) } catch (error) { report(error.code) }
            }
            report(Object.keys(store.entities));
            """
        )
        #expect(
            results == [
                [["a;b", true, .date(Date(timeIntervalSince1970: 1_709_164_800))], ["c", false, .null]],
                [
                    "invalidArgument",
                    "importCSV has no option 'delimeter' (did you mean 'delimiter'?); it has delimiter, entity, key, mode",
                ],
                [
                    "invalidArgument",
                    "importCSV's delimiter is one character, such as ';' or a tab, not string ';;'",
                ],
                ["invalidArgument", "importCSV takes its options as an object, not string"],
                "invalidArgument", "encodeFailed", "invalidArgument", "encodeFailed", ["task"],
            ]
        )
    }

    @Test("a data source written in JavaScript is read by Swift, and announces its changes")
    func scriptDataSource() async throws {
        let bridge = try Bridge(configuration: .patient, data: DataConfiguration(stores: [:]))
        try await bridge.load(
            .text(
                """
                let list = ["a", "b", "c"];
                const handle = bridge.registerDataSource("list", { numberOfItems: () => list.length, window: (s, from, to) => list.slice(from, to).map(name => ({ name })) });
                bridge.registerDataSource("sections", { numberOfSections: 2, numberOfItems: s => s, item: (s, i) => s * 10 + i });
                bridge.registerDataSource("hostile", { numberOfSections: -1, numberOfItems: () => 1e300, window: () => [] });
                """,
                name: "sources.js"
            )
        )
        struct Named: Decodable, Equatable, Sendable { var name: String }
        try await bridge.withDataSource("list") { source in
            #expect(source.numberOfSections == 1)
            #expect(source.numberOfItems(in: 0) == 3)
            #expect(source.numberOfItems(in: 1) == 0)
            #expect(source.item(at: IndexPath(item: 1, section: 0)) == ["name": "b"])
            #expect(source.item(at: IndexPath(item: 3, section: 0)) == nil)
            let window = try source.window(section: 0, 1..<9, as: Named.self)
            #expect(window == [Named(name: "b"), Named(name: "c")])
            #expect(source.indexPath(after: IndexPath(item: 2, section: 0)) == nil)
        }
        try await bridge.withContext { context in
            let source = try context.dataSource(named: "list")
            var seen: [ChangeSet] = []
            source.reloadBlock = { seen.append($0) }
            try context.evaluate(
                "list.push('d'); handle.reload([{ type: 'insert', to: { section: 0, item: 3 } }]); handle.reload()"
            )
            #expect(seen == [.some([.item(type: .insert(IndexPath(item: 3, section: 0)))]), .all])
            #expect(source.numberOfItems(in: 0) == 4)
        }
        try await bridge.withDataSource("sections") { source in
            #expect(source.numberOfSections == 2)
            #expect(source.item(at: IndexPath(item: 0, section: 1)) == 10)
            #expect(
                source.indexPath(after: IndexPath(item: -1, section: 0)) == IndexPath(item: 0, section: 1)
            )
        }
        try await bridge.withDataSource("hostile") { source in
            #expect(source.numberOfSections == 0)
            #expect(source.lastError?.message.contains("hostile") == true)
            #expect(source.numberOfItems(in: 0) == 0)
        }
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.withDataSource("none") { _ in }
        }
        #expect(error?.code == .handlerNotFound)
        #expect(try await bridge.dataSourceNames() == ["list", "sections", "hostile"])
    }
}
