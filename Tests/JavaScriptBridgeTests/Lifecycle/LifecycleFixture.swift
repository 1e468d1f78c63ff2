import BridgeTesting
import JavaScriptBridge
import Testing

/// A kind of bridge: every test of the life of a bridge must hold for each.
struct BridgeKind: Sendable, CustomTestStringConvertible, CaseIterable {
    let isolation: JavaScriptRuntime.Isolation
    let transport: BridgeConfiguration.Transport

    static let allCases: [BridgeKind] = [JavaScriptRuntime.Isolation.actor, .thread].flatMap { isolation in
        [BridgeConfiguration.Transport.direct, .text].map { BridgeKind(isolation: isolation, transport: $0) }
    }

    var testDescription: String { "\(isolation), \(transport)" }

    func makeBridge(_ script: String? = nil, configure: (inout BridgeConfiguration) -> Void = { _ in })
        async throws -> Bridge
    {
        var configuration = BridgeConfiguration.patient
        configuration.isolation = isolation
        configuration.transport = transport
        configure(&configuration)
        let bridge = try Bridge(configuration: configuration)
        if let script { try await bridge.load(.text(script, name: "page.js")) }
        return bridge
    }
}

/// A script that answers with the number of its context, never, late or with a stream.
let pageScript = """
    bridge.registerHandler("echo", data => data);
    bridge.registerHandler("never", () => new Promise(() => {}));
    bridge.registerHandler("ticks", async function* () { for (let n = 0; ; n++) yield n; });
    """

func code<Value>(of task: Task<Value, any Error>) async -> BridgeErrorCode? {
    do {
        _ = try await task.value
        return nil
    } catch {
        return (error as? BridgeError)?.code
    }
}
