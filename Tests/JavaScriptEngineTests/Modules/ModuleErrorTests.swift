import BridgeValues
import JavaScriptEngine
import Testing

/// The positions of errors in modules.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleErrorTests {
    @Test("a syntax error has URL, line and column")
    func syntax() throws {
        let modules = try ModuleTestContext([
            "a.js": "import './b.js';",
            "b.js": """
            export const ok = 1;\nlet x = ;\n
            """,
        ])
        let error = try #require(try modules.error(of: "./a.js"))
        #expect(error.name == "SyntaxError")
        #expect(error.sourceURL == "app:///b.js")
        #expect(error.line == 2)
        if Capabilities.current.knowsPromiseStates { #expect(error.column == 9) }
        #expect(error.codeFrame?.contains("let x = ;") == true)
    }

    @Test("errors of modules with a query or a fragment have their URL and the lines around the position")
    func queries() throws {
        func text(_ name: String) -> ModuleSource {
            ModuleSource("let x;\n\nglobalThis.fail = () => { throw Error('\(name)'); };")
        }
        var common = text("cjs")
        common.format = .commonJS
        let sources = [
            "a.js": text("plain"), "a.js?v=1": text("v1"), "a.js?v=2#x": text("v2"),
            "b.js?": ModuleSource("\nlet = ;"), "c.cjs?v=1": common,
        ]
        let modules = try ModuleTestContext {
            $0.loader = StringModuleLoader(
                sources: Dictionary(uniqueKeysWithValues: sources.map { ("app:///" + $0, $1) })
            )
        }
        for (name, line) in [("a.js", 3), ("a.js?v=1", 3), ("a.js?v=2#x", 3), ("c.cjs?v=1", 3)] {
            let error = try #require(throws: JSException.self) {
                _ = try modules.exports(of: "./" + name)
                try modules.context.evaluate("fail()")
            }
            #expect(error.sourceURL == "app:///" + name && error.line == line, "\(error)")
            #expect(error.codeFrame?.contains("Error('\(error.message)')") == true, "\(error)")
        }
        let syntax = try #require(try modules.error(of: "./b.js?"))
        #expect(syntax.sourceURL == "app:///b.js?" && syntax.line == 2, "\(syntax)")
        #expect(syntax.codeFrame?.contains("> 2 | let = ;") == true)
    }

    @Test(
        "an error of linking has URL, line and column",
        .enabled(if: Capabilities.current.knowsPromiseStates),
        arguments: [
            ("// nope\nimport { b,\n  nope as c } from './b.js'; const nope = 'import { nope }'", 3, 3),
            ("export * from './b.js';\nexport { nope } from './b.js'", 2, 10),
            ("export { nope as x } from './b.js'", 1, 18),
            ("import * as n from './b.js';\n\n  import x from './q.js'; import('./b.js')", 3, 10),
            ("import { default as x } from './q.js'", 1, 10),
            ("const s = `import { q }`; import { q, } from './amb.js'; /* import { q } */", 1, 36),
            ("import { 'a name' as x } from './b.js'", 1, 10),
            ("import { nope } from './b.js'; import { nope as y } from './b.js'", nil, nil),
        ] as [(String, Int?, Int?)]
    )
    func linking(source: String, line: Int?, column: Int?) throws {
        let modules = try ModuleTestContext([
            "a.js": source, "b.js": "export const b = 1", "q.js": "export const q = 1",
            "q2.js": "export const q = 2",
            "amb.js": "export * from './q.js'; export * from './q2.js'",
        ])
        let error = try #require(try modules.error(of: "./a.js"))
        #expect(error.sourceURL == "app:///a.js" && error.line == line && error.column == column, "\(error)")
        #expect((error.codeFrame == nil) == (line == nil))
    }

    @Test("a thrown error has the frames of modules and no others")
    func frames() throws {
        let modules = try ModuleTestContext([
            "a.js": "import { boom } from './b.js';\n\nboom(1);",
            "b.js": """
            export function boom(x) {\n  if (x)   null.f();\n}
            """,
            "late.js": "await 1;\nthrow new RangeError('late');",
        ])
        let error = try #require(try modules.error(of: "./a.js"))
        #expect(
            error.frames.map {
                """
                \($0.sourceURL ?? ""):\($0.line ?? 0):\($0.column ?? 0)
                """
            } == ["app:///b.js:2:16", "app:///a.js:3:5"],
            "\(error)"
        )
        let late = try #require(try modules.error(of: "./late.js"))
        #expect(
            late.frames.map {
                """
                \($0.sourceURL ?? ""):\($0.line ?? 0)
                """
            } == ["app:///late.js:2"],
            "\(late)"
        )
    }

    @Test("a missing module names its importer, and a later import tries again")
    func missing() throws {
        let modules = try ModuleTestContext(["a.js": "import './none.js';"])
        let error = try #require(try modules.error(of: "./a.js"))
        #expect(error.message == "module \"app:///none.js\" not found (imported from \"app:///a.js\")")
        modules.context.moduleConfiguration?.loader = StringModuleLoader(["app:///none.js": "export {}"])
        #expect(try modules.error(of: "./a.js") == nil)
        let bare = try #require(try modules.error(of: "lodash"))
        #expect(bare.message.contains("\"lodash\" is neither a URL nor a path"))
    }

    @Test("a rejection that nothing handles is reported once, a handled one never")
    func unhandled() throws {
        let modules = try ModuleTestContext([
            "a.js": "throw new Error('here')",
            "b.js": """
            await 0; throw new Error('there')
            """,
        ])
        var reported: [String] = []
        modules.context.uncaughtErrorHandler = { reported.append($0.message) }
        try modules.context.evaluate("import('./a.js'); import('./b.js').catch(() => {}); 0")
        #expect(reported == ["here"])
    }

    @Test("without a configuration an import fails")
    func unconfigured() throws {
        let context = try JSContext()
        #expect(throws: ModuleError.self) { try context.importModule("./a.js") }
    }
}
