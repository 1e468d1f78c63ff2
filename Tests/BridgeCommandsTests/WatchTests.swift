import Foundation
import JavaScriptEngine
import Testing

@testable import BridgeCommands

/// `jsbridge run --watch`, as a process whose files a test edits.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct WatchTests {
    private static let prices = [
        "main.mjs": """
        import { price } from "./prices.js"; import "./view.js";
        import.meta.hot.data.runs = (import.meta.hot.data.runs ?? 0) + 1;
        console.log("price", price, "run", import.meta.hot.data.runs);
        """,
        "view.js": "import { price } from './prices.js'; console.log('view', price);",
        "prices.js": "export const price = 1;",
    ]

    @Test("an edit in place, by rename and by truncation reloads a module with its dependants")
    func edits() async throws {
        let watched = try WatchedProcess(Self.prices, "main.mjs")
        await watched.line("price 1 run 1")
        try watched.replace("prices.js", by: "export const price = 2;")
        await watched.line("price 2 run 2")
        let message = await watched.line("reloaded")
        #expect(message.hasPrefix("jsbridge: reloaded prices.js and 2 dependants in "))
        #expect(message.hasSuffix(" ms"))
        try watched.overwrite("prices.js", with: "export const price = 3;")
        await watched.line("price 3 run 3")
        try watched.workplace.write("console.log('view alone');", to: "view.js")
        await watched.line("view alone")
        await watched.line("reloaded view.js and 1 dependant in ")
        #expect(watched.terminate() == SIGTERM)
    }

    @Test(
        "an error is shown with its place, and the next change repairs it; so does a file that is created again"
    )
    func errors() async throws {
        let watched = try WatchedProcess(Self.prices, "main.mjs")
        await watched.line("price 1 run 1")
        try watched.replace("prices.js", by: "export const price = ;")
        await watched.line("prices.js:1:22: SyntaxError: Unexpected token ';'")
        await watched.line("jsbridge: not reloaded: prices.js keeps running in its last version")
        try watched.replace("prices.js", by: "export const price = 4;\nthrow new Error('half');")
        await watched.line("prices.js:2:16: Error: half")
        try watched.replace("prices.js", by: "export const cost = 5;")
        await watched.line("'price' is not found")
        // The name is changed in all three files, one after another.
        try watched.replace("view.js", by: "console.log('view');")
        try watched.replace(
            "main.mjs",
            by: "import { cost } from './prices.js'; import './view.js'; console.log('cost', cost);"
        )
        await watched.line("cost 5")
        try FileManager.default.removeItem(atPath: watched.workplace.file("prices.js"))
        await watched.line("main.mjs:1:22: Error: module ")
        try watched.workplace.write("export const cost = 6;", to: "prices.js")
        await watched.line("cost 6")
        #expect(watched.terminate() == SIGTERM)
    }

    @Test("main is called again after it has ended, and a script that fails first is repaired")
    func main() async throws {
        let watched = try WatchedProcess(
            ["main.mjs": "throw new Error('first'); export const m = 1;"],
            "main.mjs"
        )
        await watched.line("main.mjs:1:16: Error: first")
        func text(_ number: Int) -> String {
            "bridge.registerHandler('main', () => { console.log('main \(number)'); return 3; }); export {}"
        }
        try watched.replace("main.mjs", by: text(1))
        await watched.line("main 1")
        try watched.replace("main.mjs", by: text(2))
        await watched.line("main 2")
        #expect(watched.terminate() == SIGTERM)
    }

    @Test("a main that runs is called again after its end, which is said once")
    func runningMain() async throws {
        func text(_ number: Int) -> String {
            """
            import './b.js';
            bridge.registerHandler('main', async () => {
                console.log('main \(number)');
                if (\(number) < 3) await new Promise((resolve) => { globalThis.finish = resolve; });
            });
            """
        }
        let watched = try WatchedProcess(["main.mjs": text(1), "b.js": ""], "main.mjs")
        await watched.line("main 1")
        try watched.replace("main.mjs", by: text(2))
        await watched.line("jsbridge: the new 'main' waits for the end of the one that is running")
        try watched.replace("main.mjs", by: text(3))
        await watched.line("reloaded main.mjs")
        // It calls the function of the main that is running.
        try watched.replace("b.js", by: "globalThis.finish();")
        await watched.line("main 3")
        #expect(watched.seen.count { $0.contains("waits for") } == 1)
        #expect(!watched.seen.contains("main 2"))
        #expect(watched.terminate() == SIGTERM)
    }

    @Test("the first version that fails keeps nothing, and an error of an old version has its text")
    func old() async throws {
        let watched = try WatchedProcess(["main.mjs": "throw new Error('first');"], "main.mjs")
        await watched.line("Error: first")
        try watched.replace("main.mjs", by: "let = ;")
        await watched.line("SyntaxError")
        try watched.replace(
            "main.mjs",
            by: "import.meta.hot.dispose(() => { throw new Error('disposed'); }); console.log('one');"
        )
        await watched.line("one")
        #expect(!watched.seen.contains { $0.contains("not reloaded") })
        try watched.replace("main.mjs", by: "export const other = 'another text';")
        await watched.line("main.mjs:1:48: Error: disposed")
        #expect(await watched.line("> 1 |").contains("throw new Error('disposed')"))
        await watched.line("reloaded main.mjs")
        #expect(watched.terminate() == SIGTERM)
    }

    @Test("a script that is not a module runs again in a new context")
    func script() async throws {
        let watched = try WatchedProcess(
            ["a.js": "globalThis.n = (globalThis.n ?? 0) + 1; console.log('one', n);"],
            "a.js"
        )
        await watched.line("one 1")
        try watched.replace(
            "a.js",
            by: "globalThis.n = (globalThis.n ?? 0) + 1; console.log('two', n); let = ;"
        )
        await watched.line("SyntaxError")
        try watched.replace("a.js", by: "globalThis.n = (globalThis.n ?? 0) + 1; console.log('three', n);")
        await watched.line("three 1")
        await watched.line("reloaded a.js in ")
        #expect(watched.terminate() == SIGTERM)
    }

    @Test(
        "--watch needs a file, and no journal",
        arguments: [
            (["-e", "1"], "'--watch' needs the FILE of a script or module"),
            (["-"], "'--watch' needs the FILE of a script or module"),
            (["page.html"], "'--watch' needs the FILE of a script or module"),
            (["--record", "j", "a.js"], "'--watch' cannot be combined with '--record'"),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        let result = await (try Workplace()).run(["run", "--watch"] + arguments)
        #expect(result.status == 2)
        #expect(result.errorOutput.contains(message))
    }
}
