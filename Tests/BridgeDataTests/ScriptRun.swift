import BridgeData
import BridgeTesting
import JavaScriptBridge
import JavaScriptEngine
import Stores
import StoresSQLite

/// A bridge with a store whose scripts report values by `report(value)`.
struct ScriptRun {
    let bridge: Bridge
    let store: SQLiteStore
    let results: Recorder<Value>

    init(
        store: SQLiteStore? = nil,
        limit: Duration? = .seconds(60),
        isolation: JavaScriptRuntime.Isolation = .default
    ) throws {
        let store = try store ?? SQLiteStore(location: .memory)
        let results = Recorder<Value>()
        var configuration = BridgeConfiguration.patient
        configuration.isolation = isolation
        configuration.executionLimits.processorTime = limit
        configuration.uncaughtErrorHandler = { results.add(.string("uncaught \($0.message)")) }
        bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": store])
        )
        try bridge.registerHandler("report") { (value: Value) in results.add(value) }
        self.store = store
        self.results = results
    }

    /// Runs a script until it is idle, and returns the values reported so far.
    @discardableResult
    func run(_ script: String) async throws -> [Value] {
        try await bridge.load(
            .text(
                "globalThis.report ??= value => bridge.notify('report', value);\n{\n\(script)\n}",
                name: "test.js"
            )
        )
        await bridge.waitUntilIdleOrCancelled()
        return results.elements
    }
}
