import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// CommonJS modules, by `import` and `require`.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct CommonJSTests {
    private func exports(_ files: [String: String], of specifier: String = "./main.mjs") throws -> Value {
        try PackageTestFolder(files).modules().exports(of: specifier)
    }

    @Test("an import gives module.exports as the default export, and its own keys by name")
    func names() throws {
        let value = try exports([
            "main.mjs": """
            import c, { x, 'a name' as n } from './c.cjs'; import f from 'f'; import * as all from './c.cjs'; export \
            default [c.x, x, n, c === (await import('./c.cjs')).default, f(2), f.twice(3), Object.keys(all).join()]
            """,
            "c.cjs": "exports.x = 1; exports['a name'] = 2; exports.default = 'd'; exports['\\ud800'] = 1",
            "node_modules/f/package.json": "{\"main\":\"lib\"}",
            "node_modules/f/lib/index.js": """
            module.exports = x => x + 1; module.exports.twice = require('./twice')
            """,
            "node_modules/f/lib/twice.js": "module.exports = x => 2 * x",
        ])
        #expect(value["default"] == [1, 1, 2, true, 3, 6, "a name,default,x"])
    }

    @Test("require finds files, folders, JSON and packages, each once")
    func require() throws {
        let value = try exports([
            "main.mjs": "import c from './dir/c.cjs'; export default c",
            "dir/c.cjs": """
            const own = [require('./file').n, require('./folder').n, require('./data').n, require('..').n, \
            require('p/sub').n, require('p').n, require('/\("dir/file.js")') === undefined]
            """.replacingOccurrences(of: ", require('/dir/file.js') === undefined", with: "") + """
                ; require('./file').n = 9; module.exports = [...own, require('./file.js').n, require('./data.json') === \
                require('./data'), typeof require.resolve('./file'), __filename.endsWith('/dir/c.cjs'), \
                __dirname.endsWith('/dir'), module.filename === __filename, this === exports, module.loaded]
                """,
            "dir/file.js": "exports.n = 1", "dir/folder/package.json": "{\"main\":\"./x\"}",
            "dir/folder/x.js": "exports.n = 2", "dir/data.json": "{\"n\":3}", "index.js": "exports.n = 4",
            "node_modules/p/package.json": """
            {"exports":{".":{"import":"./no.mjs","require":"./r.cjs"},"./sub":"./s.js"}}
            """,
            "node_modules/p/r.cjs": "exports.n = 6", "node_modules/p/s.js": "exports.n = 5",
        ])
        #expect(value["default"] == [1, 2, 3, 4, 5, 6, 9, true, "string", true, true, true, true, false])
    }

    @Test("a cycle of require gives the exports so far")
    func cycle() throws {
        let value = try exports([
            "main.mjs": "import a from './a.cjs'; export default a",
            "a.cjs": "exports.first = 1; const b = require('./b.cjs'); exports.b = b.seen",
            "b.cjs": "const a = require('./a.cjs'); exports.seen = [a.first, a.b === undefined]",
        ])
        #expect(value["default"]["b"] == [1, true])
    }

    @Test(
        "R36 require of what is not there, outside, an ES module or not a string fails, and the context stays usable",
        arguments: [
            "require('./none')", "require('../../etc/passwd')", "require('/etc/passwd')", "require('fs')",
            "require('./m.mjs')", "require(1)", "require()", "require('./bad.json')",
            "require('./syntax.cjs')",
            "require('./throws.cjs')", "require('./x\\0')", "require('./..%2fx')",
            "require('https://a/b.js')",
            "require('')", "require('./main.cjs?' + 'x'.repeat(10000))", "require('__proto__')",
            "(function f() { return require('./self.cjs') })()",
        ]
    )
    func failing(script: String) throws {
        let modules = try PackageTestFolder([
            "main.cjs": script, "m.mjs": "export default 1", "bad.json": "{", "syntax.cjs": "let x = ;",
            "throws.cjs": "throw new Error('thrown')", "fine.cjs": "exports.ok = 1",
            "self.cjs": "require('./deep.js?' + Math.random())",
            "deep.js": "require('./self.cjs?' + Math.random())",
        ]).modules()
        if !script.contains("self") { #expect(try modules.error(of: "./main.cjs") != nil, "\(script)") }
        #expect(try modules.exports(of: "./fine.cjs")["ok"] == 1)
    }

    @Test("errors have the line and the column of the file")
    func positions() throws {
        let folder = try PackageTestFolder([
            "a.cjs": "#!/usr/bin/env node\nexports.f = () => 1;\n  null.x;", "b.cjs": "exports.b = null.y;",
            "c.cjs": "1;\nlet x = ;",
        ])
        for (name, line, column) in [("a.cjs", 3, 7), ("b.cjs", 1, 17)] {
            let error = try #require(try folder.modules().error(of: "./" + name))
            let frame = try #require(error.frames.first)
            #expect(frame.line == line && frame.column == column, "\(frame)")
            #expect(frame.sourceURL?.hasSuffix("/" + name) == true)
        }
        let syntax = try #require(try folder.modules().error(of: "./c.cjs"))
        #expect(syntax.name == "SyntaxError" && syntax.line == 2, "\(syntax)")
        #expect(syntax.sourceURL?.hasSuffix("/c.cjs") == true)
    }

    @Test("built-in modules are required, and are the same objects as imported ones")
    func builtIns() throws {
        let folder = try PackageTestFolder(["a.cjs": "module.exports = require('bridge:one')"])
        let modules = try folder.modules {
            $0.builtIns["bridge:one"] = { context, _ in try context.evaluate("({ object: {} })") }
        }
        try modules.context.evaluate("var root = 'file://\(folder.root.path)/'")
        #expect(
            try modules.value(
                "(async () => (await import(root + 'a.cjs')).object === (await import('bridge:one')).object)()"
            ) == true
        )
    }

    @Test("R20 a module that a time limit has ended is not required half-run")
    func terminated() throws {
        var limits = ExecutionLimits.trusted
        limits.processorTime = .milliseconds(50)
        let folder = try PackageTestFolder([
            "a.cjs": "exports.half = 1; for (;;);", "b.cjs": "require('./a.cjs')",
        ])
        let modules = try folder.modules(machine: JSVirtualMachine(limits: limits))
        #expect(throws: JSException.self) { try modules.exports(of: "./a.cjs") }
        for name in ["./a.cjs", "./b.cjs"] {
            let error = try #require(try modules.error(of: name))
            #expect(error.message.contains("was ended"), "\(error)")
        }
    }

    @Test("the file type of the package decides, and outside of packages a file is an ES module")
    func formats() throws {
        let modules = try PackageTestFolder([
            "a.js": "export const kind = typeof require",
            "node_modules/e/package.json": "{\"type\":\"module\",\"main\":\"e.js\"}",
            "node_modules/e/e.js": "export const kind = typeof require",
            "node_modules/c/package.json": "{\"type\":\"commonjs\",\"main\":\"c.js\"}",
            "node_modules/c/c.js": "exports.kind = typeof require",
            "node_modules/w/package.json": "{\"type\":\"commonjs\",\"main\":\"w.js\"}",
            "node_modules/w/w.js": "export default 1",
        ]).modules()
        #expect(try modules.exports(of: "./a.js")["kind"] == "undefined")
        #expect(try modules.exports(of: "e")["kind"] == "undefined")
        #expect(try modules.exports(of: "c")["kind"] == "function")
        // Packages also have modules for bundlers, which ignore the type.
        #expect(try modules.exports(of: "w")["default"] == 1)
    }
}
