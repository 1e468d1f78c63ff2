import BridgeData
import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// A script's use of a source that the host shows.
@Suite struct HostSourceTests {
    private static let store = """
        const source = bridge.dataSource("rows");
        const attempt = body => { try { return body() } catch (error) { return error.code } };

        """

    @Test("J2 J6 a fetched source in a script gives the position of a row, and the version")
    func fetched() async throws {
        let run = try ScriptRun()
        try run.store.createEntity(EntityDescription(name: "t", attributes: [.init("n", .integer)]))
        try run.store.write { transaction in
            for n in [3, 1, 2] as [Int64] { _ = try transaction.insert(into: "t", ["n": .integer(n)]) }
        }
        let store = run.store
        try await run.bridge.withContext { context in
            let controller = try FetchedResultsController(
                fetchRequest: FetchRequest(entityName: "t", sortDescriptors: [.init("n")]),
                store: store
            )
            let source = FetchedSource(controller)
            try controller.performFetch()
            try context.showDataSource(source, named: "rows")
        }
        let version = try store.read { $0.version }
        let results = try await run.run(
            Self.store + """
                report([source.version, source.indexOf(1), source.indexOf(2), source.indexOf(source.item(0, 1)), source.indexOf(9), source.indexOf("x")]);
                """
        )
        #expect(
            results == [
                [
                    .integer(Int64(version)), ["section": 0, "item": 2], ["section": 0, "item": 0],
                    ["section": 0, "item": 1], .undefined, .undefined,
                ]
            ]
        )
    }

    @Test(
        "J2 a list of the host gives the position of an item by its identity; one without identities throws"
    )
    func lists() async throws {
        let run = try ScriptRun()
        try await run.bridge.withContext { context in
            try context.showDataSource(ListSource(["a", "b", "c"], id: { $0 }), named: "rows")
            try context.showDataSource(Bare(), named: "bare")
        }
        let results = try await run.run(
            Self.store + """
                report([source.version === undefined, attempt(() => source.indexOf("b")), attempt(() => source.indexOf("z"))]);
                report(attempt(() => bridge.dataSource("bare").indexOf("b")));
                """
        )
        #expect(results == [[true, ["section": 0, "item": 1], .undefined], "unsupported"])
    }

    private final class Bare: DataSource {
        var reloadBlock: ReloadBlock?
        var numberOfSections: Int { 1 }
        func numberOfItems(in section: Int) -> Int { 1 }
        func item(at indexPath: IndexPath) -> String? { "b" }
    }
}
