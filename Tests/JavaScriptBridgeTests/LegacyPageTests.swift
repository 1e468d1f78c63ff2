import BridgeConformance
import BridgeTesting
import JavaScriptBridge
import Testing
import WebViewBridgeDialects

/// Pages as users of WebViewJavascriptBridge write them, with each version's snippet, with the package's script and a
/// plain one.
@Suite(.noLeaks) struct LegacyPageTests {
    /// The version of WebViewJavascriptBridge that a page was written for, with the page's code.
    enum Version: String, CaseIterable, Sendable {
        case four
        case five
        case six

        var dialect: BridgeDialect {
            switch self {
            case .four: .wvjb4
            case .five: .wvjb5
            case .six: .wvjb6
            }
        }

        /// The function that a page calls with the code to run once there is a bridge.
        var setUp: String {
            switch self {
            case .four:
                """
                function setupWebViewJavascriptBridge(callback) {
                    if (window.WebViewJavascriptBridge) {
                        callback(WebViewJavascriptBridge)
                    } else {
                        document.addEventListener('WebViewJavascriptBridgeReady', function () {
                            callback(WebViewJavascriptBridge)
                        }, false)
                    }
                }
                """
            case .five: Self.frame(loading: "wvjbscheme://__BRIDGE_LOADED__")
            case .six: Self.frame(loading: "https://__bridge_loaded__")
            }
        }

        /// The first call that only pages of version 4 make.
        var initialize: String {
            guard self == .four else { return "" }
            return """
                bridge.init(function (message, responseCallback) {
                    log('JS got a message', message)
                    responseCallback({ 'Javascript Responds': 'Wee!' })
                })
                bridge.send('Hello from JS', function (response) { log('JS got responded', response) })
                bridge.send('nothing back')
                """
        }

        private static func frame(loading url: String) -> String {
            """
            function setupWebViewJavascriptBridge(callback) {
                if (window.WebViewJavascriptBridge) { return callback(WebViewJavascriptBridge); }
                if (window.WVJBCallbacks) { return window.WVJBCallbacks.push(callback); }
                window.WVJBCallbacks = [callback];
                var bridgeFrame = document.createElement('iframe');
                bridgeFrame.style.display = 'none';
                bridgeFrame.src = '\(url)';
                document.documentElement.appendChild(bridgeFrame);
                setTimeout(function () { document.documentElement.removeChild(bridgeFrame) }, 0)
            }
            """
        }

        /// The page.
        var page: String {
            """
            var lines = []
            function log(message, data) { lines.push(message + ' ' + JSON.stringify(data)) }
            \(setUp)
            setupWebViewJavascriptBridge(function (bridge) {
                \(initialize)
                bridge.registerHandler('testJavascriptHandler', function (data, responseCallback) {
                    log('ObjC called testJavascriptHandler with', data)
                    var responseData = { 'Javascript Says': 'Right back atcha!' }
                    responseCallback(responseData)
                })
                bridge.registerHandler('tell', function (data) { log('notified', data) })
                bridge.registerHandler('echo', function (data, responseCallback) { responseCallback(data) })
                bridge.registerHandler('late', function (data, responseCallback) {
                    setTimeout(function () { responseCallback(data) }, 0)
                })
                bridge.registerHandler('throws', function () { throw new Error('in a handler') })
                bridge.registerHandler('throwsBehindItsReply', function (data, responseCallback) {
                    responseCallback('replied')
                    throw new Error('behind the reply')
                })
                bridge.callHandler('testObjcCallback', { 'foo': 'bar' }, function (response) {
                    log('JS got response', response)
                })
                bridge.callHandler('note')
                bridge.callHandler('note', null)
                bridge.callHandler('note', { a: undefined, list: [undefined], empty: '', zero: 0 })
                bridge.callHandler('testObjcCallback', function (response) { log('without data', response) })
                bridge.callHandler('nobody', 1, function () { log('never', 1) })
                bridge.callHandler('testObjcCallback', 1, function () { throw new Error('in a callback') })
                bridge.callHandler('testObjcCallback', 2, function (response) { log('behind the one that threw', response) })
            })
            """
        }
    }

