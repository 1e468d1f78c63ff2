import BridgeValues
import Foundation
import JavaScriptEngine
import Synchronization
import TestSupport
import Testing

/// Modules that are written to exhaust the engine, and loaders that misbehave.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleAttackTests {
    @Test("R12 a getter for 'then' on Object.prototype never gets the engine's loader")
    func thenGetter() throws {
        let modules = try ModuleTestContext(["a.js": "export const a = 1"])
        try modules.context.evaluate(
            """
            var seen = []; Object.defineProperty(Object.prototype, 'then', { get() { seen[seen.length] = \
            this; return undefined }, configurable: true }); 0
            """
        )
        _ = try modules.exports(of: "./a.js")
        let count = try modules.context.evaluate(
            "seen.filter(v => 'requestFetch' in v || 'dependenciesMap' in v || 'cycleRoot' in v).length"
        )
        #expect(try count.toValue() == 0)
    }

    @Test("import() at the end of the stack is rejected or works, and later imports work")
    func stackEnd() throws {
        let modules = try ModuleTestContext(["a.js": "export const a = 1"])
        try modules.context.evaluate(
            """
            var settled = 0, depth = 0; function f() { depth++; import('./a.js').then(() => settled++, () => \
            settled++); f() } try { f() } catch {} 0
            """
        )
        #expect(try modules.context.evaluate("settled > 10 && depth > 100").toValue() == true)
        #expect(try modules.exports(of: "./a.js") == ["a": 1])
        try modules.context.evaluate(
            """
            var level = 0; const options = { get with() { level++; import('./a.js', options).catch(() => {}); \
            return undefined } }; import('./a.js', options).catch(() => {}); 0
            """
        )
        #expect(try modules.exports(of: "./a.js") == ["a": 1])
    }

    @Test("R36 100,000 imports of one module, and a module with 100,000 imports")
    func many() throws {
        let modules = try ModuleTestContext([
            "a.js": "export const a = 1",
            "same.js": String(repeating: "import './a.js';\n", count: 100_000),
            "other.js": (0..<100_000).map { "import './n\($0).js';" }.joined(separator: "\n"),
        ])
        #expect(
            try modules.value(
                """
                (async () => { let n = 0; const all = []; for (let i = 0; i < 100000; i++) \
                all.push(import('./a.js').then(a => { n += a.a })); await Promise.all(all); return n })()
                """
            ) == 100_000
        )
        #expect(try modules.error(of: "./same.js") == nil)
        #expect(try modules.error(of: "./other.js")?.message.contains("not found") == true)
    }

    /// Sources by their description, because the arguments of a test are printed.
    private static let nestedSources = [
        "parentheses": String(repeating: "(", count: 1_000_000),
        "brackets": String(repeating: "[", count: 1_000_000),
        "braces": String(repeating: "{", count: 1_000_000),
        "prefixes": "let a = " + String(repeating: "-~", count: 500_000) + "1",
        "operators": "let a = 1" + String(repeating: "+1", count: 200_000),
        "arrows": String(repeating: "a=>", count: 200_000) + "1",
        "templates": "let a = `" + String(repeating: "${`", count: 200_000),
        "statements": String(repeating: "if(1)", count: 300_000) + ";",
        "quotation marks": "export const t = 'text'; " + String(repeating: "'", count: 200_000),
        "types": String(repeating: "'' with{type:'text'", count: 100_000),
    ]

    @Test(
        "R36 sources of extreme nesting are errors or work, and the context stays usable",
        arguments: nestedSources.keys.sorted().filter {
            $0 != "brackets" || !EngineDefect.bracketNesting.isThere
        }
    )
    func nesting(name: String) throws {
        let source = try #require(Self.nestedSources[name])
        let modules = try ModuleTestContext(["a.js": source, "b.js": "export const b = 1"])
        _ = try modules.error(of: "./a.js")
        #expect(try modules.exports(of: "./b.js") == ["b": 1])
    }

    @Test("deeply nested JSON, and JSON with the key __proto__")
    func json() throws {
        let deep = String(repeating: "[", count: 1_000_000) + String(repeating: "]", count: 1_000_000)
        let modules = try ModuleTestContext(
            json: ["deep.json": deep, "proto.json": "{\"__proto__\":{\"p\":1},\"constructor\":2}"]
        )
        _ = try? modules.value("import('./deep.json', { with: { type: 'json' } }).then(() => 1, () => 2)")
        #expect(
            try modules.value(
                """
                import('./proto.json', { with: { type: 'json' } }).then(({ default: d }) => [d.p === undefined, \
                Object.hasOwn(d, '__proto__'), ({}).p === undefined, d.constructor])
                """
            ) == [true, true, true, 2]
        )
    }

    @Test("chains of re-exports as long as the number of modules allows")
    func reexports() throws {
        var sources = ["s0.js": "export const x = 1", "r0.js": "export const x = 1"]
        for index in 1..<3_000 {
            sources["s\(index).js"] = "export * from './s\(index - 1).js'"
            sources["r\(index).js"] = "export { x } from './r\(index - 1).js'"
        }
        let modules = try ModuleTestContext(sources)
        #expect(try modules.exports(of: "./s2999.js") == ["x": 1])
        #expect(try modules.exports(of: "./r2999.js") == ["x": 1])
        // A ring of stars, which has no name.
        let ring = try ModuleTestContext([
            "a.js": "export * from './b.js'", "b.js": "export * from './a.js'; export const b = 2",
            "c.js": "import { none } from './a.js'",
        ])
        #expect(try ring.exports(of: "./a.js") == ["b": 2])
        #expect(try ring.error(of: "./c.js")?.name == "SyntaxError")
    }

    @Test(
        "import() in every place that runs code is answered",
        arguments: [
            "Promise.resolve(Reflect.apply(() => import('./a.js'), null, []))",
            "new Promise(r => r(new Proxy({}, { get() { return import('./a.js') } }).x))",
            "(async () => { for await (const a of (async function* () { yield import('./a.js') })()) return a })()",
            "(async () => { const f = [1].map(() => import('./a.js')); return f[0] })()",
            "(async () => { class A { static p = import('./a.js') } return A.p })()",
            "(async () => { const o = { toString() { return './a.js' } }; return import(o) })()",
            "(async () => { const f = (a = import('./a.js')) => a; return f() })()",
            "(async () => (0, eval)('var q = import(\"./a.js\"); q'))()",
            "(async () => { try { throw 1 } catch { return import('./a.js') } finally { await import('./a.js') } })()",
            "(async () => JSON.parse('[1]', () => import('./a.js')))()",
            "(async () => 'x'.replace(/x/, () => { globalThis.r = import('./a.js'); return '' }) || globalThis.r)()",
        ]
    )
    func everywhere(script: String) throws {
        let modules = try ModuleTestContext(["a.js": "export const a = 1"])
        #expect(try modules.value("(\(script)).then(a => a.a)") == 1, "\(script)")
    }

    @Test(
        "import() of what is not a specifier is rejected",
        arguments: [
            "import(Symbol())", "import({ toString() { throw new TypeError('t') } })", "import(undefined)",
            "import('')", "import('\\u0000')", "import('data:text/javascript,1')", "import('blob:x')",
            "import('javascript:1')", "import('node:fs')", "import('file:')", "import('//')",
            "import('app:')",
            "import('./\\ud800.js')", "import('./a.js\\u0000')", "import('http://[')",
            "import('./' + '../'.repeat(2000))",
        ]
    )
    func specifiers(script: String) throws {
        let modules = try ModuleTestContext(["a.js": "export const a = 1"])
        #expect(
            try modules.value(script + ".then(() => 0, e => e instanceof Error ? 1 : 2)") == 1,
            "\(script)"
        )
    }

    @Test("R36 failing imports do not use up the number of modules")
    func failures() throws {
        let modules = try ModuleTestContext(["a.js": "export const a = 1"]) { $0.maximumModuleCount = 20 }
        for _ in 0..<30 { #expect(try modules.error(of: "./none.js") != nil) }
        #expect(try modules.exports(of: "./a.js") == ["a": 1])
    }

    @Test("a slash before a combining mark separates segments")
    func combiningMarks() throws {
        let resolver = URLModuleResolver(
            baseURL: "app:///in/",
            importMap: ImportMap(imports: ["lib/": "./lib/"])
        )
        #expect(
            try resolver.resolve("./x/../../\u{301}a.js", from: nil) == "app:///%CC%81a.js"
        )
        #expect(try resolver.resolve("./\u{301}a.js", from: nil) == "app:///in/%CC%81a.js")
        for name in ["lib/../\u{301}/x.js", "lib/%2e%2e/x.js", "lib/.%2E/x.js", "lib/a/../../x.js"] {
            #expect(throws: ModuleError.self, "\(name)") { try resolver.resolve(name, from: nil) }
        }
        #expect(try resolver.resolve("lib/a/../x.js", from: nil) == "app:///in/lib/x.js")
    }
}
