import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// JSON, text, bytes and built-in modules, and import maps.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleTypeTests {
    private func context(_ script: String) throws -> ModuleTestContext {
        try ModuleTestContext { configuration in
            configuration.loader = StringModuleLoader(sources: [
                "app:///main.js": ModuleSource(script),
                "app:///d.json": ModuleSource("{\"n\":[1,2]}", type: .json),
                "app:///bad.json": ModuleSource("{nope", type: .json),
                "app:///t.txt": ModuleSource("café €", type: .text),
                "app:///b.bin": ModuleSource(bytes: [0, 255, 7], type: .bytes),
                "app:///a.js": ModuleSource("export const a = 1"),
            ])
        }
    }

    @Test(
        "static imports of JSON, text and bytes",
        arguments: [
            ("import v from './d.json' with { type: 'json' }; export default v.n[1]", 2),
            ("import v from './t.txt' with { type: 'text' }; export default v", "café €"),
            (
                """
                import v from './b.bin' with { type: "bytes" }; export default v instanceof Uint8Array && \
                [...v]
                """, [0, 255, 7]
            ),
            (
                """
                const s = "from './x' with { type: 'text' }"; /* './t.txt' with { type: 'text' } */ \
                import t from './t.txt' with { type: 'text' }; import b from './b.bin' with \
                {type:'bytes'}; import j from './d.json' with { type: 'json' }; export default [s, t, \
                b.length, j.n.length]
                """,
                ["from './x' with { type: 'text' }", "café €", 3, 2]
            ),
        ] as [(String, Value)]
    )
    func staticTypes(source: String, value: Value) throws {
        #expect(try context(source).exports(of: "./main.js")["default"] == value)
    }

    @Test("import() of JSON, text and bytes")
    func dynamicTypes() throws {
        let value = try context("").value(
            """
            (async () => [(await import('./d.json', { with: { type: 'json' } })).default.n[0], (await \
            import('./t.txt', { with: { type: 'text' } })).default, (await import('./b.bin', { with: { \
            type: 'bytes' } })).default[1]])()
            """
        )
        #expect(value == [1, "café €", 255])
    }

    @Test(
        "a type is checked on each import, and attributes that are not known are refused",
        arguments: [
            "import('./d.json')", "import('./a.js', { with: { type: 'json' } })",
            """
            import('./d.json', { with: { type: 'css' } })
            """,
            """
            import('./a.js', { with: { foo: 'x' } })
            """, "import('./a.js', 1)", "import('./a.js', { with: 1 })",
            "import('./a.js', { with: { type: 1 } })", "import('./main.js')",
        ]
    )
    func refused(script: String) throws {
        let modules = try context("import v from './d.json'")
        _ = try modules.value("import('./d.json', { with: { type: 'json' } }).then(() => 1)")
        #expect(try modules.value(script + ".then(() => 'imported', e => e instanceof Error)") == true)
    }

    @Test("invalid JSON and types of static imports that are not known have a URL")
    func invalid() throws {
        let json = try #require(
            try context("import v from './bad.json' with { type: 'json' };").error(of: "./main.js")
        )
        #expect(json.name == "SyntaxError")
        #expect(json.sourceURL == "app:///bad.json")
        let type = try #require(
            try context(
                """
                import v from './a.js' with { type: 'css' };
                """
            ).error(of: "./main.js")
        )
        #expect(type.sourceURL == "app:///main.js")
        #expect(type.message.contains("css"))
    }

    @Test("a built-in module exports the properties of an object")
    func builtIn() throws {
        let modules = try ModuleTestContext([
            "a.js": """
            import { add } from 'bridge:math'; import * as m from 'bridge:math'; export default [add(2, 3), \
            m['a name'], Object.keys(m).length];
            """
        ]) {
            $0.builtIns["bridge:math"] = { context, _ in
                try context.evaluate("({ add: (a, b) => a + b, 'a name': 1, default: 0 })")
            }
        }
        #expect(try modules.exports(of: "./a.js")["default"] == [5, 1, 3])
    }

    @Test("an import map maps names, folders and scopes, and refuses names")
    func importMap() throws {
        let json =
            #"{"imports":{"lib":"./lib.js","lib/":"./lib/","none":null,"__proto__":"./proto.js"},"scopes":{"app:///old/":{"lib":"./old/lib.js"}}}"#
        let modules = try ModuleTestContext([
            "lib.js": "export const v = 'new'", "old/lib.js": "export const v = 'old'",
            "lib/x.js": "export const v = 'x'",
            "proto.js": "export const v = 'proto'", "old/a.js": "export { v } from 'lib'",
        ]) {
            try? $0.resolver = URLModuleResolver(
                baseURL: "app:///",
                importMap: ImportMap(json: Data(json.utf8))
            )
        }
        let value = try modules.value(
            """
            (async () => { const out = []; for (const n of ['lib', 'lib/x.js', '__proto__', \
            './old/a.js']) out.push((await import(n)).v); for (const n of ['none', 'lib/../lib.js', \
            'other', 'toString']) out.push(await import(n).then(() => 0, () => 1)); return out })()
            """
        )
        #expect(value == ["new", "x", "proto", "old", 1, 1, 1, 1])
    }
}
