import BridgeConformance
import BridgeTesting
import JavaScriptBridge
import Testing

/// The life of a page, from calls that are made before it to the last answer, in all pairings of the package's sides
/// and the plain sides that represent WebViewJavascriptBridge.
@Suite struct TimelineTests {
    enum Script: String, CaseIterable, CustomTestStringConvertible {
        case ours
        case plain

        var testDescription: String { "P25 P26 P4 P33 with \(rawValue) script" }

        var text: String {
            get throws {
                switch self {
                case .ours: try ConformanceFixtures.ourScript()
                case .plain: try ConformanceFixtures.plainScript()
                }
            }
        }
    }

    static let page = """
        window.WVJBCallbacks = [bridge => {
            console.debug("set up");
            bridge.registerHandler("H1", (data, reply) => { console.debug("H1 " + data); reply("answer"); });
            bridge.registerHandler("H2", data => { console.debug("H2 " + data); });
        }];
        """

    @Test(
        "a plain native side and a page see each other begin in the order of WebViewJavascriptBridge",
        arguments: Script.allCases
    )
    func plainNative(script: Script) throws {
        let native = try PlainNativeSide()
        try native.perform(.call("H1", data: "1", callback: "first"))
        try native.perform(.call("H2", data: "2", callback: nil))
        try native.perform(.evaluate(script: Self.page))
        try native.perform(.load(script: script.text))
        // The injection's signal was answered; each message waits for a separate turn.
        #expect(native.takeObservations().lines == [])
        #expect(native.page.timerCount >= 1)
        native.runPageTimers()
        #expect(native.takeObservations().lines == ["set up", "H1 1", "callback first \"answer\"", "H2 2"])
        #expect(native.crashes.isEmpty)
        #expect(native.pendingCount == 0)
    }

    @Test(
        "the package's native side and a page see each other begin in the order of WebViewJavascriptBridge",
        arguments: Script.allCases
    )
    func ourNative(script: Script) async throws {
        let clock = ManualClock()
        let side = try OurNativeSide {
            $0.clock = clock
            $0.injectsScript = script == .ours
        }
        try await side.perform(.call("H1", data: "1", callback: "first"))
        try await side.perform(.call("H2", data: "2", callback: nil))
        try await side.perform(.load(script: Self.page + (script == .plain ? try script.text : "")))
        for _ in 0..<3 {
            clock.advance(by: .milliseconds(1))
            try await side.bridge.runtime.withContext { try $0.runDueTimers() }
            await side.settle()
        }
        let lines = side.takeObservations().lines
        #expect(lines.filter { !$0.hasPrefix("callback") } == ["set up", "H1 1", "H2 2"])
        #expect(lines.contains("callback first \"answer\""))
        #expect(side.bridge.pendingCallCount == 0)
    }
}
