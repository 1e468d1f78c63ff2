import BridgeConformance
import BridgeProtocol
import BridgeTesting
import Testing
import WebViewBridgeDialects

@testable import JavaScriptBridge

/// Each dialect end to end: Swift, and a page with a plain script or the package's.
@Suite struct DialectRoundTripTests {
    static let dialects = BridgeDialect.all

    @Test(
        "I2 I3 Swift and a page of the dialect call each other, with the dialect's own functions",
        arguments: dialects,
        [false, true]
    )
    func calls(dialect: BridgeDialect, isOurs: Bool) async throws {
        let page = try DialectPage(dialect, isOurs: isOurs)
        let (bridge, payload) = (page.bridge, page.payload)
        try await page.load(DialectPage.author(of: dialect, payload: page.json))
        if dialect.repliesToNative {
            #expect(try await bridge.callHandler("echo", with: payload, returning: Value.self) == payload)
        } else {
            let error = await #expect(throws: BridgeError.self) {
                try await bridge.callHandler("echo", with: payload, returning: Value.self)
            }
            #expect(error?.code == .unsupported)
            try bridge.notify("event", with: payload)
        }
        await bridge.waitUntilIdle()
        let count = dialect.api == .handlers ? 1 : 2
        let events = dialect.repliesToNative ? 0 : 1
        #expect(page.seen.elements == Array(repeating: payload, count: count + events))
        #expect(page.warnings.elements == [])
        #expect(bridge.pendingCallCount == 0)
    }

    @Test(
        "P39 a synchronous call overtakes no message that the page sent before it",
        arguments: dialects.filter { $0.api != .handlers },
        [false, true]
    )
    func waitingCallsInOrder(dialect: BridgeDialect, isOurs: Bool) async throws {
        let page = try DialectPage(dialect, isOurs: isOurs)
        let order = Recorder<Int>()
        try page.bridge.registerHandler("typed") { (number: Int) -> Int in
            order.add(number)
            return number
        }
        try page.bridge.registerHandler("data") { (value: Value) -> Value in
            order.add(Int(value.integerValue ?? -1))
            return value
        }
        let (send, wait) =
            dialect.api == .modules
            ? ("KKJSBridge.call(null, ", "KKJSBridge.syncCall(null, ") : ("dsBridge.call(", "dsBridge.call(")
        let answered = dialect.api == .modules ? "" : ", () => {}"
        try await page.load(
            """
            for (let n = 0; n < 12; n += 4) {
                \(send)"typed", n\(answered));
                \(send)"data", n + 1\(answered));
                \(wait)"typed", n + 2);
                \(wait)"data", n + 3);
            }
            """
        )
        await page.bridge.waitUntilIdle()
        #expect(order.elements == Array(0..<12))
        #expect(page.warnings.elements == [])
    }

    @Test("I3 W2 extensions end as a plain result or `unsupported` with a plain page", arguments: dialects)
    func plainExtensions(dialect: BridgeDialect) async throws {
        let page = try DialectPage(dialect, isOurs: false)
        try await page.load(DialectPage.author(of: dialect, payload: page.json))
        if dialect.repliesToNative {
            var items: [Value] = []
            for try await item in try await page.bridge.openStream("echo", with: page.payload, of: Value.self)
            {
                items.append(item)
            }
            #expect(items == [page.payload])
        } else {
            let error = await #expect(throws: BridgeError.self) {
                _ = try await page.bridge.openStream("echo", with: page.payload, of: Value.self)
            }
            #expect(error?.code == .unsupported)
        }
        await page.bridge.waitUntilIdle()
        #expect(page.bridge.pendingCallCount == 0)
    }

    @Test(
        "W1 W2 errors and their codes cross between two sides of the package in every dialect",
        arguments: dialects
    )
    func errors(dialect: BridgeDialect) async throws {
        let page = try DialectPage(dialect, isOurs: true)
        let initialize = dialect.hasDefaultHandler ? "\(dialect.globalName).init(() => {});" : ""
        try await page.load(
            initialize + """
                bridge.callHandler('fails', 1).catch(error => bridge.notify('seen', error.code));
                bridge.registerHandler('refuses', () => { throw new BridgeError('shop.closed', 'not today'); });
                """
        )
        if dialect.repliesToNative {
            let error = await #expect(throws: BridgeError.self) {
                try await page.bridge.callHandler("refuses", with: 1, returning: Value.self)
            }
            #expect(error?.code == "shop.closed")
        }
        await page.bridge.waitUntilIdle()
        #expect(page.seen.elements == ["test.failed"])
    }

    @Test("W1 streams cross between two sides of the package in every dialect", arguments: dialects)
    func streams(dialect: BridgeDialect) async throws {
        let page = try DialectPage(dialect, isOurs: true)
        try page.bridge.registerHandler("letters") { (_: Value) in
            AsyncStream<String> { continuation in
                for letter in ["a", "b", "c"] { continuation.yield(letter) }
                continuation.finish()
            }
        }
        let initialize = dialect.hasDefaultHandler ? "\(dialect.globalName).init(() => {});" : ""
        try await page.load(
            initialize + """
                bridge.registerHandler('names', async function* () { yield 'x'; yield 'y'; });
                (async () => {
                    for await (const letter of bridge.openStream('letters', 1)) bridge.notify('seen', letter);
                })();
                """
        )
        if dialect.repliesToNative {
            var names: [String] = []
            for try await name in try await page.bridge.openStream("names", of: String.self) {
                names.append(name)
            }
            #expect(names == ["x", "y"])
        }
        await page.bridge.waitUntilIdle()
        #expect(page.seen.elements == ["a", "b", "c"])
    }

    @Test("P31 P44 Lision: the package's script never crashes a plain native side of it")
    func plainLision() throws {
        let native = try PlainNativeSide(dialect: ConformanceDialect(.lision))
        try native.perform(.register("echo", .echo))
        try native.perform(.call("late", data: "1", callback: "early"))
        try native.perform(.evaluate(script: "window.WKWVJBCallbacks = [];"))
        try native.perform(.load(script: ConformanceFixtures.ourScript(.lision)))
        native.runPageTimers()
        let author = """
            const page = WKWebViewJavascriptBridge;
            page.registerHandler('late', (data, reply) => { reply(data); reply(data); });
            page.callHandler('echo', [1], answer => console.debug('answer ' + JSON.stringify(answer)));
            page.callHandler('nobody', 7, () => console.debug('never'));
            """
        try native.perform(.evaluate(script: author))
        try native.perform(.call("late", data: "{\"a\":2}", callback: "second"))
        native.runPageTimers()
        let lines = native.takeObservations().lines
        #expect(native.crashes == [])
        #expect(lines.contains("answer [1]"))
        #expect(lines.contains("callback second {\"a\":2}"))
        #expect(!lines.contains("never"))
    }

    @Test(
        "JsBridge: a page that handles messages from before init twice is answered once, with one line in the log"
    )
    func deliveredTwice() async throws {
        let page = try DialectPage(.jsBridge, isOurs: false, mistakes: ["delivers twice before init"])
        let answers = Recorder<Value>()
        page.bridge.legacy.callHandler("echo", data: "early") { answers.add($0) }
        try await page.load("WebViewJavascriptBridge.registerHandler('echo', (data, reply) => reply(data));")
        await page.bridge.waitUntilIdle()
        try await page.bridge.load(.text("WebViewJavascriptBridge.init(() => {})", name: "init.js"))
        await page.bridge.waitUntilIdle()
        #expect(answers.elements == ["early"])
        #expect(page.warnings.elements.count == 1)
    }
}

