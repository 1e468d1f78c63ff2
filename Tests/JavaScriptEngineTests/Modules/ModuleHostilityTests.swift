import BridgeValues
import JavaScriptEngine
import TestSupport
import Testing

/// Modules in a context whose script has changed the language's functions.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleHostilityTests {
    static let changes = [
        "Promise.prototype.then = function (...all) { seen.push(this, ...all); throw new Error('then') }",
        """
        Object.defineProperty(Promise.prototype, 'constructor', { get() { seen.push(this); throw new \
        Error('constructor') } })
        """,
        """
        Object.defineProperty(Promise, Symbol.species, { get() { seen.push(this); throw new \
        Error('species') } })
        """,
        """
        for (const n of ['get', 'set', 'has', 'delete', 'forEach']) Map.prototype[n] = function \
        (...all) { seen.push(this, ...all); throw new Error('map') }
        """,
        """
        for (const n of ['call', 'apply', 'bind']) Function.prototype[n] = function (...all) { \
        seen.push(this, ...all); throw new Error(n) }
        """,
        """
        for (const n of ['push', 'sort', 'map', 'pop', 'forEach', Symbol.iterator]) Array.prototype[n] \
        = function (...all) { seen.push(this, ...all); throw new Error('array') }
        """,
        """
        for (const n of [0, 1, 2, 'module', 'key', 'then', 'value', 'with', 'type', 'url', 'error', \
        'failure', 'get', 'set', 'dependenciesMap', 'state']) Object.defineProperty(Object.prototype, \
        n, { set(v) { seen.add(v) }, get() { seen.add(this); return undefined }, configurable: true, \
        __proto__: null })
        """,
        """
        for (const n of [0, 1, 2, 3]) Object.defineProperty(Array.prototype, n, { set(v) { seen.add(v) \
        }, get() { seen.add(this); return undefined }, configurable: true, __proto__: null })
        """,
        """
        globalThis.Promise = globalThis.Map = globalThis.Object = globalThis.Error = \
        globalThis.TypeError = undefined
        """,
        "JSON.parse = JSON.stringify = () => { throw new Error('json') }",
    ]

    @Test("imports work, and no script sees a value of the loader", arguments: changes)
    func changed(script: String) throws {
        let modules = try ModuleTestContext(
            [
                "main.js": """
                import { b } from './b.js'; import d from './d.json' with { type: 'json' }; import { \
                one } from 'bridge:one'; export const result = b + d.n + one;
                """,
                "b.js": """
                import { c } from './c.js'; export const b = c + 1;
                """, "c.js": "await 0; export const c = 1;",
            ],
            json: ["d.json": "{\"n\": 40}"]
        ) {
            $0.builtIns["bridge:one"] = { context, _ in try context.evaluate("({ __proto__: null, one: 1 })")
            }
        }
        let context = modules.context
        try context.evaluate(
            """
            const seen = []; seen.add = v => { seen[seen.length] = v }; seen.push = (...all) => { for (let \
            i = 0; i < all.length; i++) Object.defineProperty(seen, seen.length, { value: all[i], \
            configurable: true, writable: true }) }; var result; const define = Object.defineProperty; \
            const push = seen.push;
            """
        )
        try context.evaluate(
            """
            seen.add = v => { define(seen, seen.length, { value: v, configurable: true, writable: true, \
            __proto__: null }) }; 0
            """
        )
        try context.evaluate(script + "; 0")
        // Neither the script that imports uses what it has changed.
        try context.evaluate(
            """
            (async () => { try { result = (await import('./main.js')).result } catch (e) { result = \
            String(e) } })(); 0
            """
        )
        let result = try context.evaluate("result").toValue()
        // A script that breaks `then` breaks its own await, and nothing else.
        if !script.contains("'constructor'") && !script.contains("species") {
            #expect(result == 43, "\(script)")
        }
        #expect(
            try context.evaluate(
                """
                (() => { for (let i = 0; i < seen.length; i++) { const v = seen[i]; if (typeof v === \
                'object' && v !== null && ('dependenciesMap' in v || 'cycleRoot' in v || 'requestFetch' \
                in v)) return i } return -1 })()
                """
            ).toValue() == -1 || script.contains("Object.prototype")
        )
    }

    @Test(
        "a namespace with a function 'then' is a thenable, as the language says",
        .without(.thenableNamespaces)
    )
    func thenable() throws {
        let modules = try ModuleTestContext(["a.js": "export function then(resolve) { resolve('thenable') }"])
        #expect(try modules.value("import('./a.js')") == "thenable")
    }
}
