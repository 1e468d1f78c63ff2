import BridgeTesting
import Synchronization
import Testing

@testable import JavaScriptBridge

/// A bridge whose other side is not in its context.
@Suite struct PeerChannelTests {
    /// A bridge, its channel, and what it has sent.
    private struct Peer {
        let bridge: Bridge
        let channel: PeerChannel
        let sent: Sent

        /// Passes on a text, and returns what the bridge has sent since the last exchange.
        func exchange(_ text: String) async throws -> [String] {
            channel.receive(text)
            for _ in 0..<3 { try await bridge.withContext { _ in } }
            return sent.take()
        }
    }

    private final class Sent: Sendable {
        private let texts = Mutex<[String]>([])

        func add(_ text: String) { texts.withLock { $0.append(text) } }

        func take() -> [String] {
            texts.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
    }

    private func makePeer(_ configure: (inout BridgeConfiguration) -> Void = { _ in }) throws -> Peer {
        let sent = Sent()
        let channel = PeerChannel { sent.add($0) }
        var configuration = BridgeConfiguration(peer: channel)
        configuration.clock = ManualClock()
        configuration.executionLimits.processorTime = .milliseconds(150)
        configure(&configuration)
        return Peer(bridge: try Bridge(configuration: configuration), channel: channel, sent: sent)
    }

    @Test("what the other side can is forgotten with it: a reload begins without its capabilities")
    func capabilities() async throws {
        let peer = try makePeer()
        let bridge = peer.bridge
        try bridge.registerHandler("echo") { (value: Value) in value }
        let request = #"[{"handlerName":"echo","data":1,"callbackId":"a","x":{"acc":["err","bin"]}}]"#
        #expect(try await peer.exchange(request) == [#"{"responseId":"a","responseData":1}"#])
        #expect(bridge.session.peer.known.contains(.binary))
        try await bridge.reload()
        let plain = #"[{"handlerName":"echo","data":2,"callbackId":"b"}]"#
        #expect(try await peer.exchange(plain) == [#"{"responseId":"b","responseData":2}"#])
        #expect(bridge.session.peer.known.isEmpty)
    }

    @Test("R6 a script of the host's own context that is stopped ends no call of the other side")
    func stoppedScript() async throws {
        let peer = try makePeer()
        let bridge = peer.bridge
        _ = try await peer.exchange("[]")
        let call = Task { try await bridge.callHandler("far", with: 1, returning: Int.self) }
        while bridge.pendingCallCount == 0 { await Task.yield() }
        let sent = try await peer.exchange("[]")
        await #expect(throws: JSException.self) { try await bridge.runtime.evaluate("for (;;) {}") }
        #expect(bridge.pendingCallCount == 1)
        let id = sent.joined().split(separator: "\"callbackId\":\"").last?.prefix { $0 != "\"" } ?? ""
        _ = try await peer.exchange(#"[{"responseId":"\#(id)","responseData":7}]"#)
        #expect(try await call.value == 7)
    }

    @Test(
        "messages of a channel keep their order, in any number of texts, and a text without an array is reported"
    )
    func order() async throws {
        let lines = Sent()
        let peer = try makePeer { $0.logSink = { lines.add($0.text) } }
        try peer.bridge.registerHandler("echo") { (value: Int) in value }
        for number in 0..<100 {
            peer.channel.receive(#"[{"handlerName":"echo","data":\#(number),"callbackId":"c\#(number)"}]"#)
        }
        let replies = try await peer.exchange("no messages")
        #expect(replies == (0..<100).map { #"{"responseId":"c\#($0)","responseData":\#($0)}"# })
        #expect(lines.take().count == 1)
    }

    @Test("calls wait until the other side has sent something, and fail by the reason when it is gone")
    func ends() async throws {
        let peer = try makePeer()
        let call = Task { try await peer.bridge.callHandler("far", with: 1, returning: Int.self) }
        while peer.bridge.pendingCallCount == 0 { await Task.yield() }
        try await peer.bridge.withContext { _ in }
        #expect(peer.sent.take() == [])
        #expect(try await peer.exchange("[]").count == 1)
        peer.channel.close("The page was closed.")
        let error = await #expect(throws: BridgeError.self) { try await call.value }
        #expect(error?.code == .disconnected)
        #expect(error?.message.contains("The page was closed.") == true)
        #expect(peer.bridge.state == .dead)
        // Later texts have no effect.
        peer.channel.receive("[]")
    }

    @Test("more text than one message may have, while no turn comes, closes the bridge")
    func overload() async throws {
        let peer = try makePeer { $0.limits.maximumMessageLength = 1_000 }
        let text = "[" + String(repeating: " ", count: 400) + "]"
        try await peer.bridge.withContext { _ in
            for _ in 0..<3 { peer.channel.receive(text) }
        }
        #expect(peer.bridge.state == .dead)
    }

    @Test("a side elsewhere needs the text transport, a configuration without a script, and no journal")
    func requirements() async {
        await #expect(processExitsWith: .failure) {
            var configuration = BridgeConfiguration(peer: PeerChannel { _ in })
            configuration.transport = .direct
            _ = try Bridge(configuration: configuration)
        }
        await #expect(processExitsWith: .failure) {
            let configuration = BridgeConfiguration(peer: PeerChannel { _ in })
            let first = try Bridge(configuration: configuration)
            _ = try Bridge(configuration: configuration)
            withExtendedLifetime(first) {}
        }
    }
}
