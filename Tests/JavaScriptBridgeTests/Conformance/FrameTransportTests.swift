import BridgeTesting
import Testing

@testable import JavaScriptBridge

/// A bridge whose other side is not in its context.
@Suite struct FrameTransportTests {
    private func makeBridge() throws -> (Bridge, FrameStream) {
        let ends = FrameStream.makePair()
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configuration.injectsScript = false
        configuration.executionLimits.processorTime = .milliseconds(150)
        configuration.setFrameTransport(over: ends.0)
        return (try Bridge(configuration: configuration), ends.1)
    }

    private func exchange(_ bridge: Bridge, _ other: FrameStream, _ text: String) async throws -> [String] {
        other.write(Array(text.utf16))
        for _ in 0..<3 { try await bridge.withContext { _ in } }
        var received: [String] = []
        while let frame = other.next() { received.append(String(decoding: frame, as: UTF16.self)) }
        return received
    }

    @Test("what the other side can is forgotten with it: a reload begins without its capabilities")
    func capabilities() async throws {
        let (bridge, other) = try makeBridge()
        try bridge.registerHandler("echo") { (value: Value) in value }
        let request = #"[{"handlerName":"echo","data":1,"callbackId":"a","x":{"acc":["err","bin"]}}]"#
        #expect(try await exchange(bridge, other, request) == [#"{"responseId":"a","responseData":1}"#])
        #expect(bridge.session.peer.known.contains(.binary))
        try await bridge.reload()
        let plain = #"[{"handlerName":"echo","data":2,"callbackId":"b"}]"#
        #expect(try await exchange(bridge, other, plain) == [#"{"responseId":"b","responseData":2}"#])
        #expect(bridge.session.peer.known.isEmpty)
    }

    @Test("R6 a script of the host's own context that is stopped ends no call of the other side")
    func stoppedScript() async throws {
        let (bridge, other) = try makeBridge()
        _ = try await exchange(bridge, other, "[]")
        let call = Task { try await bridge.callHandler("far", with: 1, returning: Int.self) }
        while bridge.pendingCallCount == 0 { await Task.yield() }
        let sent = try await exchange(bridge, other, "[]")
        await #expect(throws: JSException.self) { try await bridge.runtime.evaluate("for (;;) {}") }
        #expect(bridge.pendingCallCount == 1)
        let id = sent.joined().split(separator: "\"callbackId\":\"").last?.prefix { $0 != "\"" } ?? ""
        _ = try await exchange(bridge, other, #"[{"responseId":"\#(id)","responseData":7}]"#)
        #expect(try await call.value == 7)
    }

    @Test("a side elsewhere needs the text transport, a configuration without a script, and no journal")
    func requirements() async {
        await #expect(processExitsWith: .failure) {
            var configuration = BridgeConfiguration()
            configuration.makeTransport = { FrameTransport($0, over: FrameStream.makePair().0) }
            _ = try Bridge(configuration: configuration)
        }
    }
}
