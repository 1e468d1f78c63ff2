import BridgeData
import BridgeTesting
import BridgeViews
import CollectionViews
import JavaScriptBridge
import Stores
import StoresSQLite

/// A bridge with a store and views, whose scripts record values by `note(value)`.
struct ScriptViews {
    let bridge: Bridge
    let store: SQLiteStore
    let notes = Recorder<Value>()
    let errors = Recorder<String>()
    let changes = Recorder<String>()

    init(
        unit: ViewUnit = .cell,
        limit: Duration? = .seconds(60),
        _ configure: (inout CollectionViewConfiguration) -> Void = { _ in }
    ) throws {
        store = try SQLiteStore(location: .memory)
        var configuration = BridgeConfiguration()
        configuration.defaultTimeout = nil
        configuration.executionLimits.processorTime = limit
        let errors = errors
        configuration.uncaughtErrorHandler = { errors.add($0.message) }
        var views = CollectionViewConfiguration()
        views.unit = unit
        views.size = Size(width: 40, height: 10)
        let changes = changes
        views.viewChanged = { changes.add($0) }
        configure(&views)
        bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": store]),
            views: views
        )
        let notes = notes
        try bridge.registerHandler("note") { (value: Value) in notes.add(value) }
    }

    /// Runs a script and what it leaves to the next turns.
    func run(_ script: String) async throws {
        try await bridge.load(
            .text("globalThis.note ??= value => bridge.notify('note', value);\n\(script)", name: "view.js")
        )
        await settle()
    }

    /// Waits for the handlers of what was sent before.
    func settle() async {
        for _ in 0..<3 { try? await bridge.withContext { _ in } }
    }

    /// Returns the value of an expression.
    func value(_ expression: String) async throws -> Value {
        try await bridge.withContext { try $0.evaluate(expression).toValue() }
    }

    /// Returns the texts of the frame of a view, from back to front.
    func texts(_ name: String = "main") async throws -> [String] {
        try await bridge.withCollectionView(name) { owner in
            try owner.view.makeFrame().elements.map(\.content.text.string)
        }
    }
}
