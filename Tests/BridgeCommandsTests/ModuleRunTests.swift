import BridgeViews
import Foundation
import JavaScriptEngine
import Testing

@testable import BridgeCommands

/// Scripts of `jsbridge run` that are ES modules.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleRunTests {
    private func makeWorkplace() throws -> Workplace {
        let workplace = try Workplace()
        try FileManager.default.createDirectory(
            atPath: workplace.file("lib"),
            withIntermediateDirectories: true
        )
        try workplace.write("export const add = (a, b) => a + b;", to: "lib/add.js")
        try workplace.write("{\"a\": 1}", to: "data.json")
        return workplace
    }

    @Test(
        "a script is a module by its name, by an option, or if it cannot be parsed otherwise",
        arguments: [
            ("a.mjs", "", "console.log(import.meta.main)", "true\n"),
            ("a.js", "--module", "console.log(this === undefined)", "true\n"),
            ("a.js", "", "import { add } from './lib/add.js'; console.log(add(1, 2))", "3\n"),
            ("a.js", "", "export const a = 1; console.log(a)", "1\n"),
            ("a.js", "", "console.log(await Promise.resolve('awaited'))", "awaited\n"),
            ("a.js", "", "import('./lib/add.js').then(({ add }) => console.log(add(3, 4)))", "7\n"),
            ("a", "--module", "import d from './data.json' with { type: 'json' }; console.log(d.a)", "1\n"),
        ]
    )
    func detection(name: String, option: String, script: String, output: String) async throws {
        let workplace = try makeWorkplace()
        let path = try workplace.write(script, to: name)
        let result = await workplace.run(["run"] + (option.isEmpty ? [] : [option]) + [path])
        #expect(result.output == output)
        #expect(result.errorOutput.isEmpty)
        #expect(result.status == 0)
    }

    @Test("the handler main is called after the module")
    func main() async throws {
        let script = """
            import { registerHandler } from "bridge:core";
            import { store } from "bridge:data";
            await null;
            registerHandler("main", ({ arguments: [text] }) => { console.log(text, store() === bridge.store()); return 3; });
            """
        let result = try await makeWorkplace().run(script: script, "argument", named: "a.mjs")
        #expect(result.output == "argument true\n")
        #expect(result.status == 3)
    }

    @Test(
        "errors have the place in the module",
        arguments: [
            ("let a = 1;\nlet b = ;", "a.mjs:2:9: SyntaxError: Unexpected token ';'"),
            ("await 1;\nthrow new Error('thrown')", "a.mjs:2:16: Error: thrown"),
            ("import './none.js'", "none.js\" not found (imported from "),
            (
                "await new Promise(() => {})",
                "jsbridge: a top-level 'await' never ends: no work is left that could settle its promise\n"
            ),
        ]
    )
    func errors(script: String, message: String) async throws {
        let result = try await makeWorkplace().run(script: script, named: "a.mjs")
        #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
        #expect(result.status == 1)
    }

    @Test("a syntax error of another script has the place in the script")
    func syntax() async throws {
        let script = "async function wait() { await 1 }\nlet b = ;"
        let workplace = try makeWorkplace()
        let result = try await workplace.run(script: script, named: "a.js")
        #expect(
            result.errorOutput.hasPrefix("\(workplace.file("a.js")):2:9: SyntaxError: Unexpected token ';'")
        )
    }

    @Test("a failed top-level await ends the run immediately, whatever work is left")
    func failedAwait() async throws {
        let script = "setInterval(() => {}, 1000); await null; throw new Error('over');"
        let result = try await makeWorkplace().run(script: script, named: "a.mjs")
        #expect(result.errorOutput.contains("Error: over"))
        #expect(result.status == 1)
    }

    @Test("R36 modules are below the folder of the script, of its package, or one that is given")
    func root() async throws {
        let workplace = try makeWorkplace()
        try FileManager.default.createDirectory(
            atPath: workplace.file("app"),
            withIntermediateDirectories: true
        )
        let path = try workplace.write(
            "import { add } from '../lib/add.js'; console.log(add(1, 1))",
            to: "app/a.mjs"
        )
        let outside = await workplace.run(["run", path])
        #expect(outside.errorOutput.contains("is outside the folder of modules"))
        #expect(outside.status == 1)
        let given = await workplace.run(["run", "--module-root", workplace.path, path])
        #expect(given.output == "2\n")
        try workplace.write("{}", to: "package.json")
        let package = await workplace.run(["run", path])
        #expect(package.output == "2\n")
    }

    @Test("an import map has the modules for names")
    func importMap() async throws {
        let workplace = try makeWorkplace()
        let path = try workplace.write("import { add } from 'math'; console.log(add(2, 2))", to: "a.mjs")
        let map = try workplace.write("{\"imports\": {\"math\": \"./add.js\"}}", to: "lib/map.json")
        let result = await workplace.run(["run", "--import-map", map, path])
        #expect(result.output == "4\n", "\(result.errorOutput)")
        let wrong = try workplace.write("[1]", to: "wrong.json")
        for (file, reason) in [(wrong, "is not an object"), ("/none.json", "there is no such file")] {
            let result = await workplace.run(["run", "--import-map", file, path])
            #expect(result.errorOutput.contains(reason))
            #expect(result.status == ExitStatus.noInput)
        }
    }

    @Test("a constrained module imports modules and reads no files")
    func constrained() async throws {
        let workplace = try makeWorkplace()
        let good = try workplace.write(
            "import { add } from './lib/add.js'; console.log(add(1, 1))",
            to: "a.mjs"
        )
        let result = await workplace.run(["run", "--tier", "constrained", good])
        #expect(result.output == "2\n", "\(result.errorOutput)")
        let bad = try workplace.write("import d from './data.json' with { type: 'json' }", to: "b.mjs")
        let refused = await workplace.run(["run", "--tier", "constrained", bad])
        #expect(refused.errorOutput.contains("files are not data for this script"))
        #expect(refused.status == 1)
    }

    @Test("a module is not recorded: options that contradict are refused")
    func record() async throws {
        let workplace = try makeWorkplace()
        let path = try workplace.write("export {}", to: "a.mjs")
        let result = await workplace.run(["run", "--record", workplace.file("journal"), path])
        #expect(result.errorOutput.contains("'--record' takes a script, not a module"))
        #expect(result.status == 2)
        let page = try workplace.write("<p>", to: "a.html")
        let pageResult = await workplace.run(["run", "--module", page])
        #expect(pageResult.errorOutput.contains("'--module' takes a script, not a page"))
    }

    @Test("a view of a script is created by a module", arguments: ["view.mjs", "view.js"])
    func view(name: String) async throws {
        let workplace = try makeWorkplace()
        let path = try workplace.write(
            """
            import { collectionView } from "bridge:views";
            import { add } from "./lib/add.js";
            collectionView({ name: "sums", source: [[1, 2]], cell: ([a, b]) => ({ text: add(a, b) }) });
            """,
            to: name
        )
        let program = try ScriptViewProgram(path: path, storePath: nil, unit: .pixel, viewChanged: {})
        defer { _ = program.close() }
        #expect(try await program.load(view: nil) == "sums")
    }

    @Test("packages of node_modules are found by their exports, and CommonJS files are loaded")
    func packages() async throws {
        let workplace = try makeWorkplace()
        for (name, text) in [
            ("node_modules/modern/package.json", "{\"type\": \"module\", \"exports\": \"./in.js\"}"),
            ("node_modules/modern/in.js", "export const kind = 'module';"),
            ("node_modules/old/package.json", "{\"main\": \"./lib.js\"}"),
            ("node_modules/old/lib.js", "exports.kind = require('./kind.cjs');"),
            ("node_modules/old/kind.cjs", "module.exports = 'CommonJS';"),
        ] {
            let folder = URL(fileURLWithPath: workplace.file(name)).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try workplace.write(text, to: name)
        }
        let script = "import { kind } from 'modern'; import old from 'old'; console.log(kind, old.kind)"
        let result = try await workplace.run(script: script, named: "a.mjs")
        #expect(result.output == "module CommonJS\n", "\(result.errorOutput)")
        #expect(result.status == 0)
    }
}

