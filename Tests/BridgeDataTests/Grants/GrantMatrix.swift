import BridgeData
import BridgeTesting
import DataSources
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite

/// One access of a script to data: the operations that it needs, and the native functions that it calls.
struct GrantProbe: Sendable, Hashable {
    /// The member of the script's API.
    let member: String
    /// The operations that it needs, all of them.
    let operations: Set<DataOperation>
    /// The operations of which any one is sufficient.
    let anyOf: Set<DataOperation>
    /// The code of the script.
    let script: String
    let natives: Set<String>

    init(
        _ member: String,
        _ operations: Set<DataOperation> = [],
        anyOf: Set<DataOperation> = [],
        through natives: Set<String> = [],
        _ script: String
    ) {
        self.member = member
        self.operations = operations
        self.anyOf = anyOf
        self.natives = natives
        self.script = script
    }

    /// Returns whether it is allowed by some granted operations.
    func isGranted(by granted: Set<DataOperation>) -> Bool {
        operations.isSubset(of: granted) && (anyOf.isEmpty || !anyOf.isDisjoint(with: granted))
    }
}

/// Every access of a script to data.
///
/// A member or a native function without a row fails the test.
enum GrantMatrix {
    static let probes: [GrantProbe] = ofBridgesAndStores + ofQueries + ofSources

    private static let ofBridgesAndStores: [GrantProbe] = [
        GrantProbe("bridge.store", anyOf: .all, through: ["entities"], "bridge.store()"),
        GrantProbe("bridge.order", through: ["orderNumbers"], "bridge.order([2, 1], x => x)"),
        GrantProbe(
            "bridge.order by texts",
            through: ["keyTaker", "orderTaken"],
            "bridge.order(['b', 'a'], x => x)"
        ),
        GrantProbe("bridge.difference", through: ["differenceOfNumbers"], "bridge.difference([1], [2])"),
        GrantProbe(
            "bridge.registerDataSource",
            through: ["saveSourceState", "restoreSourceState"],
            """
            const own = bridge.registerDataSource('own', { numberOfItems: 1, item: () => ({ id: 1 }) });
            own.restoreState(own.saveState({ height: 1 }), { height: 1 });
            """
        ),
        GrantProbe("Store.name", anyOf: .all, "bridge.store().name"),
        GrantProbe("Store.entities", anyOf: .all, through: ["entities"], "bridge.store().entities"),
        GrantProbe(
            "Store.createEntity",
            [.schema],
            through: ["createEntity"],
            "bridge.store().createEntity('new' + Math.random(), { n: 'integer' })"
        ),
        GrantProbe(
            "Store.importCSV",
            [.import, .insert],
            through: ["importCSV"],
            "bridge.store().importCSV(folder + '/more.csv', { entity: 'item' })"
        ),
        GrantProbe(
            "Store.importCSV by a key",
            [.import, .insert, .update],
            through: ["importCSV"],
            "bridge.store().importCSV(folder + '/more.csv', { entity: 'item', key: 'name', mode: 'upsert' })"
        ),
        GrantProbe(
            "Store.importCSV in place of all",
            [.import, .insert, .update, .delete],
            through: ["importCSV"],
            "bridge.store().importCSV(folder + '/more.csv', { entity: 'item', key: 'name', mode: 'replace' })"
        ),
        GrantProbe(
            "Store.importCSV of a new entity",
            [.import, .insert, .schema],
            through: ["importCSV"],
            "bridge.store().importCSV(folder + '/more.csv', { entity: 'new' + Math.random() })"
        ),
        GrantProbe(
            "Store.insert",
            [.insert],
            through: ["insert"],
            "bridge.store().insert('item', { n: 5 })"
        ),
        GrantProbe(
            "Store.update",
            [.update],
            through: ["update"],
            "bridge.store().update('item', 1, { n: 5 })"
        ),
        GrantProbe(
            "Store.upsert",
            [.insert, .update],
            through: ["upsert"],
            "bridge.store().upsert('item', 'name', { name: 'a', n: 5 })"
        ),
        GrantProbe("Store.delete", [.delete], through: ["delete"], "bridge.store().delete('item', 3)"),
        GrantProbe(
            "Store.fetch",
            [.read],
            through: ["fetch", "attributes"],
            "bridge.store().fetch('item')"
        ),
        GrantProbe(
            "Store.fetch by functions",
            [.read],
            through: ["fetch", "attributesOf"],
            "bridge.store().fetch('item', { filter: row => row.n > 0, sort: row => row.n, sectionBy: row => row.n })"
        ),
        GrantProbe(
            "Store.transaction",
            anyOf: [.insert, .update, .delete, .schema, .import],
            through: ["transaction"],
            "bridge.store().transaction(() => 1)"
        ),
        GrantProbe("bridge.dataSource", [.read], through: ["openSource"], "bridge.dataSource('shown')"),
    ]

