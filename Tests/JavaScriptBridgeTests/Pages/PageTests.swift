import BridgeConformance
import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// Pages of markup, loaded as they are.
@Suite(.noLeaks) struct PageTests {
    private struct Scene {
        let bridge: Bridge
        let lines = Recorder<String>()
        let errors = Recorder<String>()

        init(_ configure: (inout BridgeConfiguration) -> Void = { _ in }) throws {
            var configuration = BridgeConfiguration.patient
            configuration.transport = .text
            configuration.consoleSink = { [lines] in lines.add($0.text) }
            configuration.logSink = { [errors] in errors.add($0.text) }
            configuration.uncaughtErrorHandler = { [errors] error in
                errors.add("\(error.sourceURL ?? ""):\(error.line ?? 0): \(error.message)")
            }
            configure(&configuration)
            bridge = try Bridge(configuration: configuration)
        }

        func load(_ markup: String) async throws {
            try await bridge.load(.page(markup, name: "page.html"))
            await bridge.waitUntilIdle()
        }
    }

    @Test("P8 a page's scripts run in order with the markup before them, then its events are dispatched")
    func order() async throws {
        let scene = try Scene()
        try await scene.load(
            """
            <html lang="en"><head><title>Page &amp; title</title>
            <script>
            const say = text => console.log(text + ", " + document.readyState);
            document.onreadystatechange = () => say("changed");
            document.addEventListener("DOMContentLoaded", () => say("content"));
            window.addEventListener("load", () => say("load listener"));
            window.onload = () => say("onload");
            say(document.title + " " + document.documentElement.getAttribute("lang"));
            setTimeout(() => console.log("timer"), 0);
            </script></head>
            <body class="a b"><div id="one" data-x="1">text</div>
            <script>
            const there = ["one", "two"].map(id => document.getElementById(id) !== null);
            say(there.concat(document.currentScript.parentNode === document.body).join());
            </script>
            <div id="two"><span class="c">inner</span></div>
            <script>Promise.resolve().then(() => say("microtask")); say("third")</script>
            </body></html>
            """
        )
        let lines = scene.lines.elements
        #expect(
            lines.filter { $0 != "timer" } == [
                "Page & title en, loading", "true,false,true, loading", "third, loading",
                "microtask, loading", "changed, interactive", "content, interactive", "changed, complete",
                "onload, complete", "load listener, complete",
            ]
        )
        #expect(lines.contains("timer"))
        #expect(scene.errors.elements.isEmpty)
    }

    @Test(
        "the document of a page behaves as a browser's for what it has",
        arguments: [
            ("document.querySelectorAll('#list > li').length", "2"),
            ("document.querySelector('ul.big.list li.y').textContent", "bc"),
            ("document.querySelector('[title=\"second\"] i').tagName", "I"),
            ("document.querySelector('nav, li').className", "x"),
            ("document.querySelector('li.z')", "null"),
            ("document.querySelector('html').tagName + document.querySelector('body').tagName", "HTMLBODY"),
            ("document.getElementsByTagName('LI').length", "2"),
            ("document.getElementsByClassName('x y').length", "1"),
            ("document.querySelector('i').closest('ul').id", "list"),
            ("try { document.querySelector('li:hover') } catch (error) { error.name }", "SyntaxError"),
            (
                "var b = document.getElementById('button'); b.click(); b.onclick = () => { count = 9 }; b.click(); count + b.title",
                "9click"
            ),
            ("document.getElementById('missing')", "null"),
            (
                "var li = document.querySelector('li'); li.classList.add('new'); li.classList.toggle('x'); li.className",
                "new"
            ),
            (
                "var li = document.querySelector('li'); li.textContent = 'new'; li.childNodes.length + li.firstChild.data",
                "1new"
            ),
            ("window === self && self === globalThis && typeof navigator.userAgent", "string"),
            ("document.readyState + location.href + document.location.protocol", "completeabout:blankabout:"),
            (
                "try { document.body.removeChild(document.querySelector('li')) } catch (error) { error.name }",
                "NotFoundError"
            ),
            ("window.location = 'about:blank'; location.href", "about:blank"),
        ]
    )
    func document(script: String, result: String) async throws {
        let scene = try Scene()
        try await scene.load(
            """
            <body><ul id="list" class="big list"><li class="x">a</li><li class="x y" title="second">b<i>c</i></li></ul>
            <button id="button" onclick="count += 1; this.title = event.type">press</button>
            <script>var count = 0;</script>
            """
        )
        let text = try await scene.bridge.runtime.withContext { context in
            try context.evaluate(script).toString()
        }
        #expect(text == result)
    }

    @Test("R19 a script of a page that throws is reported with its line in the file, and the next one runs")
    func errors() async throws {
        let scene = try Scene()
        try await scene.load(
            """
            <p>
            <script>throw new TypeError('one')</script>
            <script>
              nothing.here
            </script><script>var = 1</script>
            <script>console.log('last')</script>
            """
        )
        let errors = scene.errors.elements.filter { $0.hasPrefix("page.html") }
        #expect(
            errors.map { $0.prefix(12) } == ["page.html:2:", "page.html:4:", "page.html:5:"],
            "\(errors)"
        )
        #expect(scene.lines.elements.last == "last")
    }

    @Test("P9 a page's window.onerror receives its scripts' errors, with the line in the file")
    func onError() async throws {
        let scene = try Scene()
        try await scene.load(
            """
            <script>
            window.onerror = (message, source, line) => { console.log(message + " " + source + " " + line); return true }
            </script>
            <script>
            throw new Error('mine')
            </script>
            """
        )
        #expect(scene.lines.elements == ["Error: mine page.html 5"])
        #expect(scene.errors.elements.isEmpty)
    }

    @Test("R39 R31 files of scripts are read beside the page's file, and nowhere else")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "pages-\(UUID().uuidString)"
        )
        let scripts = folder.appendingPathComponent("pages/js")
        try FileManager.default.createDirectory(at: scripts, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String, _ path: String) throws {
            try text.write(to: folder.appendingPathComponent(path), atomically: true, encoding: .utf8)
        }
        try write("console.log('secret')", "secret.js")
        try write("console.log('deferred ' + document.readyState)", "pages/js/deferred.js")
        try write(
            "console.log('beside ' + document.currentScript.getAttribute('src'))",
            "pages/js/beside.js"
        )
        try write(
            """
            <script src="js/deferred.js" defer></script><script src="js/beside.js?v=2"></script>
            <script src="../secret.js"></script><script src="/etc/hostname"></script><script src="missing.js"></script>
            <script src="https://example.org/a.js"></script><script src="//example.org/a.js"></script>
            <script type="module">console.log('module')</script><script type="application/json">{"a":1}</script>
            <script>console.log('end ' + document.querySelector('[type="application/json"]').textContent)</script>
            """,
            "pages/page.HTML"
        )
        let scene = try Scene()
        try await scene.bridge.load(.file(folder.appendingPathComponent("pages/page.HTML").path))
        await scene.bridge.waitUntilIdle()
        let lines = scene.lines.elements + scene.errors.elements
        let warnings = lines.filter { $0.contains("page.HTML:") }
        #expect(warnings.count == 6, "\(warnings)")
        let others = lines.filter { !$0.contains("page.HTML:") }
        #expect(others == ["beside js/beside.js?v=2", "end {\"a\":1}", "deferred interactive"])
    }

    @Test("a page needs the text transport")
    func transport() async throws {
        let scene = try Scene { $0.transport = .direct }
        let error = await #expect(throws: BridgeError.self) { try await scene.load("<p>") }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(".text") == true)
    }

    @Test("a reload that runs scripts again loads a page again, with a new document")
    func reload() async throws {
        let scene = try Scene()
        try await scene.load(
            """
            <p id=p><script>
            console.log(document.getElementsByTagName('p').length); window.onload = () => console.log('load')
            </script>
            """
        )
        try await scene.bridge.reload(rerunningScripts: true)
        await scene.bridge.waitUntilIdle()
        #expect(scene.lines.elements == ["1", "load", "1", "load"])
    }

    @Test(
        "P32 P65 a queue that can never be fetched is reported at the 1st, 2nd, 4th, 8th time and so on"
    )
    func unfetchable() async throws {
        let scene = try Scene { $0.injectsScript = false }
        let loop = "\nvar loop = {}; loop.loop = loop;"
        try await scene.bridge.load(.text(try ConformanceFixtures.plainScript() + loop, name: "plain.js"))
        for _ in 0..<20 {
            try await scene.bridge.load(
                .text("WebViewJavascriptBridge.callHandler('n', loop)", name: "call.js")
            )
        }
        let warnings = scene.errors.elements.filter { $0.contains("queue could not be fetched") }
        #expect(warnings.count == 5, "\(warnings)")
        #expect(warnings.last?.contains("(16 times so far)") == true)
    }
}