/// Scripts of `jsbridge run` in TypeScript.
@Suite(
    .enabled(
        if: Capabilities.current.modules.isAvailable
            && FileManager.default.fileExists(atPath: TypeScriptTranspiler.debianCompiler)
    )
)
struct TypeScriptRunTests {
    @Test("a TypeScript file runs with its imports and its handler main")
    func run() async throws {
        let workplace = try Workplace()
        try workplace.write("export const twice = (n: number): number => 2 * n;", to: "twice.ts")
        let script = """
            import { registerHandler } from "bridge:core";
            import { twice } from "./twice.js";
            interface Input { arguments: string[] }
            registerHandler("main", ({ arguments: [text] }: Input) => { console.log(twice(Number(text)), import.meta.main); });
            """
        let result = try await workplace.run(script: script, "21", named: "a.ts")
        #expect(result.output == "42 true\n")
        #expect(result.errorOutput.isEmpty)
        #expect(result.status == 0)
    }

    @Test("an error of syntax has its position, and nothing has run")
    func syntax() async throws {
        let result = try await Workplace().run(script: "console.log(1);\nlet a: = 1;\n", named: "a.ts")
        #expect(result.output.isEmpty)
        #expect(result.errorOutput.contains("a.ts:2:8: error TS1110: Type expected.\n"))
        #expect(result.errorOutput.contains("> 2 | let a: = 1;"))
        #expect(result.status == 1)
    }

    @Test("a record of TypeScript is refused")
    func record() async throws {
        let workplace = try Workplace()
        let path = try workplace.write("1", to: "a.ts")
        let result = await workplace.run(["run", "--record", workplace.file("journal"), path])
        #expect(result.errorOutput.contains("--record"))
        #expect(result.status != 0)
        #expect(!workplace.exists("journal"))
    }
}
