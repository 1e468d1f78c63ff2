import BridgeValues
import JavaScriptEngine
import Testing

/// Reloads of modules: graphs, errors and roll-backs.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleReloadTests {
    /// Returns a module that counts its evaluations in `runs`, by its name.
    private static func counting(_ name: String, _ rest: String = "") -> String {
        "globalThis.runs ??= {}; runs.\(name) = (runs.\(name) ?? 0) + 1; \(rest)"
    }

    @Test("a changed module of a diamond reloads with its dependants, each once; others keep their state")
    func diamond() throws {
        let modules = try EditableModules([
            "main.js": Self.counting("main", "import './left.js'; import './right.js'; import './alone.js';"),
            "left.js": Self.counting("left", "import { v } from './base.js'; globalThis.left = v;"),
            "right.js": Self.counting("right", "import { v } from './base.js'; globalThis.right = v;"),
            "alone.js": Self.counting("alone", "export const token = globalThis.token = {};"),
            "base.js": Self.counting("base", "export const v = 1;"),
        ])
        try modules.run()
        _ = modules.takeLoads()
        try modules.context.evaluate("globalThis.first = token")
        let replaced = try modules.edit("base.js", Self.counting("base", "export const v = 2;"))
        #expect(replaced == ["base.js", "left.js", "main.js", "right.js"])
        #expect(modules.takeLoads().sorted() == replaced)
        #expect(try modules.value("runs") == ["main": 2, "left": 2, "right": 2, "base": 2, "alone": 1])
        #expect(try modules.value("[left, right, first === token]") == [2, 2, true])
        #expect(try modules.edit("alone.js", Self.counting("alone")) == ["alone.js", "main.js"])
        #expect(try modules.value("runs") == ["main": 3, "left": 2, "right": 2, "base": 2, "alone": 2])
    }

    @Test("a cycle reloads as a whole, and a deep chain to its end")
    func shapes() throws {
        var sources = [
            "main.js":
                "import { f } from './a.js'; import { end } from './c0.js'; globalThis.r = [f(), end];",
            "a.js": "import { g } from './b.js'; export const f = () => 'a' + g();",
            "b.js": "import { f } from './a.js'; export const g = () => 'b' + typeof f;",
            "c499.js": "export const end = 1;",
        ]
        for index in 0..<499 { sources["c\(index).js"] = "export { end } from './c\(index + 1).js';" }
        let modules = try EditableModules(sources)
        try modules.run()
        #expect(
            try modules.edit("b.js", "import { f } from './a.js'; export const g = () => 'B' + typeof f;")
                == ["a.js", "b.js", "main.js"]
        )
        #expect(try modules.value("r") == ["aBfunction", 1])
        #expect(try modules.edit("c499.js", "export const end = 2;").count == 501)
        #expect(try modules.value("r") == ["aBfunction", 2])
    }

    @Test("of 1,000 modules with three imports each, those that a change reaches reload")
    func thousand() throws {
        func text(_ index: Int, _ value: Int = 1) -> String {
            let imports = [2 * index + 1, 2 * index + 2, 999].filter { $0 > index && $0 < 1_000 }.enumerated()
                .map {
                    "import { v as v\($0) } from './m\($1).js';"
                }
            let sum = (0..<imports.count).map { " + v\($0)" }.joined()
            return imports.joined()
                + "export const v = \(value) - 1\(sum); globalThis.runs = (globalThis.runs ?? 0) + 1;"
        }
        var sources = [
            "main.js": "import { v } from './m0.js'; import './alone.js'; globalThis.v = v;", "alone.js": "",
        ]
        for index in 0..<1_000 { sources["m\(index).js"] = text(index) }
        let modules = try EditableModules(sources)
        try modules.run()
        #expect(try modules.value("[runs, v]") == [1_000, 0])
        #expect(try modules.edit("m999.js", text(999, 2)).count == 1_001)
        #expect(try modules.value("[runs, v > 0]") == [2_000, true])
        #expect(try modules.edit("alone.js", "") == ["alone.js", "main.js"])
        #expect(try modules.value("runs") == 2_000)
    }

    @Test("unknown modules are ignored, and a change reaches import(), require and JSON")
    func kinds() throws {
        let modules = try EditableModules([
            "main.js": """
            import data from './data.json' with { type: 'json' }; import { required } from './old.cjs';
            globalThis.r = [data.v, required]; export const later = await import('./later.js');
            """,
            "later.js": "export const v = 1;", "data.json": "{\"v\": 1}",
            "old.cjs": "exports.required = require('./part.cjs').v;", "part.cjs": "exports.v = 1;",
        ])
        try modules.run()
        #expect(try modules.reload("none.js") == [])
        #expect(try modules.edit("data.json", "{\"v\": 2}") == ["data.json", "main.js"])
        #expect(try modules.edit("part.cjs", "exports.v = 3;") == ["main.js", "old.cjs", "part.cjs"])
        #expect(try modules.value("r") == [2, 3])
        #expect(try modules.edit("later.js", "export const v = 4;") == ["later.js", "main.js"])
        #expect(try modules.run()["later"]["v"] == 4)
        #expect(try modules.failure("data.json", "{") != nil)
        #expect(try modules.failure("part.cjs", "throw new Error('part')")?.message == "part")
        modules.write("{\"v\": 5}", to: "data.json")
        #expect(try modules.edit("part.cjs", "exports.v = 6;").contains("data.json"))
        #expect(try modules.value("r") == [5, 6])
    }

    @Test(
        "a version that fails leaves the old one, and its change is part of the next reload",
        arguments: [
            ("export const v = ;", "SyntaxError", 1, 18), ("export const w = 1;", "SyntaxError", nil, nil),
            ("export const v = 2;\n  throw new RangeError('no');", "RangeError", 2, 23),
            ("import './none.js'; export const v = 2;", "Error", nil, nil),
            ("import { x } from './main.js'; export const v = x;", "ReferenceError", 1, 50),
            ("export const v = 2; await null; throw new TypeError('late');", "TypeError", 1, 52),
            ("export const v = 2; await Promise.reject(new TypeError('late'));", "TypeError", 1, 55),
            (nil, "Error", nil, nil),
        ] as [(String?, String, Int?, Int?)]
    )
    func failures(text: String?, name: String, line: Int?, column: Int?) throws {
        let modules = try EditableModules([
            "main.js": """
            import { v } from './a.js'; import './other.js'; export const x = v; globalThis.r = v; export const id = {};
            """,
            "a.js": "export const v = 1;", "other.js": "",
        ])
        try modules.run()
        try modules.context.evaluate("globalThis.before = []; import('./main.js').then(m => before.push(m))")
        let error = try modules.failure("a.js", text)
        #expect(error?.name == name)
        if let line {
            #expect((error?.sourceURL, error?.line, error?.column) == ("app:///a.js", line, column))
        }
        try modules.context.evaluate("import('./main.js').then(m => before.push(m))")
        #expect(try modules.value("[r, before[0] === before[1]]") == [1, true])
        // Of another module: the failed change is tried again.
        #expect(throws: JSException.self) { try modules.edit("other.js", "globalThis.other = 1;") }
        #expect(try modules.edit("a.js", "export const v = 3;") == ["a.js", "main.js", "other.js"])
        #expect(try modules.value("[r, other]") == [3, 1])
    }

    @Test("a first version that fails is loaded again")
    func firstVersion() throws {
        for text in ["let = ;", "throw new Error('first')", "import './none.js'", nil] {
            let modules = try EditableModules(["main.js": "import './a.js'; globalThis.r = 1;"])
            modules.write(text, to: "a.js")
            #expect(try modules.error(of: "main.js") != nil)
            #expect(try modules.edit("a.js", "").contains("main.js"))
            #expect(try modules.value("r") == 1)
        }
        let modules = try EditableModules([:])
        #expect(try modules.error(of: "main.js") != nil)
        #expect(try modules.edit("main.js", "globalThis.r = 2;") == ["main.js"])
        #expect(try modules.value("r") == 2)
    }

    @Test("a module is deleted and created again")
    func deletion() throws {
        let modules = try EditableModules([
            "main.js": "import { v } from './a.js'; globalThis.r = v;", "a.js": "export const v = 1;",
        ])
        try modules.run()
        let error = try modules.failure("a.js", nil)
        #expect(error?.message == "module \"app:///a.js\" not found (imported from \"app:///main.js\")")
        #expect(try modules.value("r") == 1)
        #expect(try modules.edit("a.js", "export const v = 2;") == ["a.js", "main.js"])
        #expect(try modules.value("r") == 2)
    }

    @Test("a pending new version is replaced by the next one, and a pending old one ends")
    func pending() throws {
        let modules = try EditableModules([
            "main.js": "import { v } from './a.js'; globalThis.r = v; export { v };",
            "a.js": "await new Promise(r => globalThis.go = r); export const v = 1; globalThis.late = 1;",
        ])
        try modules.context.evaluate(
            "globalThis.seen = []; import('./main.js').then(m => seen.push(m.v), e => seen.push(e.message))"
        )
        #expect(try modules.value("seen") == [])
        // The old version is pending: its import gets the new one.
        #expect(try modules.edit("a.js", "export const v = 2;") == ["a.js", "main.js"])
        #expect(try modules.value("[r, seen]") == [2, [2]])
        try modules.context.evaluate("go()")
        #expect(try modules.value("[r, seen, late]") == [2, [2], 1])
        // The new version is pending, until another replaces it.
        modules.write("await new Promise(r => globalThis.go = r); export const v = 3;", to: "a.js")
        try modules.context.withTurn {
            let first = try modules.context.reloadModules(["app:///a.js"])
            try first.then(nil) { error in
                try error.context.setValue(error, forProperty: "failed")
                return nil
            }
        }
        #expect(try modules.value("[r, typeof failed]") == [2, "undefined"])
        try modules.context.evaluate("import('./main.js').then(m => seen.push(m.v))")
        #expect(try modules.value("seen") == [2, 3] || modules.value("seen") == [2])
        #expect(try modules.edit("a.js", "export const v = 4;") == ["a.js", "main.js"])
        #expect(try modules.value("failed.message") == "a later reload has replaced this one")
        try modules.context.evaluate("go()")
        #expect(try modules.value("r") == 4)
    }

    @Test("a new version that a time limit ends is never imported half-run")
    func limit() throws {
        var limits = ExecutionLimits.trusted
        limits.processorTime = .milliseconds(50)
        let modules = try EditableModules(
            ["main.js": "import { v } from './a.js'; globalThis.r = v;", "a.js": "export const v = 1;"],
            machine: JSVirtualMachine(limits: limits)
        )
        try modules.run()
        modules.write("export const v = 2; for (;;);", to: "a.js")
        #expect(throws: JSException.self) { try modules.reload("a.js") }
        #expect(try modules.run("a.js")["v"] == 1)
        #expect(try modules.edit("a.js", "export const v = 3;") == ["a.js", "main.js"])
        #expect(try modules.value("r") == 3)
    }

    @Test("import.meta.main remains, and contexts that are not reloadable have no import.meta.hot")
    func plain() throws {
        let modules = try EditableModules([
            "main.js": "export const m = import.meta.main, h = typeof import.meta.hot;"
        ])
        #expect(try modules.run() == ["m": true, "h": "object"])
        try modules.reload("main.js")
        #expect(try modules.run() == ["m": true, "h": "object"])
        let others = try ModuleTestContext(["main.js": "export const h = 'hot' in import.meta;"])
        #expect(try others.exports(of: "./main.js") == ["h": false])
        let error = #expect(throws: ModuleError.self) { try others.context.reloadModules([]) }
        #expect(error?.description == "the context's modules cannot be reloaded: set isReloadable first")
    }

    @Test("an error of an old version has the old text, and one of a new version the new text")
    func texts() throws {
        let modules = try EditableModules([
            "main.js": "import './a.js';",
            "a.js": "let pad;\nglobalThis.fail1 = () => { throw new Error('one'); };",
        ])
        try modules.run()
        try modules.edit("a.js", "globalThis.fail2 = () => { throw new Error('two'); };\nlet other;")
        for (number, line, text) in [(1, 2, "Error('one')"), (2, 1, "Error('two')")] {
            let error = try #require(throws: JSException.self) { try modules.value("fail\(number)()") }
            #expect(error.sourceURL == "app:///a.js" && error.line == line)
            #expect(error.codeFrame?.contains("> \(line) | globalThis.fail\(number)") == true, "\(error)")
            #expect(error.codeFrame?.contains(text) == true)
            #expect(error.frames.first?.sourceURL == "app:///a.js")
        }
        #expect(
            try modules.value("try { fail2() } catch (error) { error.stack.includes('app:///a.js;2:1:') }")
                == true
        )
        // Errors of parsing, linking and loading.
        let syntax = try #require(try modules.failure("a.js", "let x;\nlet = ;"))
        #expect(syntax.sourceURL == "app:///a.js" && syntax.line == 2)
        #expect(syntax.codeFrame?.contains("> 2 | let = ;") == true)
        try modules.edit("a.js", "export {};")
        let link = try #require(try modules.failure("main.js", "let y;\nimport { none } from './a.js';"))
        #expect(link.sourceURL == "app:///main.js" && link.line == 2 && link.column == 10)
        #expect(link.codeFrame?.contains("> 2 | import { none }") == true)
        let missing = try #require(try modules.failure("main.js", "let y, z;\nimport './none.js';"))
        #expect(missing.sourceURL == "app:///main.js" && missing.line == 2 && missing.column == 8)
        #expect(missing.codeFrame?.contains("> 2 | import './none.js'") == true)
        #expect(missing.frames.allSatisfy { $0.function != "Promise" })
    }

    @Test("a version that waits for a top-level await says so before it ends")
    func whenWaiting() async throws {
        let loader = StringModuleLoader([
            "app:///main.js": "globalThis.n = (globalThis.n ?? 0) + 1; await globalThis.promise;"
        ])
        let runtime = try JavaScriptRuntime()
        try await runtime.withContext { context in
            var configuration = ModuleConfiguration(
                loader: loader,
                resolver: URLModuleResolver(baseURL: "app:///")
            )
            configuration.isReloadable = true
            context.moduleConfiguration = configuration
        }
        try await runtime.awaitPromise(from: { try $0.importModule("./main.js").value }, reading: { _ in })
        _ = try await runtime.evaluate(
            "globalThis.promise = new Promise(resolve => { globalThis.finish = resolve; }); 0"
        )
        let (waits, continuation) = AsyncStream<Void>.makeStream()
        let reload = Task {
            try await runtime.reloadModules(["app:///main.js"], whenWaiting: { continuation.yield() })
        }
        for await _ in waits { break }
        _ = try await runtime.evaluate("finish(); 0")
        #expect(try await reload.value == ["app:///main.js"])
        #expect(try await runtime.evaluate("n") == 2)
    }
}
