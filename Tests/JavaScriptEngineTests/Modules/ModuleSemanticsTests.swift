import BridgeValues
import JavaScriptEngine
import Testing

/// Modules as ECMA-262 describes them.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleSemanticsTests {
    @Test("a cycle of modules has live bindings")
    func cycle() throws {
        let modules = try ModuleTestContext([
            "main.js": """
            import K, { a, bump, seen } from './a.js'; import { aNow, aBump, b } from './b.js'; bump(); \
            aBump(); export default [a, aNow(), seen(), b, new K().hi()];
            """,
            "a.js": """
            import { b, setB } from './b.js'; export let a = 1; export function bump() { a++; } export \
            const seen = () => b; setB(7); export default class K { hi() { return 'hi' } }
            """,
            "b.js": """
            import * as A from './a.js'; export let b = 0; export function setB(v) { b = v } export \
            const aNow = () => A.a; export const aBump = () => A.bump();
            """,
        ])
        #expect(try modules.exports(of: "./main.js")["default"] == [3, 3, 7, 7, "hi"])
    }

    @Test("a top-level await delays those that import the module")
    func topLevelAwait() throws {
        let modules = try ModuleTestContext([
            "a.js": """
            const v = await new Promise(r => r(5)); export const w = await Promise.resolve(v * 2); \
            await null;
            """,
            "b.js": "import { w } from './a.js'; export const x = w + 1;",
            "c.js": "import { x } from './b.js'; await 0; export const y = x + 1;",
        ])
        #expect(try modules.exports(of: "./c.js") == ["y": 12])
    }

    @Test("siblings with a top-level await are evaluated at the same time, those that import them in order")
    func asyncOrder() throws {
        let modules = try ModuleTestContext([
            "main.js": """
            import './a.js'; import './b.js'; import './c.js'; order.push('main'); export default order;
            """,
            "a.js": "order.push('a1'); await 0; await 0; order.push('a2');",
            "b.js": "order.push('b1'); await 0; order.push('b2');",
            "c.js": "order.push('c');",
        ])
        try modules.context.evaluate("globalThis.order = []")
        #expect(try modules.exports(of: "./main.js")["default"] == ["a1", "b1", "c", "b2", "a2", "main"])
    }

    @Test("a second import of a module that awaits waits for it")
    func pendingImport() throws {
        let modules = try ModuleTestContext([
            "a.js": """
            export let v = 'early'; await 0; await 0; await 0; v = 'late';
            """
        ])
        let value = try modules.value(
            """
            (async () => { const first = import('./a.js'); await 0; await 0; await 0; await 0; const \
            second = await import('./a.js'); return [second.v, (await first) === second]; })()
            """
        )
        #expect(value == ["late", true])
    }

    @Test("a ring of modules with top-level await is evaluated once")
    func ring() throws {
        var sources: [String: String] = [:]
        for index in 0..<300 {
            sources["m\(index).js"] =
                """
                import { f as g } from './m\((index + 1) % 300).js'; export function f(k) { return k ? \
                g(k - 1) : \(index); } globalThis.count = (globalThis.count ?? 0) + 1; \
                \(index % 7 == 0 ? "await null;" : "")
                """
        }
        let modules = try ModuleTestContext(sources)
        #expect(try modules.value("import('./m0.js').then(m => [m.f(303), count])") == [3, 300])
    }

    @Test("a chain of 10,000 modules is imported")
    func chain() throws {
        var sources = ["m0.js": "export const v = 0;"]
        for index in 1..<10_000 {
            sources["m\(index).js"] = "import { v as w } from './m\(index - 1).js'; export const v = w + 1;"
        }
        let modules = try ModuleTestContext(sources)
        #expect(try modules.exports(of: "./m9999.js") == ["v": 9999])
    }

    @Test("export *, names, namespaces and default exports")
    func exports() throws {
        let modules = try ModuleTestContext([
            "a.js": "export const a = 1; export default 2;",
            "star.js": """
            export * from './a.js'; export * as B from './a.js'; export { a as aa, default } from \
            './a.js'; export { a as 'a name' } from './a.js'
            """,
        ])
        let value = try modules.value(
            """
            import('./star.js').then(ns => { 'use strict'; let refused = 0; try { ns.a = 4 } catch { \
            refused = 1 } return [Object.keys(ns).join(), ns[Symbol.toStringTag], refused, \
            ns.B.default, ns['a name']] })
            """
        )
        #expect(value == ["B,a,a name,aa,default", "Module", 1, 2, 1])
    }

    @Test(
        "errors of linking have the URL of the module",
        arguments: [
            ("import { nope } from './a.js';", "SyntaxError"),
            ("import { q } from './amb.js';", "SyntaxError"),
        ]
    )
    func linkErrors(source: String, name: String) throws {
        let modules = try ModuleTestContext([
            "main.js": source, "a.js": "export const a = 1", "q1.js": "export const q = 1",
            "q2.js": "export const q = 2",
            "amb.js": "export * from './q1.js'; export * from './q2.js'",
        ])
        for _ in 0..<2 {
            let error = try #require(try modules.error(of: "./main.js"))
            #expect(error.name == name)
            #expect(error.sourceURL == "app:///main.js")
            #expect(error.message.contains("app:///main.js"))
        }
    }

    @Test("a cycle that reads too early, and an assignment to an import, throw")
    func bindings() throws {
        let modules = try ModuleTestContext([
            "x.js": "import { y } from './y.js'; export const x = y;",
            "y.js": "import { x } from './x.js'; export const y = x;",
            "set.js": "import { a } from './a.js'; a = 5;", "a.js": "export let a = 1;",
        ])
        #expect(try modules.error(of: "./x.js")?.name == "ReferenceError")
        #expect(try modules.error(of: "./set.js")?.name == "TypeError")
    }

    @Test("an error of the evaluation is the same for each import, and does not fail the dependencies")
    func evaluationError() throws {
        let modules = try ModuleTestContext([
            "a.js": "import './b.js'; throw new RangeError('once');", "b.js": "export const b = 1;",
            "late.js": "await 1; throw new RangeError('late');",
            "uses.js": """
            import './late.js'; export const n = 1;
            """,
        ])
        let value = try modules.value(
            """
            (async () => { const errors = []; for (const n of ['./a.js', './a.js', './late.js', \
            './late.js', './uses.js']) await import(n).catch(e => errors.push(e)); return \
            [errors.length, errors[0] === errors[1], errors[2] === errors[3], errors[3] === errors[4], \
            (await import('./b.js')).b] })()
            """
        )
        #expect(value == [5, true, true, true, 1])
    }

    @Test("import() works in scripts, eval, functions, microtasks and modules, relative to each")
    func dynamicImport() throws {
        let modules = try ModuleTestContext([
            "dir/a.js": "export const load = () => import('./b.js'); export const url = import.meta.url;",
            "dir/b.js": "export const b = 'dir';", "b.js": "export const b = 'top';",
        ])
        let value = try modules.value(
            """
            (async () => [(await import('./b.js')).b, (await (0, eval)("import('./dir/b.js')")).b, \
            (await new Function("return import('/b.js')")()).b, (await Promise.resolve().then(() => \
            import('app:///b.js'))).b, (await (await import('./dir/a.js')).load()).b])()
            """
        )
        #expect(value == ["top", "dir", "top", "top", "dir"])
    }

    @Test("import.meta has the URL, resolve() and main")
    func meta() throws {
        let source = """
            export default [import.meta.url, import.meta.resolve('../x.js'), import.meta.main, \
            Object.getPrototypeOf(import.meta) === null];
            """
        let modules = try ModuleTestContext([
            "d/main.js": source + " import './d/other.js';", "d/d/other.js": source,
        ])
        #expect(
            try modules.exports(of: "./d/main.js")["default"] == [
                "app:///d/main.js", "app:///x.js", true, true,
            ]
        )
        #expect(
            try modules.exports(of: "./d/d/other.js")["default"] == [
                "app:///d/d/other.js", "app:///d/x.js", false, true,
            ]
        )
    }

    @Test("a source is evaluated as a module, which others import; a URL has one module")
    func source() throws {
        let modules = try ModuleTestContext([
            "a.js": """
            import { m } from 'app:///main.js'; export const f = () => m;
            """
        ])
        let context = modules.context
        let value = try modules.settled {
            try context.evaluateModule(
                """
                import { f } from './a.js'; export const m = await 5; export const n = f();
                """,
                url: "app:///main.js"
            )
        }
        #expect(try value.get() == ["m": 5, "n": 5])
        #expect(throws: JSException.self) { try context.evaluateModule("1", url: "app:///main.js") }
    }

    @Test("a module has a scope of its own, in strict mode")
    func scope() throws {
        let modules = try ModuleTestContext([
            "a.js": """
            var leaked = 1; export default [typeof this, globalThis.leaked === undefined, (function () \
            { return this === undefined })(), typeof require];
            """
        ])
        #expect(try modules.exports(of: "./a.js")["default"] == ["undefined", true, true, "undefined"])
    }
}