    private static let ofQueries: [GrantProbe] = [
        query("count", through: ["count"], "query.count"),
        query("version", through: ["version"], "query.version"),
        query("numberOfSections", through: ["numberOfSections"], "query.numberOfSections"),
        query("numberOfItems", through: ["numberOfItems"], "query.numberOfItems(0)"),
        query("section", through: ["section"], "query.section(0)"),
        query("window", through: ["window", "stamp"], "query.window().map(row => row.n)"),
        query("item", through: ["window"], "query.item(0, 0)?.n"),
        query("indexOf", through: ["indexOf"], "query.indexOf(1)"),
        query(
            "snapshot",
            through: ["snapshot", "snapshotSections", "snapshotsEqual"],
            "query.snapshot().sections; query.snapshot().equals(query.snapshot())"
        ),
        query("saveState", [.export], through: ["saveState"], "query.saveState({ height: 1 })"),
        query(
            "restoreState",
            [.export],
            through: ["restoreState"],
            "query.restoreState(query.saveState({ height: 1 }), { height: 1 })"
        ),
        query("setWindow", through: [], "query.setWindow({ from: 0, to: 1 })"),
        query("rows", through: ["window"], "query.rows.length"),
        query("Symbol(Symbol.iterator)", through: ["window"], "[...query].length"),
        query("insert", [.insert], through: ["insert"], "query.insert({ n: 1 })"),
        query("update", [.update], through: ["update"], "query.update(1, { n: 2 })"),
        query("delete", [.delete], through: ["delete"], "query.delete(99)"),
        query(
            "onChange",
            [.observe],
            through: ["listen", "unlisten", "reference"],
            "query.onChange(() => {})()"
        ),
        query("ref", through: [], "query.ref()"),
        query("unref", through: [], "query.unref()"),
        query("close", through: ["close"], "query.close()"),
        query("dispose", through: ["close"], "query.dispose()"),
        query("Symbol(Symbol.dispose)", through: ["close"], "query.close()"),
    ]

    private static let ofSources: [GrantProbe] = [
        source("name", through: [], "source.name"),
        source("version", through: ["sourceVersion"], "source.version"),
        source("numberOfSections", through: ["sourceSections"], "source.numberOfSections"),
        source("count", through: ["sourceItems"], "source.count"),
        source("numberOfItems", through: ["sourceItems"], "source.numberOfItems(0)"),
        source("item", through: ["sourceItem"], "source.item(0, 0)"),
        source("window", through: ["sourceWindow"], "source.window()"),
        source("indexOf", through: ["sourceIndexOf"], "source.indexOf('a')"),
        source("after", through: ["sourceAfter"], "source.after(0, 0)"),
        source("headerTitle", through: ["sourceTitle"], "source.headerTitle(0)"),
        source("footerTitle", through: ["sourceTitle"], "source.footerTitle(0)"),
        source("saveState", [.export], through: ["saveHostState"], "source.saveState({ height: 1 })"),
        source(
            "restoreState",
            [.export],
            through: ["restoreHostState"],
            "source.restoreState(source.saveState({ height: 1 }), { height: 1 })"
        ),
        source("onChange", [.observe], through: ["followSource"], "source.onChange(() => {})()"),
        source("Symbol(Symbol.iterator)", through: ["sourceWindow"], "[...source].length"),
    ]

