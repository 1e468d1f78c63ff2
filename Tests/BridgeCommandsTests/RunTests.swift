import Foundation
import Testing

@testable import BridgeCommands

@Suite struct RunTests {
    @Test("console shows the rows of a store as plain objects, and as a table")
    func shownRows() async throws {
        let result = try await Workplace().run(
            script: """
                const store = bridge.store();
                store.createEntity("tea", { name: "string", price: "double" });
                store.transaction(() => { store.insert("tea", { name: "Assam", price: 2.5 }); });
                const rows = [...store.fetch("tea")];
                console.log(rows[0], rows);
                console.table(rows, ["name", "price"]);
                """
        )
        #expect(
            result.output == """
                { '$id': 1, name: 'Assam', price: 2.5 } [ { '$id': 1, name: 'Assam', price: 2.5 } ]
                (index)  name   price
                -------  -----  -----
                      0  Assam    2.5

                """
        )
        #expect(result.errorOutput.isEmpty)
    }

    @Test("console writes to both outputs, whole and in order, and the run ends with 0")
    func order() async throws {
        let result = try await Workplace().run(
            script: """
                console.log("one", { a: [1, "x"] });
                console.error("two");
                console.info("three");
                console.warn("four\\nand more");
                setTimeout(() => console.log("six"), 2);
                setTimeout(() => console.debug("five"), 1);
                Promise.resolve().then(() => console.log("Жизнь, 寿司, 👩‍👩‍👧"));
                """
        )
        #expect(result.status == 0)
        #expect(
            result.writes.map(\.text) == [
                "one { a: [ 1, 'x' ] }\n", "two\n", "three\n", "four\nand more\n", "Жизнь, 寿司, 👩‍👩‍👧\n", "five\n",
                "six\n",
            ]
        )
        #expect(result.errorOutput == "two\nfour\nand more\n")
    }

    @Test("ten thousand lines arrive whole and in order")
    func manyLines() async throws {
        let workplace = try Workplace()
        let script = "for (let i = 0; i < 10000; i++) console.log(i, 'x'.repeat(i % 100));"
        let result = await workplace.run([
            "run", "--time-limit", "0", try workplace.write(script, to: "x.js"),
        ])
        let expected = (0..<10_000).map { "\($0) \(String(repeating: "x", count: $0 % 100))\n" }
        #expect(result.output == expected.joined())
        #expect(result.status == 0)
    }

    @Test("a signal with a timeout does not keep the run going")
    func unreferencedTimeout() async throws {
        let result = try await Workplace().run(
            script: """
                AbortSignal.timeout(3600000).onabort = () => console.log("an hour later");
                const calls = AbortSignal.any([AbortSignal.timeout(3600000), new AbortController().signal]);
                bridge.callHandler("jsbridge.environment", null, { signal: calls }).then(() => console.log("answered"));
                setTimeout(() => console.log("a timer does"), 1);
                """
        )
        #expect(result.status == 0)
        #expect(result.output == "answered\na timer does\n")
    }

    @Test("a script gets its environment from jsbridge.environment")
    func environment() async throws {
        let workplace = try Workplace()
        let path = try workplace.write(
            """
            (async () => {
                const all = await bridge.callHandler("jsbridge.environment", { variables: ["COLOR", "MISSING"] });
                const { version, engine, script, arguments: words, store, variables } = all;
                console.log(version, typeof engine.version, engine.callPath.length > 0, script.split("/").pop());
                console.log(words, store, variables);
                console.log((await bridge.callHandler("jsbridge.environment")).variables);
                bridge.callHandler("jsbridge.environment", { variables: 7 })
                    .catch(error => console.log(error.code, error.message));
            })();
            """,
            to: "env.js"
        )
        let arguments = ["run", "--store=:memory:", path, "a b", "--", "--c"]
        let result = await workplace.run(arguments, environment: ["COLOR": "blue", "SECRET": "x"])
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.first ?? "" == "\(ProductVersion.current) string true env.js")
        #expect(lines.dropFirst().first ?? "" == #"[ 'a b', '--c' ] { kind: 'memory' } { COLOR: 'blue' }"#)
        #expect(lines.dropFirst(2).first ?? "" == "{}")
        #expect(lines.last?.hasPrefix("decodeFailed ") == true)
        #expect(result.errorOutput.isEmpty)
    }

    @Test("Swift calls the script's main with its arguments after its code has run")
    func main() async throws {
        let workplace = try Workplace()
        let result = try await workplace.run(
            script: """
                bridge.registerHandler("main", async ({ arguments: words, store }) => {
                    console.log("main", words, store.kind, store.path.endsWith("/store.db"));
                    await new Promise(resolve => setTimeout(resolve, 1));
                    console.log("main is done");
                });
                Promise.resolve().then(() => console.log("text is done"));
                """,
            "x",
            "y"
        )
        #expect(result.output == "text is done\nmain [ 'x', 'y' ] temporary true\nmain is done\n")
        #expect(result.status == 0)
        #expect(workplace.leftovers.isEmpty)
    }

    struct MainValue: CustomTestStringConvertible, Sendable {
        let expression: String
        let status: Int32
        let message: String
        var testDescription: String { "main gives \(expression)" }

        init(_ expression: String, _ status: Int32, _ message: String = "") {
            self.expression = expression
            self.status = status
            self.message = message
        }
    }

    static let mainValues = [
        MainValue("undefined", 0), MainValue("0", 0), MainValue("7", 7), MainValue("255", 255),
        MainValue("Promise.resolve(3)", 3), MainValue("null", 0), MainValue("'4'", 0), MainValue("true", 0),
        MainValue("({ status: 5 })", 0),
        MainValue("256", 1, "jsbridge: 'main' returned 256: an exit status is an integer from 0 to 255\n"),
        MainValue("-1", 1, "jsbridge: 'main' returned -1: an exit status is an integer from 0 to 255\n"),
        MainValue("1.5", 1, "jsbridge: 'main' returned 1.5: an exit status is an integer from 0 to 255\n"),
    ]

    @Test("an integer from 0 to 255 that main returns is the exit status", arguments: mainValues)
    func mainStatus(_ value: MainValue) async throws {
        let result = try await Workplace().run(
            script: "bridge.registerHandler('main', () => \(value.expression));"
        )
        #expect(result.status == value.status)
        #expect(result.errorOutput == value.message)
    }

    @Test("the run waits for the work that main leaves")
    func mainLeavesTimer() async throws {
        let result = try await Workplace().run(
            script:
                "bridge.registerHandler('main', () => { setTimeout(() => console.log('later'), 2); return 3; });"
        )
        #expect(result.output == "later\n")
        #expect(result.status == 3)
    }

    @Test("a main that cannot be settled is an error instead of an endless wait")
    func mainNeverEnds() async throws {
        let result = try await Workplace().run(
            script: "bridge.registerHandler('main', () => new Promise(() => {}));"
        )
        #expect(result.status == 1)
        #expect(result.errorOutput.hasPrefix("jsbridge: 'main' never ends: its promise is not settled"))
    }

    @Test("the store is a new file that is removed when the run has ended, successful or not")
    func temporaryStore() async throws {
        let workplace = try Workplace()
        let script = """
            bridge.callHandler("jsbridge.environment").then(({ store: { path } }) => {
                bridge.store().createEntity("thing", { name: "string" });
                bridge.store().insert("thing", { name: "x" });
                console.log(path, bridge.store().fetch("thing").count);
                FINALLY
            });
            """
        for (end, status) in [("", 0), ("throw new Error('no')", 1), ("for (;;);", 1)] as [(String, Int32)] {
            let path = try workplace.write(script.replacingOccurrences(of: "FINALLY", with: end), to: "s.js")
            let result = await workplace.run(["run", "--time-limit", "0.2", path])
            #expect(result.status == status)
            #expect(result.output.hasPrefix(workplace.temporaryDirectory + "/jsbridge."))
            #expect(result.output.hasSuffix("/store.db 1\n"))
            #expect(workplace.leftovers.isEmpty)
        }
    }

    @Test("a store with a path is kept, and one in memory leaves no file")
    func keptStore() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            """
            const store = bridge.store();
            store.createEntity("thing", { name: "string" });
            store.insert("thing", { name: "x" });
            console.log(store.fetch("thing").count);
            """,
            to: "count.js"
        )
        for count in 1...3 {
            let result = await workplace.run(["run", "--store", workplace.file("kept.db"), script])
            #expect(result.output == "\(count)\n")
        }
        for _ in 1...2 {
            let result = await workplace.run(["run", "--store", ":memory:", script])
            #expect(result.output == "1\n")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: workplace.path).sorted()
        #expect(files == ["count.js", "kept.db", "tmp"])
    }

    @Test("a dash reads the script from standard input")
    func standardInput() async throws {
        let workplace = try Workplace()
        let result = await workplace.run(["run", "-", "a"], input: Array("console.log('from input')".utf8))
        #expect(result.output == "from input\n")
        #expect(result.status == 0)
        let wrong = await workplace.run(["run", "-"], input: Array("\n  nothing.here".utf8))
        #expect(wrong.status == 1)
        #expect(wrong.errorOutput.hasPrefix("<stdin>:2:10: ReferenceError: "))
        let bytes = await workplace.run(["run", "-"], input: [0x31, 0xFF])
        #expect(bytes.errorOutput == "jsbridge: standard input is not UTF-8 text\n")
    }

    @Test("relative paths of importCSV start at the folder of the script, and an import shows its progress")
    func importing() async throws {
        let workplace = try Workplace()
        try workplace.write("name,age\nAda,36\nGrace,85\n", to: "people.csv")
        let script = try workplace.write(
            "console.log(bridge.store().importCSV('people.csv', { entity: 'person' }));",
            to: "import.js"
        )
        let piped = await workplace.run(["run", script])
        #expect(piped.output == "{ rows: 2, inserted: 2, updated: 0, deleted: 0, unchanged: 0 }\n")
        #expect(piped.errorOutput.hasPrefix("people.csv: 2 rows in "))
        #expect(piped.errorOutput.split(separator: "\n").count == 1)
        #expect(!piped.errorOutput.contains("\r"))
        let terminal = await workplace.run(["run", script], terminalColumns: 60)
        #expect(terminal.output == piped.output)
        #expect(terminal.errorOutput.hasPrefix("\r\u{1B}[Kpeople.csv  ["))
        #expect(terminal.errorOutput.hasSuffix("\r\u{1B}[K"))
        #expect(!terminal.errorOutput.contains("\n"))
    }

    @Test("a name with control characters is escaped on a terminal")
    func controlCharacters() async throws {
        let workplace = try Workplace()
        let name = "a\u{1B}[31m.csv"
        try workplace.write("name\nAda\n", to: name)
        let result = try await workplace.run(
            script: "bridge.store().importCSV('a\\u001b[31m.csv', { entity: 'person' });"
        )
        #expect(result.errorOutput.hasPrefix(#"a\u{1b}[31m.csv: 1 row in "#))
    }

    @Test("a closed output ends the run without a message and with 141, other failures are reported")
    func outputCloses() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("for (;;) console.log('y');", to: "yes.js")
        let closed = await workplace.run(["run", "--time-limit", "2", script], outputLimit: (3, .closed))
        #expect(closed.status == 141)
        #expect(closed.errorOutput.isEmpty)
        #expect(workplace.leftovers.isEmpty)
        let full = await workplace.run(
            ["run", "--time-limit", "2", script],
            outputLimit: (3, .failed("No space left on device"))
        )
        #expect(full.status == 74)
        #expect(full.errorOutput == "jsbridge: standard output cannot be written: No space left on device\n")
        let help = await workplace.run(["--help"], outputLimit: (0, .closed))
        #expect(help.status == 141)
    }

    @Test("P8 a page is run with its scripts, in the dialect of --dialect, with a store and its events")
    func pages() async throws {
        let workplace = try Workplace()
        let page = """
            <!doctype html><body><p id="log">text</p>
            <script>
            document.addEventListener('WebViewJavascriptBridgeReady', event => console.log('ready', typeof event.bridge.init));
            window.onload = () => { WebViewJavascriptBridge.init(() => {}); console.log(document.getElementById('log').textContent); };
            WebViewJavascriptBridge.callHandler('jsbridge.environment', {}, reply => console.log(reply.arguments.join()));
            </script>
            """
        let path = try workplace.write(page, to: "page.html")
        let four = await workplace.run(["run", "--dialect", "wvjb4", path, "one", "two"])
        #expect(four.output.split(separator: "\n").sorted() == ["one,two", "ready function", "text"])
        #expect(four.status == 0, "\(four.errorOutput)")
        try workplace.write(
            page.replacing("WebViewJavascriptBridge.init(() => {}); ", with: ""),
            to: "six.html"
        )
        let six = await workplace.run(["run", workplace.file("six.html"), "one"])
        // The reply may come before the event.
        #expect(six.output.split(separator: "\n").sorted() == ["one", "text"])
        #expect(six.status == 0, "\(six.errorOutput)")
        try workplace.write("<p>\n<script>\nmissing()</script>", to: "bad.html")
        let bad = await workplace.run(["run", workplace.file("bad.html")])
        #expect(bad.status == 1)
        #expect(bad.errorOutput.contains("bad.html:3:"))
    }

    @Test("an unknown dialect, and a page with --record, are wrong usage")
    func wrongPages() async throws {
        let workplace = try Workplace()
        let path = try workplace.write("<p>", to: "page.html")
        let unknown = await workplace.run(["run", "--dialect", "wvjb7", path])
        #expect(unknown.status == 2)
        #expect(unknown.errorOutput.contains("unknown dialect") && unknown.errorOutput.contains("help run"))
        let recorded = await workplace.run(["run", "--record", workplace.file("j"), path])
        #expect(recorded.status == 2)
        #expect(recorded.errorOutput.contains("'--record' takes a script, not a page"))
        #expect(!workplace.exists("j"))
    }

    @Test("a script with views runs, and one sentence names the commands that show them")
    func views() async throws {
        let workplace = try Workplace()
        let script = """
            import { collectionView } from "bridge:views";
            const view = collectionView({ source: ["a", "b"] });
            collectionView({ name: "other", source: [] }).title = "changed";
            console.log(view.numberOfItems({ inSection: 0 }), view.unit);
            """
        let path = try workplace.write(script, to: "two views.mjs")
        let result = await workplace.run(["run", path])
        #expect(result.status == 0 && result.output == "2 cell\n")
        #expect(
            result.errorOutput
                == "jsbridge: the view 'main' is not shown here; for a terminal: jsbridge browse '\(path)'; "
                + "for a browser: jsbridge serve '\(path)'\n"
        )
        let code = await workplace.run(["run", "-e", "bridge.collectionView({ source: [] })"])
        #expect(code.status == 0 && code.errorOutput.contains("jsbridge browse FILE; "))
    }
}
