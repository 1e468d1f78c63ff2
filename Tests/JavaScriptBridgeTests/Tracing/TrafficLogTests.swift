import BridgeTesting
import JavaScriptBridge
import Testing

/// The traffic log shows the messages of a script, also those that are not executed.
@Suite struct TrafficLogTests {
    /// A message of a script that is not executed.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let transport: BridgeConfiguration.Transport
        /// Statements of an asynchronous function; the sent message contains 31337.
        let script: String
        var testDescription: String { "\(transport): \(script)" }
    }

    static let refusals =
        [BridgeConfiguration.Transport.direct, .text].flatMap { transport in
            [
                "await bridge.callHandler('pay', 31337).catch(() => {});",
                "bridge.notify('pay', 31337); await bridge.callHandler('known', 0);",
                "await bridge.callHandler('nobody', 31337).catch(() => {});",
                "await bridge.callHandler('small', 'x'.repeat(100) + 31337).catch(() => {});",
                "WebViewJavascriptBridge.callHandler('pay', 31337, () => {}); await bridge.callHandler('known', 0);",
            ]
            .map { Refusal(transport: transport, script: $0) }
        } + [
            Refusal(
                transport: .direct,
                script: "try { bridge.callHandlerSync('pay', 31337) } catch { await null }"
            )
        ]

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ log: Recorder<String>,
        running script: String = ""
    ) async throws -> Bridge {
        var grants = BridgeGrants()
        grants.deny("pay")
        grants.allow("small", limits: GrantLimits(maximumPayloadBytes: 40))
        let bridge = try await Bridge.patient(transport, running: synchronousMode + script, log: log) {
            [grants] in $0.grants = grants
        }
        for name in ["pay", "small", "known"] { try bridge.registerHandler(name) { (data: Value) in data } }
        return bridge
    }

    private func lines(_ log: Recorder<String>) -> [String] {
        log.elements.filter { $0.hasPrefix("WVJB") }
    }

    @Test(
        "P71 a request that is denied or refused has its line, once, before its answer's",
        arguments: refusals
    )
    func refused(refusal: Refusal) async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(refusal.transport, log)
        bridge.enableLogging()
        _ = try await bridge.run(refusal.script)
        let lines = lines(log)
        #expect(lines.first?.hasPrefix("WVJB RCVD") == true, "\(lines)")
        #expect(lines.first?.contains("31337") == true, "\(lines)")
        #expect(lines.count { $0.contains("31337") } == 1, "\(lines)")
    }

    @Test("P71 an answer that is an error has its line", arguments: BridgeTraceTests.transports)
    func errors(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let script = "bridge.registerHandler('fail', () => { throw new Error('mine 31337'); });"
        let bridge = try await makeBridge(transport, log, running: script)
        bridge.enableLogging()
        let error = await #expect(throws: BridgeError.self) { try await bridge.callHandler("fail", with: 1) }
        #expect(error?.message.contains("31337") == true)
        let lines = lines(log)
        #expect(lines.count == 2 && lines.last?.hasPrefix("WVJB RCVD") == true, "\(lines)")
        #expect(lines.last?.contains("mine 31337") == true, "\(lines)")
    }

    @Test("P71 W1 a request that cannot be executed as it asks has its line")
    func unsupported() async throws {
        let log = Recorder<String>()
        let page = """
            window.WebViewJavascriptBridge = {
                queue: [{ handlerName: "nobody31337", callbackId: "a", x: { acc: ["err"], must: ["all"] } }],
                _fetchQueue() { return JSON.stringify(this.queue.splice(0)); },
                _handleMessageFromObjC(text) { this.answer = text; },
            };
            """
        let bridge = try await Bridge.patient(.text, running: page, log: log) { $0.injectsScript = false }
        bridge.enableLogging()
        try await bridge.runtime.evaluate(
            """
            const frame = document.createElement("iframe");
            document.documentElement.appendChild(frame);
            frame.src = "https://__wvjb_queue_message__"; 0
            """
        )
        let answer = try await bridge.defined("WebViewJavascriptBridge.answer")
        #expect(answer.stringValue?.contains("unsupported") == true)
        let lines = lines(log)
        #expect(lines.first?.hasPrefix("WVJB RCVD") == true, "\(lines)")
        #expect(lines.first?.contains("nobody31337") == true, "\(lines)")
    }

    @Test("P71 a request that refers to a result has its line also if the result never arrives")
    func waiting() async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(.text, log)
        bridge.enableLogging()
        _ = try await bridge.run(
            """
            const lost = bridge.pipeline("nobody", 1);
            await Promise.allSettled([lost, bridge.callHandler("known", lost), bridge.callHandler("pay", lost)]);
            """
        )
        let received = lines(log).filter { $0.hasPrefix("WVJB RCVD") }
        for name in ["nobody", "known", "pay"] {
            #expect(received.count { $0.contains("\"\(name)\"") } == 1, "\(name): \(received)")
        }
    }
}