    /// The native functions that use only a change set or a snapshot, which came from a granted query.
    static let ofChangeSets: Set<String> = [
        "changes", "changePaths", "inverse", "merge", "apply",
    ]

    private static func query(
        _ member: String,
        _ operations: Set<DataOperation> = [],
        through natives: Set<String>,
        _ script: String
    ) -> GrantProbe {
        GrantProbe(
            "Query.\(member)",
            operations.union([.read]),
            through: natives,
            "const query = bridge.store().fetch('item'); \(script)"
        )
    }

    private static func source(
        _ member: String,
        _ operations: Set<DataOperation> = [],
        through natives: Set<String>,
        _ script: String
    ) -> GrantProbe {
        GrantProbe(
            "HostSource.\(member)",
            operations.union([.read]),
            through: natives,
            "const source = bridge.dataSource('shown'); \(script)"
        )
    }
}

/// A bridge with one entity, one shown data source and one folder of files, for one caller.
final class GrantScene: Sendable {
    /// The kind of caller.
    enum Caller: String, Sendable, CaseIterable {
        /// A constrained script, to which everything is denied that is not allowed.
        case constrained
        /// A trusted script, to which everything is allowed that is not denied.
        case trusted
        /// A trusted script of a bridge that denies everything that is not allowed.
        case trustedDenied
    }

    let bridge: Bridge
    let store: SQLiteStore
    let denials = Recorder<BridgeDenial>()
    let uncaught = Recorder<JSException>()
    let folder: URL

    init(
        _ caller: Caller,
        over transport: BridgeConfiguration.Transport = .direct,
        isolation: JavaScriptRuntime.Isolation = .default,
        clock: (any MonotonicClock)? = nil,
        _ grants: BridgeGrants = BridgeGrants()
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("name,n\nx,1\ny,2\n".utf8).write(to: folder.appendingPathComponent("more.csv"))
        let store = try SQLiteStore(location: .memory)
        self.store = store
        try store.createEntity(
            EntityDescription(
                name: "item",
                attributes: [
                    .init("name", .string, isUnique: true), .init("n", .integer), .init("secret", .string),
                ]
            )
        )
        try store.write { transaction in
            for (n, name) in ["a", "b", "c"].enumerated() {
                let values: [String: AttributeValue] = [
                    "name": .string(name), "n": .integer(Int64(n + 1)), "secret": .string("hidden-\(name)"),
                ]
                _ = try transaction.insert(into: "item", values)
            }
        }
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.isolation = isolation
        if let clock { configuration.clock = clock }
        configuration.executionLimits = caller == .constrained ? .constrained : .trusted
        if caller == .constrained { configuration.executionLimits.processorTime = .milliseconds(250) }
        var grants = grants
        if caller == .trustedDenied { grants.fallback = .deny }
        configuration.grants = grants
        configuration.denialSink = { [denials] in denials.add($0) }
        configuration.uncaughtErrorHandler = { [uncaught] in uncaught.add($0) }
        bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": store], baseDirectory: folder.path)
        )
        try await bridge.withContext { context in
            try context.showDataSource(ListSource(["a", "b"], id: { $0 }), named: "shown")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Runs a turn, which delivers earlier commits.
    func turn() async throws { try await bridge.withContext { _ in } }

    /// Runs a function body in the script; returns its result, or the code of its error.
    func outcome(_ script: String) async throws -> String {
        let value = try await value(script)
        return value["error"].stringValue ?? "ok"
    }

    /// Runs a function body in the script; returns its result under `value`, or the code and the message of its error.
    func value(_ script: String) async throws -> Value {
        try await bridge.withContext { [folder] context in
            try context.globalObject.setValue(.string(folder.path), forProperty: "folder")
            return try context.evaluate(
                """
                (() => { try { return { value: (() => { \(script) })() } }
                catch (error) { return { error: error.code ?? error.name, message: error.message } } })()
                """
            ).toValue()
        }
    }
}
