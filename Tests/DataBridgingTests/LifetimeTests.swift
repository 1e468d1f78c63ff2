import BridgeTesting
import DataBridging
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

@Suite struct LifetimeTests {
    private final class Canary: Sendable {}

    @Test(
        "L3 a bridge that nobody holds goes, with its context, handlers and live queries that still have listeners"
    )
    func bridgeGoes() async throws {
        weak var bridge: Bridge?
        weak var canary: Canary?
        weak var store: SQLiteStore?
        try await {
            let held = Canary()
            canary = held
            let opened = try SQLiteStore(location: .memory)
            store = opened
            let made = try Bridge(
                configuration: .patient,
                data: DataConfiguration(stores: ["default": opened])
            )
            bridge = made
            try made.registerHandler("hold") { (_: Value) -> Value in
                _ = held
                return .null
            }
            try await made.load(
                .text(
                    """
                    const store = bridge.store();
                    store.createEntity("x", { n: "integer" });
                    const query = store.fetch("x", { sort: "n" });
                    query.onChange(() => {});
                    bridge.registerHandler("back", x => x);
                    bridge.callHandler("hold");
                    store.insert("x", { n: 1 });
                    """,
                    name: "x.js"
                )
            )
            #expect(try await made.callHandler("back", with: 5, returning: Int.self) == 5)
        }()
        // The runtime's last job may still be on its way out.
        for _ in 0..<1000 where bridge != nil || canary != nil || store != nil { await Task.yield() }
        #expect(bridge == nil)
        #expect(canary == nil)
        #expect(store == nil)
    }
}
