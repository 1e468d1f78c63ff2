import BridgeTesting
import Foundation
import Testing

@testable import JavaScriptBridge

/// Calls of Swift whose session ends while the script's handler runs: what is handed over outside of the tables must end
/// with those in them.
@Suite struct EndMeanwhileTests {
    enum End: String, CaseIterable { case close, reset, lostContext }

    // By text there are no synchronous requests, and every call is in the tables before it is sent.
    @Test(
        "R5 R6 a call settles with disconnected where its session ends while the script's handler runs",
        arguments: End.allCases
    )
    func endsMeanwhile(end: End) async throws {
        let bridge = try Bridge(configuration: .patient)
        try bridge.registerHandler("end") { [weak bridge] (_: Value) in
            switch end {
            case .close: bridge?.close()
            case .reset: bridge?.reset()
            case .lostContext: bridge?.session.update { $0.machine.contextLost() }
            }
        }
        let script = """
            bridge.registerHandler('ready', () => 1);
            bridge.registerHandler('busy', () => { bridge.callHandlerSync('end'); return new Promise(() => {}); });
            """
        try await bridge.load(.text(script, name: "busy.js"))
        let first: Int = try await bridge.callHandler("ready")
        #expect(first == 1)
        await #expect {
            _ = try await bridge.callHandler("busy", returning: Int.self)
        } throws: {
            ($0 as? BridgeError)?.code == .disconnected
        }
        #expect(bridge.pendingCallCount == 0)
    }
}
