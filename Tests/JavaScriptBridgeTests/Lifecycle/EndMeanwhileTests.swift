import BridgeTesting
import Foundation
import Testing

@testable import JavaScriptBridge

/// Calls of Swift whose session ends while the script's handler runs: calls on the fast path must end with those in the
/// tables.
@Suite struct EndMeanwhileTests {
    enum End: String, CaseIterable { case close, reset, lostContext }

    // The text transport has neither synchronous requests nor calls that are sent before they are in the tables.
    @Test(
        "R5 R6 a call settles with disconnected if its session ends while the script's handler runs",
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
