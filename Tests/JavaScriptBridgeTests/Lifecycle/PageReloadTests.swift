import BridgeConformance
import BridgeTesting
import JavaScriptBridge
import Testing

/// Reloads of a page that brings its own side of the protocol.
@Suite struct PageReloadTests {
    /// A page's side of the wire that records the messages.
    private static let end = """
        window.WebViewJavascriptBridge = {
            _fetchQueue() { return "[]"; },
            _handleMessageFromObjC(text) { console.debug(text); },
        };
        """

    @Test(
        "P25 P28 a reload starts the start-up queue again; messages are sent and logged once the page's global exists"
    )
    func startUpQueue() async throws {
        let side = try OurNativeSide()
        let bridge = side.bridge
        bridge.enableLogging()
        bridge.legacy.callHandler("first", data: nil)
        try await side.perform(.load(script: "window.WVJBCallbacks = []"))
        #expect(bridge.state == .idle)
        #expect(side.takeObservations().isEmpty)
        try await side.perform(.load(script: Self.end))
        #expect(bridge.state == .live)
        #expect(side.takeObservations().lines == ["{\"handlerName\":\"first\"}"])
        try await side.perform(.reload)
        #expect(bridge.state == .idle && bridge.epoch == 1)
        for name in ["a", "b"] { bridge.legacy.callHandler(name, data: nil) }
        try await side.perform(.load(script: "1"))
        #expect(side.takeObservations().isEmpty)
        try await side.perform(.load(script: Self.end))
        let seen = side.takeObservations()
        #expect(seen.lines == ["{\"handlerName\":\"a\"}", "{\"handlerName\":\"b\"}"])
        #expect(seen.log == ["WVJB SEND: {\"handlerName\":\"a\"}", "WVJB SEND: {\"handlerName\":\"b\"}"])
    }

    @Test("P71 R6 a call that ends while it waits for the page is neither sent nor logged")
    func endedCall() async throws {
        let side = try OurNativeSide()
        let bridge = side.bridge
        bridge.enableLogging()
        let call = Task { try await bridge.callHandler("cancelled", with: 1) }
        while bridge.pendingCallCount < 1 { await Task.yield() }
        try await side.perform(.load(script: "1"))
        call.cancel()
        #expect(await code(of: call) == .cancelled)
        try await side.perform(.load(script: Self.end))
        #expect(side.takeObservations().isEmpty)
    }

    @Test(
        "P20 P21 P24 ids have the legacy format, with epoch and random bits between two sides of the package"
    )
    func identifiers() async throws {
        let page = try OurNativeSide()
        try await page.perform(.load(script: Self.end))
        page.bridge.legacy.callHandler("n") { _ in }
        await page.settle()
        #expect(page.takeObservations().lines == [#"{"handlerName":"n","callbackId":"objc_cb_1"}"#])

        let log = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configuration.logSink = { log.add($0.text) }
        let ours = try Bridge(configuration: configuration)
        ours.enableLogging()
        try await ours.load(.text("1", name: "a.js"))
        try await ours.reload(rerunningScripts: true)
        ours.legacy.callHandler("n") { _ in }
        await log.wait(for: 1)
        let line = try #require(log.elements.first)
        #expect(line.contains(/"callbackId":"objc_cb_1_1_[0-9a-f]{16}"/), "\(line)")
    }
}
