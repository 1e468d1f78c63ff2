import BridgeData
import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// The identity of rows whose entity has attributes that look like one.
@Suite struct RowIdentityTests {
    /// A file whose columns count from the end, so that an attribute mistaken for the identity finds another row.
    private static let file =
        "id,rowID,$ID,_id,name\n"
        + (1...5).map { "\(6 - $0),\(6 - $0),\(6 - $0),\(6 - $0),n\($0)" }
        .joined(separator: "\n")

    private static let opening = """
        const store = bridge.store();
        const refused = body => { try { body(); return "nothing"; } catch (error) { return String(error); } };
        """

    private func makeRun() async throws -> ScriptRun {
        let run = try ScriptRun()
        let folder = FileManager.default.temporaryDirectory.appending(path: "identity-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "sale.csv")
        try Data(Self.file.utf8).write(to: path)
        let columns: [AttributeDescription] = ["id", "rowID", "$ID", "_id"].map { .init($0, .integer) }
        let sale = EntityDescription(name: "sale", attributes: columns + [.init("name", .string)])
        try run.store.importCSV(from: path.path, into: sale)
        return run
    }

    @Test("J2 a row has its identity, whatever its attributes are called")
    func byRow() async throws {
        let run = try await makeRun()
        let results = try await run.run(
            Self.opening + """
                const sales = store.fetch("sale", { sort: "name" });
                const [first, second, third, fourth] = sales.window();
                report([first.id, first.rowID, first.$ID, first._id, first.$id, Object.keys(first)]);
                report([store.update("sale", first, { name: "a" }), sales.update(second, { name: "b" })]);
                report([store.update("sale", { ...third }, { name: "c" }), store.delete("sale", fourth.$id)]);
                const last = sales.item(0, 3);
                report([last.name, sales.indexOf(last), sales.indexOf(last.$id), sales.indexOf({ ...last }), sales.delete(last)]);
                report([...sales].map(row => row.id + row.name));
                """
        )
        #expect(
            results == [
                [5, 5, 5, 5, 1, ["$id", "id", "rowID", "$ID", "_id", "name"]], [true, true], [true, true],
                [
                    "n5", ["section": 0, "item": 3], ["section": 0, "item": 3], ["section": 0, "item": 3],
                    true,
                ], ["5a", "4b", "3c"],
            ]
        )
    }

    @Test("J2 a loop and a transaction use rows themselves, as in the tour")
    func tour() async throws {
        let run = try await makeRun()
        let results = try await run.run(
            Self.opening + """
                const sales = store.fetch("sale", { sort: "name" });
                store.transaction(() => {
                    const [first, second] = sales.window(0, 0, 2);
                    sales.update(first, { name: "changed" });
                    sales.delete(second);
                });
                report([...sales].map(row => row.name));
                for (const row of sales) if (row.name !== "n5") store.delete("sale", row);
                report([...sales].map(row => row.name));
                """
        )
        #expect(results == [["changed", "n3", "n4", "n5"], ["n5"]])
    }

    @Test("J2 an argument that is not a row of the entity is rejected, and changes nothing")
    func refusals() async throws {
        let run = try await makeRun()
        let results = try await run.run(
            Self.opening + """
                store.createEntity("other", { name: "string" });
                store.insert("other", { name: "o" });
                const stranger = store.fetch("other").item(0, 0);
                const sales = store.fetch("sale", { sort: "name" });
                report([
                    refused(() => store.update("sale", stranger, { name: "x" })), refused(() => sales.delete(stranger)),
                    refused(() => sales.indexOf(stranger)),
                ]);
                const wrong = [undefined, null, "1", true, {}, { id: 1 }, { $id: "1" }, [1], () => 1];
                report(wrong.map(row => [
                    () => store.update("sale", row, { name: "x" }), () => store.delete("sale", row), () => sales.update(row, { name: "x" }),
                    () => sales.delete(row), () => sales.indexOf(row),
                ].every(body => refused(body).startsWith("TypeError: a row is named by itself or by its $id, not by "))));
                report([...sales].map(row => row.name));
                """
        )
        let stranger =
            "TypeError: a row of 'other' in the store 'default' is not a row of 'sale' in the store 'default'"
        #expect(
            results == [
                .array(Array(repeating: .string(stranger), count: 3)),
                .array(Array(repeating: true, count: 9)),
                ["n1", "n2", "n3", "n4", "n5"],
            ]
        )
    }

    @Test("J2 no attribute may have the name of the identity")
    func reserved() async throws {
        let run = try ScriptRun()
        let results = try await run.run(
            Self.opening + """
                report(refused(() => store.createEntity("t", { $id: "integer", name: "string" })));
                report(Object.keys(store.entities));
                """
        )
        #expect(results.first?.stringValue?.contains("cannot have an attribute named '$id'") == true)
        #expect(results.last == [])
        #expect(throws: StoreError.self) {
            try run.store.createEntity(EntityDescription(name: "t", attributes: [.init("$id", .integer)]))
        }
    }

    @Test("J2 J6 rows of a source of the host have the same name for their identity")
    func hostSource() async throws {
        let run = try await makeRun()
        let store = run.store
        try await run.bridge.withContext { context in
            let controller = try FetchedResultsController(
                fetchRequest: FetchRequest(entityName: "sale", sortDescriptors: [.init("name")]),
                store: store
            )
            let source = FetchedSource(controller)
            try controller.performFetch()
            try context.showDataSource(source, named: "rows")
        }
        let results = try await run.run(
            """
            const source = bridge.dataSource("rows");
            const row = source.item(0, 1);
            report([row.$id, row.id, source.indexOf(row), bridge.store().update("sale", row, { name: "n2b" })]);
            """
        )
        #expect(results == [[2, 4, ["section": 0, "item": 1], true]])
        let request = FetchRequest(entityName: "sale", predicate: .idIsIn([2]))
        #expect(try store.read { try $0.fetch(request).map { $0["name"] } } == [.string("n2b")])
    }

    @Test("J2 a transaction of Swift changes and removes a row object")
    func swift() async throws {
        let run = try await makeRun()
        let request = FetchRequest(entityName: "sale", sortDescriptors: [.init("name")])
        try run.store.write { transaction in
            let rows = try transaction.fetch(request)
            #expect(try transaction.update(rows[0], ["name": .string("a")]))
            #expect(try transaction.delete(rows[1]))
            #expect(try !transaction.delete(rows[1]))
        }
        let rows = try run.store.read { try $0.fetch(request) }
        #expect(rows.map { $0["id"] } == [5, 3, 2, 1].map { .integer($0) })
        #expect(rows.map(\.id) == [1, 3, 4, 5])
    }

    @Test("J2 key functions and filters see the identity by its name")
    func keyFunctions() async throws {
        let run = try await makeRun()
        let results = try await run.run(
            Self.opening + """
                const sales = store.fetch("sale", { sort: row => -row.$id, filter: row => row.$id !== row.id });
                report([...sales].map(row => row.name));
                """
        )
        #expect(results == [["n5", "n4", "n2", "n1"]])
    }
}
