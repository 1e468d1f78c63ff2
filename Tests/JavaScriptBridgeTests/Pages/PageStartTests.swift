import BridgeConformance
import BridgeTesting
import JavaScriptBridge
import Testing
import WebViewBridgeDialects

/// Calls that are made before a page has its handlers reach them, in any order of loading.
@Suite(.noLeaks) struct PageStartTests {
    static let page = """
        (function () {
            function setUp(callback) {
                if (window.WebViewJavascriptBridge) { return callback(WebViewJavascriptBridge); }
                if (window.WVJBCallbacks) { return window.WVJBCallbacks.push(callback); }
                window.WVJBCallbacks = [callback];
                var frame = document.createElement('iframe');
                frame.src = 'https://__bridge_loaded__';
                document.documentElement.appendChild(frame);
            }
            setUp(function (bridge) {
                bridge.registerHandler('echo', function (data, reply) { reply(data); });
            });
        })();
        """

    /// The parts that are loaded, in their order.
    enum Order: String, CaseIterable, Sendable {
        case libraryThenPage
        case pageThenLibrary
        case libraryThenOtherThenPage
        case libraryWithPage
        case ourScriptThenPage
        case ourScriptThenLaterHandler
        case markup
        case markupWithLibrary

        var injectsScript: Bool { [.ourScriptThenPage, .ourScriptThenLaterHandler, .markup].contains(self) }

        func scripts() throws -> [ScriptSource] {
            let library = try ConformanceFixtures.plainScript()
            let (page, other) = (PageStartTests.page, "var other = 1;")
            let texts: [String]
            switch self {
            case .libraryThenPage: texts = [library, page]
            case .pageThenLibrary: texts = [page, library]
            case .libraryThenOtherThenPage: texts = [library, other, other, page]
            case .libraryWithPage: texts = [library + "\n" + page]
            case .ourScriptThenPage: texts = [other, other, page]
            case .ourScriptThenLaterHandler: texts = ["setTimeout(function () { \(page) }, 20)", other]
            case .markup: return [.page("<script>\(other)</script><script>\(page)</script>", name: "p.html")]
            case .markupWithLibrary:
                return [.page("<script>\(library)</script><p><script>\(page)</script>", name: "p.html")]
            }
            return texts.map { .text($0, name: "part.js") }
        }
    }

    private func makeBridge(_ configure: (inout BridgeConfiguration) -> Void) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configure(&configuration)
        return try Bridge(configuration: configuration)
    }

    @Test(
        "P25 P26 calls made before, between and after the parts of a page are all answered, in order",
        arguments: Order.allCases
    )
    func order(order: Order) async throws {
        let bridge = try makeBridge { $0.injectsScript = order.injectsScript }
        let answers = Recorder<Value>()
        var last = 0
        func call() {
            for _ in 0..<10 {
                last += 1
                bridge.legacy.callHandler("echo", data: Value(last)) { answers.add($0) }
            }
        }
        call()
        for script in try order.scripts() {
            try await bridge.load(script)
            call()
        }
        await bridge.waitUntilIdle()
        #expect(answers.elements == (1...last).map { Value($0) })
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("P25 with waitsForReady calls wait for ready(), on both transports", arguments: [true, false])
    func ready(isDirect: Bool) async throws {
        let bridge = try makeBridge {
            if isDirect { $0.transport = .direct }
            $0.waitsForReady = true
        }
        let answers = Recorder<Value>()
        bridge.legacy.callHandler("late", data: 1) { answers.add($0) }
        try await bridge.load(.text("bridge.registerHandler('early', data => data)", name: "a.js"))
        bridge.legacy.callHandler("early", data: 2) { answers.add($0) }
        #expect(answers.elements.isEmpty && bridge.state == .injected)
        try await bridge.load(.text("bridge.registerHandler('late', data => data)", name: "b.js"))
        await bridge.ready()
        await bridge.waitUntilIdle()
        #expect(answers.elements == [1, 2])
        #expect(bridge.state == .live)
    }

    @Test("P54 ready() sends the calls queued for a page that never registers a handler")
    func readyWithout() async throws {
        let bridge = try makeBridge { _ in }
        let call = Task { try await bridge.callHandler("nobody", returning: Value.self) }
        try await bridge.load(.text("var other = 1;", name: "other.js"))
        while bridge.pendingCallCount == 0 { await Task.yield() }
        await bridge.ready()
        let error = await #expect(throws: BridgeError.self) { try await call.value }
        #expect(error?.code == .handlerNotFound)
    }

    @Test("P25 a page that only calls is answered, although it has no handler")
    func caller() async throws {
        let bridge = try makeBridge { $0.injectsScript = false }
        try bridge.legacy.registerHandler("ask") { data, reply in reply(["answer": data]) }
        try await bridge.load(.text(ConformanceFixtures.plainScript(), name: "plain.js"))
        let page = """
            var answer;
            WebViewJavascriptBridge.callHandler('ask', 1, function (data) { answer = JSON.stringify(data); })
            """
        try await bridge.load(.text(page, name: "page.js"))
        await bridge.waitUntilIdle()
        #expect(try await bridge.runtime.evaluate("answer") == #"{"answer":1}"#)
    }

    /// A page of version 4 that waits for the event, and one that looks for the bridge first.
    static let pagesOfFour = [
        """
        document.addEventListener('WebViewJavascriptBridgeReady', function (event) { begin(event.bridge) }, false)
        """,
        """
        function connectWebViewJavascriptBridge(callback) {
            if (window.WebViewJavascriptBridge) { callback(WebViewJavascriptBridge) } else {
                document.addEventListener('WebViewJavascriptBridgeReady', function () {
                    callback(WebViewJavascriptBridge)
                }, false)
            }
        }
        connectWebViewJavascriptBridge(begin)
        """,
    ]

    @Test(
        "P8 P25 a page of version 4.0.2 to 4.1.5 starts with or without its event, as markup or as a script",
        arguments: pagesOfFour,
        [true, false]
    )
    func four(page: String, isMarkup: Bool) async throws {
        let bridge = try makeBridge { $0.dialect = .wvjb4 }
        let seen = Recorder<Value>()
        try bridge.legacy.registerHandler("") { data, reply in
            seen.add(data)
            reply("hello page")
        }
        bridge.legacy.callHandler("echo", data: "early") { seen.add($0) }
        bridge.legacy.callHandler("", data: "to the default handler") { seen.add($0) }
        let begin = """
            function begin(bridge) {
                bridge.init(function (message, responseCallback) { responseCallback('got ' + message) })
                bridge.registerHandler('echo', function (data, responseCallback) { responseCallback(data) })
                bridge.send('hello', function (response) { bridge.send(response) })
            }
            """
        let script = begin + "\n" + page
        try await bridge.load(
            isMarkup
                ? .page("<p><script>\(script)</script>", name: "four.html") : .text(script, name: "four.js")
        )
        await bridge.waitUntilIdle()
        #expect(seen.elements.count == 4)
        #expect(
            Set(seen.elements) == ["hello", "hello page", "early", "got to the default handler"]
        )
    }
}
