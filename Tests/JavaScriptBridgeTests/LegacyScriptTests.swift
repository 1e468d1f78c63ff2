import BridgeConformance
import BridgeTesting
import JavaScriptBridge
import Testing

/// The text transport with scripts that implement the protocol of WebViewJavascriptBridge themselves.
@Suite(.noLeaks) struct LegacyScriptTests {
    /// A version of WebViewJavascriptBridge, by how its pages spell the load signal.
    enum Version: Int, CaseIterable, Sendable {
        case five = 5
        case six = 6

        var loadSignal: String {
            self == .five ? "wvjbscheme://__BRIDGE_LOADED__" : "https://__bridge_loaded__"
        }

        /// The setup snippet of pages, with the author's code.
        var setUp: String {
            LegacyScriptTests.setUp.replacing("https://__bridge_loaded__", with: loadSignal)
        }

        /// A script's side that behaves as WebViewJavascriptBridge of this version.
        var script: String {
            get throws { "window.plainPeerVersion = \(rawValue);" + (try ConformanceFixtures.plainScript()) }
        }
    }

    static let setUp = """
        function setUpBridge(callback) {
            if (window.WebViewJavascriptBridge) { return callback(window.WebViewJavascriptBridge); }
            if (window.WVJBCallbacks) { return window.WVJBCallbacks.push(callback); }
            window.WVJBCallbacks = [callback];
            var frame = document.createElement('iframe');
            frame.style.display = 'none';
            frame.src = 'https://__bridge_loaded__';
            document.documentElement.appendChild(frame);
            setTimeout(function () { document.documentElement.removeChild(frame); }, 0);
        }
        setUpBridge(function (bridge) {
            bridge.registerHandler('double', function (data, reply) { reply({ twice: data.n * 2 }); });
            bridge.callHandler('greet', { name: 'page' }, function (answer) { bridge.callHandler('seen', answer); });
        });
        """

    @Test(
        "P8 P10 P22 a page with its own script and setup snippet talks with Swift in both directions, unmodified",
        arguments: [true, false],
        Version.allCases
    )
    func page(injectsScript: Bool, version: Version) async throws {
        let bridge = try makeBridge(injectsScript: injectsScript)
        let seen = Recorder<Value>()
        try bridge.legacy.registerHandler("greet") { data, reply in reply(["hello": data["name"]]) }
        try bridge.registerHandler("seen") { (value: Value) in seen.add(value) }
        let early = Recorder<Value>()
        bridge.legacy.callHandler("double", data: ["n": 21]) { early.add($0) }
        // The page's own script runs first, then that of WebViewJavascriptBridge is injected, as a web view does on the
        // load signal.
        let script = try injectsScript ? "" : version.script
        try await bridge.load(.text(version.setUp + "\n" + script, name: "page.js"))
        await bridge.waitUntilIdle()
        #expect(seen.elements == [["hello": "page"]])
        #expect(early.elements == [["twice": 42]])
    }

    @Test(
        "P25 P27 calls wait in order until the page's own side is connected, however many scripts run before it",
        arguments: Version.allCases
    )
    func lateScript(version: Version) async throws {
        let bridge = try makeBridge(injectsScript: false)
        let seen = Recorder<Value>()
        try bridge.legacy.registerHandler("greet") { data, reply in reply(["hello": data["name"]]) }
        try bridge.registerHandler("seen") { (value: Value) in seen.add(value) }
        let answers = Recorder<Value>()
        bridge.legacy.callHandler("double", data: ["n": 1]) { answers.add($0) }
        try await bridge.load(.text(version.setUp, name: "page.js"))
        bridge.legacy.callHandler("double", data: ["n": 2]) { answers.add($0) }
        try await bridge.load(.text("var unrelated = 1;", name: "other.js"))
        bridge.legacy.callHandler("double", data: ["n": 3]) { answers.add($0) }
        #expect(seen.elements.isEmpty && answers.elements.isEmpty)
        try await bridge.load(.text(version.script, name: "bridge.js"))
        bridge.legacy.callHandler("double", data: ["n": 4]) { answers.add($0) }
        await bridge.waitUntilIdle()
        #expect(answers.elements == [["twice": 2], ["twice": 4], ["twice": 6], ["twice": 8]])
        #expect(seen.elements == [["hello": "page"]])
    }

    @Test("P25 R22 the queue for a page without a bridge has a limit, and calls beyond it fail")
    func waitingLimit() async throws {
        let bridge = try makeBridge(injectsScript: false) { $0.limits.maximumQueuedMessages = 2 }
        try await bridge.load(.text("var unrelated = 1;", name: "page.js"))
        bridge.legacy.callHandler("n") { _ in }
        bridge.legacy.callHandler("n") { _ in }
        try await bridge.withContext { _ in }
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("n", returning: Value.self)
        }
        #expect(error?.code == .overloaded)
        #expect(bridge.pendingCallCount == 2)
        bridge.close()
    }

    private func makeBridge(
        injectsScript: Bool,
        configure: (inout BridgeConfiguration) -> Void = { _ in }
    ) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configuration.injectsScript = injectsScript
        configure(&configuration)
        return try Bridge(configuration: configuration)
    }
}