extension DialectRoundTripTests {
    @Test("JsBridge: a handler that takes a type other than a string gets the JSON in the string")
    func typedTexts() async throws {
        struct Point: Codable, Equatable {
            var x: Int
            var name: String?
        }
        let page = try DialectPage(.jsBridge, isOurs: false)
        let (points, texts) = (Recorder<Point>(), Recorder<String>())
        try page.bridge.registerHandler("point") { (point: Point) in points.add(point) }
        try page.bridge.registerHandler("text") { (text: String) in texts.add(text) }
        try page.bridge.registerHandler("number") { (number: Int) in points.add(Point(x: number)) }
        try await page.load(
            """
            WebViewJavascriptBridge.init(function () {});
            WebViewJavascriptBridge.callHandler("point", '{"x":1,"name":"a"}');
            WebViewJavascriptBridge.callHandler("text", '{"x":1}');
            WebViewJavascriptBridge.callHandler("number", "7");
            WebViewJavascriptBridge.callHandler("number", "seven");
            WebViewJavascriptBridge.callHandler("point", '{"x":');
            """
        )
        await page.bridge.waitUntilIdle()
        #expect(points.elements == [Point(x: 1, name: "a"), Point(x: 7)])
        #expect(texts.elements == ["{\"x\":1}"])
        #expect(page.warnings.elements.count { $0.contains("decodeFailed") } == 2)
    }
}

/// A bridge of a dialect, with handlers, and a page before it.
struct DialectPage {
    let bridge: Bridge
    let seen = Recorder<Value>()
    let warnings = Recorder<String>()
    let payload: Value
    let json: String
    private let script: String

    init(_ dialect: BridgeDialect, isOurs: Bool, mistakes: [String] = []) throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        configuration.dialect = dialect
        configuration.injectsScript = isOurs
        let warnings = warnings
        configuration.logSink = { warnings.add($0.text) }
        payload = dialect.payloadIsText ? "100% a+b" : ["n": [1, "é", .null]]
        json = dialect.payloadIsText ? "'100% a+b'" : "{ n: [1, 'é', null] }"
        script = isOurs ? "" : try ConformanceFixtures.plainScript(dialect, mistakes: mistakes)
        bridge = try Bridge(configuration: configuration)
        let seen = seen
        for name in ["greet", "m.greet"] {
            try bridge.legacy.registerHandler(name) { data, reply in reply(data) }
        }
        try bridge.registerHandler("seen") { (value: Value) in seen.add(value) }
        try bridge.registerHandler("fails") { (_: Value) throws -> Value in
            throw BridgeError("test.failed", "on purpose")
        }
    }

    func load(_ author: String) async throws {
        try await bridge.load(
            .text("window.WVJBCallbacks = window.WKWVJBCallbacks = [];" + script + author, name: "page.js")
        )
    }

    /// Returns the code that a page's author wrote for the dialect.
    static func author(of dialect: BridgeDialect, payload: String) -> String {
        let global = dialect.globalName
        return switch dialect.api {
        case .handlers:
            """
            if (\(global).init) \(global).init(function () {});
            \(global).registerHandler('echo', (data, reply) => reply(data));
            \(global).callHandler('greet', \(payload), answer => \(global).callHandler('seen', answer));
            """
        case .modules:
            """
            KKJSBridge.on('event', data => KKJSBridge.call(null, 'seen', data));
            KKJSBridge.call('m', 'greet', \(payload), answer => KKJSBridge.call(null, 'seen', answer));
            KKJSBridge.call(null, 'seen', KKJSBridge.syncCall('m', 'greet', \(payload)));
            """
        case .methods:
            """
            dsBridge.register('echo', data => data);
            dsBridge.call('greet', \(payload), answer => dsBridge.call('seen', answer));
            if (dsBridge.hasNativeMethod('greet')) dsBridge.call('seen', dsBridge.call('greet', \(payload)));
            """
        }
    }
}