    /// The page's own button: a call made long after the setup, in the mode without the timeout.
    static let later = """
        setupWebViewJavascriptBridge(function (bridge) {
            bridge.disableJavscriptAlertBoxSafetyTimeout()
            bridge.callHandler('testObjcCallback', { 'foo': 'later' }, function (response) { log('later', response) })
        })
        """

    private struct Scene {
        let bridge: Bridge
        let notes = Recorder<Value>()
        let messages = Recorder<Value>()
        let log = Recorder<String>()

        init(_ version: Version, isOurs: Bool) throws {
            var configuration = BridgeConfiguration.patient
            configuration.transport = .text
            configuration.dialect = version.dialect
            configuration.injectsScript = isOurs
            configuration.logSink = { [log] in log.add($0.text) }
            configuration.consoleSink = { [log] in log.add($0.text) }
            configuration.uncaughtErrorHandler = { [log] in log.add($0.message) }
            bridge = try Bridge(configuration: configuration)
            let (notes, messages) = (notes, messages)
            try bridge.legacy.registerHandler("testObjcCallback") { data, responseCallback in
                responseCallback(["Response from testObjcCallback": data])
            }
            try bridge.legacy.registerHandler("note") { data, responseCallback in
                notes.add(data)
                responseCallback("nobody asked")
            }
            if version == .four {
                try bridge.legacy.registerHandler("") { data, responseCallback in
                    messages.add(data)
                    responseCallback("Response for message from ObjC")
                }
            }
        }

        func lines() async throws -> [String] {
            await bridge.waitUntilIdle()
            return try await bridge.runtime.evaluate("lines.splice(0)").arrayValue?.compactMap(\.stringValue)
                ?? []
        }
    }

    @Test(
        "P8 P11 P12 P25 P36 P54 P56 P57 a legacy page runs unmodified, with both kinds of script",
        arguments: Version.allCases,
        [true, false]
    )
    func page(version: Version, isOurs: Bool) async throws {
        let scene = try Scene(version, isOurs: isOurs)
        let bridge = scene.bridge
        // Before there is a page at all (P25).
        let answers = Recorder<Value>()
        bridge.legacy.callHandler("testJavascriptHandler", data: ["foo": "before ready"]) { answers.add($0) }
        let script = try isOurs ? "" : ConformanceFixtures.plainScript(version.dialect)
        // The plain script of version 5 reads its version from a variable of the page.
        let prefix = version == .five ? "window.plainPeerVersion = 5;" : ""
        try await bridge.load(.text(version.page, name: "ExampleApp.html"))
        if !isOurs { try await bridge.load(.text(prefix + script, name: "WebViewJavascriptBridge.js")) }
        let lines = try await scene.lines()
        let expected: Set<String> = [
            #"ObjC called testJavascriptHandler with {"foo":"before ready"}"#,
            #"JS got response {"Response from testObjcCallback":{"foo":"bar"}}"#,
            #"without data {"Response from testObjcCallback":null}"#,
            #"behind the one that threw {"Response from testObjcCallback":2}"#,
        ]
        let ofFour: Set<String> = [#"JS got responded "Response for message from ObjC""#]
        #expect(Set(lines) == (version == .four ? expected.union(ofFour) : expected))
        #expect(lines.count == Set(lines).count)
        #expect(answers.elements == [["Javascript Says": "Right back atcha!"]])
        // Between two sides of this package nothing is lost.
        let note: Value =
            isOurs
            ? ["a": .undefined, "list": [.undefined], "empty": "", "zero": 0]
            : ["list": [.null], "empty": "", "zero": 0]
        #expect(scene.notes.elements == [.undefined, .null, note])
        #expect(scene.messages.elements == (version == .four ? ["Hello from JS", "nothing back"] : []))
        #expect(scene.log.elements.contains { $0.contains("in a callback") }, "\(scene.log.elements)")
        #expect(
            scene.log.elements.contains { $0.contains("WVJBNoHandlerException") && $0.contains("nobody") }
        )

        // Calls of Swift, with and without data and a callback, by the names of WebViewJavascriptBridge and of this
        // package.
        bridge.legacy.callHandler("tell", data: nil)
        bridge.legacy.callHandler("tell", data: ["n": 1])
        bridge.legacy.callHandler("throws", data: 1)
        bridge.legacy.callHandler("throwsBehindItsReply", data: 2) { answers.add($0) }
        bridge.legacy.callHandler("late", data: [3]) { answers.add($0) }
        bridge.legacy.callHandler("echo", data: .null) { answers.add($0) }
        #expect(
            try await bridge.callHandler("echo", with: ["typed": 4], returning: [String: Int].self) == [
                "typed": 4
            ]
        )
        #expect(try await scene.lines() == ["notified undefined", #"notified {"n":1}"#])
        #expect(Set(answers.elements.dropFirst()) == ["replied", [3], .null])
        for text in ["in a handler", "behind the reply"] {
            #expect(scene.log.elements.contains { $0.contains(text) }, "\(scene.log.elements)")
        }
        #expect(bridge.pendingCallCount == 0)

