import Foundation
import JavaScriptEngine
import Testing

@testable import BridgeCommands

/// `jsbridge run --watch`, as a process whose files a test edits.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct WatchTests {
    /// A process whose lines of both outputs a test awaits.
    private final class Watched {
        let workplace: Workplace
        private let process = Process()
        private var lines: AsyncStream<String>.Iterator
        /// The lines that were read.
        private(set) var seen: [String] = []

        init(_ files: [String: String], _ script: String) throws {
            workplace = try Workplace()
            for (name, text) in files { try workplace.write(text, to: name) }
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: RunningProcess.built("jsbridge"))
            process.arguments = ["run", "--watch", workplace.file(script)]
            process.environment = ["TMPDIR": workplace.temporaryDirectory, "PATH": "/usr/bin:/bin"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = pipe
            let (stream, continuation) = AsyncStream<String>.makeStream()
            lines = stream.makeAsyncIterator()
            try process.run()
            let handle = pipe.fileHandleForReading
            Thread.detachNewThread {
                var rest = Data()
                while case let more = handle.availableData, !more.isEmpty {
                    rest += more
                    while let end = rest.firstIndex(of: 10) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = rest[(end + 1)...]
                    }
                }
                continuation.finish()
            }
        }

        deinit { if process.isRunning { process.terminate() } }

        /// Returns the next line that contains a text.
        @discardableResult
        func line(_ text: String) async -> String {
            while let line = await lines.next() {
                seen.append(line)
                if line.contains(text) { return line }
            }
            Issue.record("the process has ended before \"\(text)\": \(seen)")
            return ""
        }

        /// Ends the process, and returns the signal that has ended it.
        ///
        /// Not by SIGINT, which shells without job control ignore in the background, and so do the processes of the tests.
        func terminate() -> Int32 {
            process.terminate()
            process.waitUntilExit()
            return process.terminationReason == .uncaughtSignal ? process.terminationStatus : 0
        }

        /// Replaces a file by another one, as editors do.
        func replace(_ name: String, by text: String) throws {
            try workplace.write(text, to: name + "~")
            #expect(rename(workplace.file(name + "~"), workplace.file(name)) == 0)
        }

        /// Writes a file in place: it is truncated first.
        func overwrite(_ name: String, with text: String) throws {
            let handle = try #require(FileHandle(forWritingAtPath: workplace.file(name)))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        }
    }

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
        let watched = try Watched(Self.prices, "main.mjs")
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
        let watched = try Watched(Self.prices, "main.mjs")
        await watched.line("price 1 run 1")
        try watched.replace("prices.js", by: "export const price = ;")
        await watched.line("prices.js:1:22: SyntaxError: Unexpected token ';'")
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
        await watched.line("prices.js\" not found")
        try watched.workplace.write("export const cost = 6;", to: "prices.js")
        await watched.line("cost 6")
        #expect(watched.terminate() == SIGTERM)
    }

    @Test("main is called again after it has ended, and a script that fails first is repaired")
    func main() async throws {
        let watched = try Watched(
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

    @Test("a script that is not a module runs again in a new context")
    func script() async throws {
        let watched = try Watched(
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
