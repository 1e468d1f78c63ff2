import BridgeData
import BridgeTesting
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// The end of a script's queries when its context is replaced.
@Suite struct DataReloadTests {
    @Test("live queries end with their context; the next context has none, and finds all rows", .noLeaks)
    func queries() async throws {
        let notified = Recorder<Value>()
        var configuration = BridgeConfiguration.patient
        configuration.uncaughtErrorHandler = { notified.add(.string("uncaught \($0)")) }
        let bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": try SQLiteStore(location: .memory)])
        )
        try bridge.registerHandler("notified") { (value: Value) in notified.add(value) }
        let listen = """
            ; const query = store.fetch("x", { sort: "n" });
            query.onChange(changes => bridge.notify("notified", [name, changes.counts.rows.inserted]));
            store.insert("x", { n: 1 }); 1
            """
        try await bridge.load(
            .text(
                "const name = 'old', store = bridge.store(); store.createEntity('x', { n: 'integer' });"
                    + listen,
                name: "old.js"
            )
        )
        await notified.wait(for: 1)
        // A listener keeps a run going, but not one of a context that was replaced.
        try await bridge.reload()
        await bridge.waitUntilIdle()
        try await bridge.load(.text("const name = 'new', store = bridge.store();" + listen, name: "new.js"))
        await notified.wait(for: 2)
        try await bridge.load(.text("bridge.notify('notified', query.numberOfItems(0))", name: "count.js"))
        await notified.wait(for: 3)
        #expect(notified.elements == [["old", 1], ["new", 1], 2])
    }
}