        // And without the timeout, from both sides.
        bridge.legacy.disableJavscriptAlertBoxSafetyTimeout()
        try await bridge.load(.text(Self.later, name: "button.js"))
        bridge.legacy.callHandler("tell", data: "at once")
        let after = try await scene.lines()
        #expect(
            Set(after) == [
                #"notified "at once""#, #"later {"Response from testObjcCallback":{"foo":"later"}}"#,
            ]
        )
        if version == .four {
            bridge.legacy.callHandler("", data: "A string sent from ObjC") { answers.add($0) }
            #expect(try await scene.lines() == [#"JS got a message "A string sent from ObjC""#])
            #expect(answers.elements.last == ["Javascript Responds": "Wee!"])
        }
    }

    @Test("P8 a page that keeps its log and its button in its document finds both, newest line first")
    func document() async throws {
        let scene = try Scene(.six, isOurs: true)
        let bridge = scene.bridge
        try await bridge.load(
            .text(
                """
                \(Version.six.setUp)
                var shown = () => document.getElementById('log').children.map(line => line.innerHTML).join()
                setupWebViewJavascriptBridge(function (bridge) {
                    var number = 1
                    function log(data) {
                        var log = document.getElementById('log')
                        var line = document.createElement('div')
                        line.className = 'logLine'
                        line.innerHTML = number++ + JSON.stringify(data)
                        if (log.children.length) { log.insertBefore(line, log.children[0]) } else { log.appendChild(line) }
                    }
                    bridge.registerHandler('tell', function (data) { log(data) })
                    document.body.appendChild(document.createElement('br'))
                    var button = document.getElementById('buttons').appendChild(document.createElement('button'))
                    button.onclick = function (event) {
                        event.preventDefault()
                        bridge.callHandler('testObjcCallback', 'pressed', log)
                    }
                })
                """,
                name: "ExampleApp.html"
            )
        )
        await bridge.waitUntilIdle()
        bridge.legacy.callHandler("tell", data: "a")
        await bridge.waitUntilIdle()
        try await bridge.runtime.evaluate("document.getElementById('buttons').children[0].click(); 0")
        await bridge.waitUntilIdle()
        let shown = try await bridge.runtime.evaluate("shown()")
        #expect(shown == #"2{"Response from testObjcCallback":"pressed"},1"a""#)
        let tree = try await bridge.runtime.evaluate(
            """
            {
                const [a, b, c] = ['a', 'b', 'c'].map(name => Object.assign(document.createElement(name), { id: name }));
                a.appendChild(b); a.insertBefore(c, b); a.insertBefore(b, c);
                const order = element => element.children.map(child => child.id).join('');
                let refused;
                try { c.appendChild(a) } catch (error) { refused = error.name }
                const texts = [order(a), refused, b.parentNode === a];
                a.removeChild(b); b.appendChild(c);
                texts.push(order(a), order(b), b.parentNode);
                document.body.appendChild(b);
                texts.concat(document.getElementById('c') === c).join();
            }
            """
        )
        #expect(tree == "bc,HierarchyRequestError,true,,c,,true")
    }

    @Test("P8 P10 a frame in the document signals, whichever way its address is set")
    func attributes() async throws {
        let scene = try Scene(.six, isOurs: true)
        let bridge = scene.bridge
        // The setup snippet as many write it who never set a property of an element.
        let setUp = Version.six.setUp
            .replacing(
                "bridgeFrame.style.display = 'none'",
                with: "bridgeFrame.setAttribute('style', 'display:none')"
            )
            .replacing("bridgeFrame.src = ", with: "bridgeFrame.setAttribute('SRC', ")
            .replacing("__bridge_loaded__';", with: "__bridge_loaded__');")
        #expect(setUp.contains("setAttribute('SRC', 'https://__bridge_loaded__');"))
        let page = """
            \(setUp)
            var lines = []
            setupWebViewJavascriptBridge(function (bridge) {
                bridge.callHandler('testObjcCallback', 1, function (response) { lines.push(JSON.stringify(response)) })
            })
            """
        try await bridge.load(.text(page, name: "page.html"))
        #expect(try await scene.lines() == [#"{"Response from testObjcCallback":1}"#])
        let seen = try await bridge.runtime.evaluate(
            """
            {
                const frame = document.createElement('IFRAME'), seen = [frame.getAttribute('src'), frame.src];
                frame.setAttribute('src', 7);
                frame.id = 'found'; frame.className = 'a b';
                seen.push(frame.src, frame.getAttribute('id'), frame.getAttribute('CLASS'), frame.hasAttribute('src'));
                frame.removeAttribute('src');
                document.documentElement.appendChild(frame);
                seen.push(frame.hasAttribute('src'), document.getElementById('found') === frame);
                JSON.stringify(seen);
            }
            """
        )
        #expect(seen == #"[null,"","7","found","a b",true,false,true]"#)
    }

    @Test(
        "P9 a page's window.onerror receives uncaught errors, and returning true marks them as handled"
    )
    func onError() async throws {
        let scene = try Scene(.six, isOurs: true)
        let bridge = scene.bridge
        let page = """
            var lines = []
            window.onerror = function (message, source, line, column, error) {
                lines.push([this === window, message, source, line, column > 0, error && error.message].join())
                if (message.includes('odd')) throw new Error('in onerror')
                return message.includes('known')
            }
            \(Version.six.setUp)
            setupWebViewJavascriptBridge(function (bridge) {
                bridge.registerHandler('throws', function (text) {
                    throw new Error(text)
                })
            })
            """
        try await bridge.load(.text(page, name: "page.html"))
        #expect(try await scene.lines() == [])
        for text in ["known", "odd", "new"] { bridge.legacy.callHandler("throws", data: .string(text)) }
        await bridge.waitUntilIdle()
        try await bridge.runtime.evaluate("setTimeout(function () { throw 'known text' }, 0); 0")
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let line = 1 + (lines.firstIndex { $0.contains("throw new Error(text)") } ?? 0)
        let notified = try await scene.lines()
        #expect(
            notified == [
                "true,Error: known,page.html,\(line),true,known",
                "true,Error: odd,page.html,\(line),true,odd",
                "true,Error: new,page.html,\(line),true,new", "true,known text,,0,false,",
            ]
        )
        #expect(scene.log.elements.filter { !$0.contains("WVJB") } == ["in onerror", "odd", "new"])
        // Without a handler of the page, that of WebViewJavascriptBridge runs, which writes its line.
        let other = try Scene(.six, isOurs: true)
        try await other.bridge.load(
            .text("setTimeout(function () { throw new Error('Boom') }, 0)", name: "b.html")
        )
        await other.bridge.waitUntilIdle()
        #expect(other.log.elements.contains("Boom"))
        #expect(
            other.log.elements.contains {
                $0.hasPrefix("WebViewJavascriptBridge: ERROR:Error: Boom@b.html:1")
            }
        )
    }
}
