import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

@testable import BridgeCommands

@Suite struct ScriptErrorTests {
    @Test("an error out of main keeps its name, members, causes and position, and its handler is shown")
    func main() async throws {
        let workplace = try Workplace()
        let path = try workplace.write(
            """
            class ShopError extends Error { constructor(m, o) { super(m, o); this.name = "ShopError"; this.shop = { id: 7 }; } }
            bridge.registerHandler("main", () => {
                throw new ShopError("closed", { cause: new TypeError("why", { cause: 42 }) });
            });
            """,
            to: "shop.js"
        )
        let result = await workplace.run(["run", path])
        #expect(result.status == 1)
        let text = result.errorOutput.replacing(path, with: "FILE")
        // The position where the error was created: version 2.50 of the engine includes the constructor, later ones do
        // not.
        #expect(["1:58", "3:24"].contains { text.hasPrefix("FILE:\($0): ShopError: closed\n") })
        #expect(text.contains("\n> 1 | class ShopError") || text.contains("\n> 3 |     throw new ShopError"))
        #expect(text.contains("    at handler \"main\" (FILE:3:"))
        #expect(text.contains("    { shop: { id: 7 } }\ncaused by FILE:3:"))
        #expect(text.contains(": TypeError: why\n"))
        #expect(text.hasSuffix("caused by 42\n"))
        for part in ["jsbridge:internal", "asyncFunctionResume", "handlerFailed", "native code"] {
            #expect(!text.contains(part))
        }
    }

    static let thrown: [(String, String)] = [
        ("throw { code: 3, why: 'no' }", "uncaught { code: 3, why: 'no' }"),
        ("throw [1, 2]", "uncaught [ 1, 2 ]"),
        ("throw undefined", "uncaught undefined"), ("throw 'text'", "uncaught text"),
        ("throw Object.assign(() => {}, { x: 1 })", "uncaught [Function (anonymous)] { x: 1 }"),
        ("throw { toString: () => 'said' }", "uncaught said"),
        ("throw new Map([[1, 2]])", "uncaught Map(1) { 1 => 2 }"),
        ("throw Object.create(null)", "uncaught [Object: null prototype] {}"),
    ]

    @Test("a thrown value that is not an error is shown, from the script and from main", arguments: thrown)
    func values(code: String, text: String) async throws {
        let result = await (try Workplace()).run(["-e", code])
        #expect(result.status == 1)
        #expect(result.errorOutput == "<eval>: \(text)\n")
        let main = await (try Workplace()).run([
            "run", "-e", "bridge.registerHandler('main', async () => { \(code) })",
        ])
        #expect(main.status == 1)
        #expect(main.errorOutput == "<eval>: \(text)\n")
    }

    @Test("the errors of an uncaught AggregateError are shown")
    func aggregate() async throws {
        let code = "Promise.any([Promise.reject(new Error('one')), Promise.reject(new TypeError('two'))])"
        let result = await (try Workplace()).run(["-e", code])
        #expect(result.status == 1)
        #expect(
            result.errorOutput.contains(
                "[errors]: [\n        Error: one\n            at global code (<eval>:1:"
            )
        )
        #expect(result.errorOutput.contains("TypeError: two\n            at global code (<eval>:1:"))
    }

    @Test("R20 a script that was stopped is shown at its position, in main too")
    func stopped() async throws {
        for code in [
            "function spin() {\nfor (;;) {} }\nspin()",
            "function spin() {\nfor (;;) {} }\nbridge.registerHandler('main', () => spin())",
        ] {
            let result = await (try Workplace()).run(["run", "--time-limit", "0.05", "-e", code])
            #expect(result.status == 1)
            #expect(result.errorOutput.hasPrefix("<eval>:1: "), "\(result.errorOutput)")
            #expect(result.errorOutput.contains("the script was stopped after its limit of 0.05 seconds"))
            #expect(result.errorOutput.contains("    at spin (<eval>:1)\n"))
            #expect(result.errorOutput.contains("--time-limit"))
        }
    }

    @Test("R19 a script that retains too much memory ends at the memory limit, which the message has")
    func memory() async throws {
        let code = "const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length));"
        let result = await (try Workplace()).run([
            "run", "--time-limit=0", "--memory-limit", "64M", "-e", code,
        ])
        #expect(result.status == 1)
        #expect(result.errorOutput.contains("bytes in use: its limit is \(64 << 20)"))
        #expect(result.errorOutput.contains("(--memory-limit sets how much memory a script's heap may take)"))
    }

    @Test(
        "a script that uses modules gets the error of the import, or a hint for names of CommonJS",
        arguments: [
            ("import x from 'y'", "\"y\" is neither a URL, a path"),
            ("import { x } from 'y'", "\"y\" is neither a URL, a path"),
            ("import * as x from 'y'", "\"y\" is neither a URL, a path"),
            ("import 'y'", "\"y\" is neither a URL, a path"),
            ("require('fs')", "(use import in a module, or import() in a script)"),
            ("module.exports = 1", "(use export in a module)"),
            ("exports.x = 1", "(use export in a module)"),
        ]
    )
    func moduleWords(code: String, message: String) async throws {
        let result = await (try Workplace()).run(["-e", code])
        #expect(result.status == 1)
        #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
        #expect(!result.errorOutput.contains("line: 1"))
    }

    @Test("an await outside of a function gets a hint where it is valid, other errors do not")
    func awaitWords() async throws {
        let result = await (try Workplace()).run(["-e", "function f() { await g() }"])
        #expect(
            result.errorOutput.hasSuffix(
                "('await' is valid in async functions only; a handler 'main' can be one)\n"
            )
        )
        #expect(!(await (try Workplace()).run(["-e", "let let = 1"])).errorOutput.contains("("))
    }

    @Test(
        "values have colors on a terminal, separately for each output, and not with NO_COLOR or TERM=dumb"
    )
    func colors() async throws {
        let arguments = ["-e", "console.log(1); console.error(2)"]
        let plain = await (try Workplace()).run(arguments)
        #expect(plain.output == "1\n" && plain.errorOutput == "2\n")
        let both = await (try Workplace()).run(arguments, terminalColumns: 80, outputColumns: 80)
        #expect(both.output == "\u{1b}[33m1\u{1b}[39m\n" && both.errorOutput == "\u{1b}[33m2\u{1b}[39m\n")
        let one = await (try Workplace()).run(arguments, outputColumns: 80)
        #expect(one.output == "\u{1b}[33m1\u{1b}[39m\n" && one.errorOutput == "2\n")
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            let result = await (try Workplace()).run(arguments, outputColumns: 80, environment: [name: value])
            #expect(result.output == "1\n")
        }
        let empty = await (try Workplace()).run(arguments, outputColumns: 80, environment: ["NO_COLOR": ""])
        #expect(empty.output == "\u{1b}[33m1\u{1b}[39m\n")
        let forced = await (try Workplace()).run(
            arguments,
            environment: ["FORCE_COLOR": "1", "NO_COLOR": "1"]
        )
        #expect(forced.output == "\u{1b}[33m1\u{1b}[39m\n" && forced.errorOutput == "\u{1b}[33m2\u{1b}[39m\n")
        let none = await (try Workplace()).run(
            arguments,
            outputColumns: 80,
            environment: ["FORCE_COLOR": "0"]
        )
        #expect(none.output == "1\n")
    }

    @Test("the language of Intl comes from LC_ALL, LC_CTYPE or LANG, whatever locales are installed")
    func locale() async throws {
        let names: [([String: String], String?)] = [
            (["LC_ALL": "de_DE.UTF-8", "LANG": "fr_FR"], "de_DE"), (["LANG": "pt_BR@euro"], "pt_BR"),
            (["LC_ALL": "", "LC_CTYPE": "sv", "LANG": "C"], "sv"), (["LANG": "zh-Hant-TW"], "zh_Hant_TW"),
            (["LC_ALL": "C.UTF-8", "LANG": "de_DE"], nil), (["LANG": "POSIX"], nil), ([:], nil),
            (["LANG": "../../etc"], nil), (["LANG": "de DE"], nil),
        ]
        for (environment, name) in names {
            #expect(DefaultLocale.name(in: environment) == name, "\(environment)")
        }
        let workplace = try Workplace()
        let path = try workplace.write(
            "console.log((1234.5).toLocaleString(), new Intl.NumberFormat().resolvedOptions().locale)",
            to: "x.js"
        )
        for (language, text) in [("de_DE.UTF-8", "1.234,5 de-DE"), ("C.UTF-8", "1,234.5 en-US")] {
            let process = try RunningProcess(
                RunningProcess.built("jsbridge"),
                ["run", path],
                in: workplace,
                environment: ["LC_ALL": language]
            )
            let ending = await process.end()
            #expect(ending.status == 0)
            #expect(ending.output == text + "\n")
        }
    }

    static let refused = [
        ["run", "-e"], ["-e"], ["run", "-e", "1", "--memory-limit", "4M"],
        ["run", "--memory-limit=12X", "x.js"],
        ["run", "--memory-limit=", "x.js"], ["run", "--memory-limit=99999999999999999999G", "x.js"],
        ["run", "-e", "1", "-e", "2"], ["run", "--memory-limit=-1", "x.js"],
    ]

    @Test("invalid code and sizes are rejected with 2", arguments: refused)
    func refusals(arguments: [String]) async throws {
        let result = await (try Workplace()).run(arguments)
        #expect(result.status == 2)
        #expect(result.errorOutput.hasPrefix("jsbridge: "))
    }

    @Test("-e runs code that may begin with a dash, and the arguments after it are the script's")
    func code() async throws {
        let code = """
            -1; bridge.registerHandler("main", ({ arguments: words }) => { console.log(words); return words.length; })
            """
        for arguments in [
            ["-e", code, "a", "--", "-b"], ["run", "--memory-limit", "1g", "-e", code, "a", "--", "-b"],
            ["run", "--eval=\(code)", "a", "--", "-b"],
        ] {
            let result = await (try Workplace()).run(arguments)
            #expect(result.output == "[ 'a', '-b' ]\n")
            #expect(result.status == 2)
        }
    }
}
