import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// The expectations that published packages have of bundlers and of Node, found by loading some hundred of them.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct PackageHabitTests {
    private static let files = [
        "node_modules/bundled/package.json": "{\"module\":\"es/index.js\"}",
        "node_modules/bundled/es/index.js":
            "export * from './part'; export { d } from './folder'; import './x.y'",
        "node_modules/bundled/es/part.js": "export const p = 1",
        "node_modules/bundled/es/folder/index.js": "export { d } from '../data.json' with { type: 'json' }",
        "node_modules/bundled/es/x.y.js": "",
        "node_modules/node-only/package.json":
            "{\"exports\":{\"node\":{\"import\":\"./i.mjs\",\"require\":\"./r.cjs\"}}}",
        "node_modules/node-only/i.mjs": "export const p = 'import'",
        "node_modules/node-only/r.cjs": "exports.p = 'require'",
        "node_modules/both/package.json":
            "{\"exports\":{\"node\":\"./node.js\",\"default\":\"./other.mjs\"}}",
        "node_modules/both/other.mjs": "export const p = 'other'",
        "node_modules/typed/package.json":
            "{\"type\":\"commonjs\",\"exports\":{\"import\":\"./esm.js\",\"default\":\"./c.js\"}}",
        "node_modules/typed/esm.js": "const p = 'module'; export { p }",
        "node_modules/events/package.json": "{}",
        "node_modules/events/index.js": "exports.p = 'events'",
        "node_modules/inner/package.json":
            "{\"imports\":{\"#process\":\"node:process\",\"#e\":\"node:events\"}}",
        "node_modules/inner/index.mjs": "export { p } from '#e'",
        "node_modules/inner/process.mjs": "export { p } from '#process'",
    ]

    private func value(of main: String) throws -> Value {
        let folder = try PackageTestFolder(Self.files)
        try folder.write("main.mjs", main)
        return try folder.modules().exports(of: "./main.mjs")["default"]
    }

    @Test("an import inside a package may omit the extension, and name a folder")
    func extensions() throws {
        let folder = try PackageTestFolder(Self.files)
        try folder.write("node_modules/bundled/es/folder/index.js", "export const d = 2")
        try folder.write("main.mjs", "import { p, d } from 'bundled'; export default [p, d]")
        try folder.write("own.mjs", "export * from './main'")
        let modules = try folder.modules()
        #expect(try modules.exports(of: "./main.mjs")["default"] == [1, 2])
        // The own files of a project name their imports in full, as in Node and in browsers.
        let error = #expect(throws: JSException.self) { try modules.exports(of: "./own.mjs") }
        #expect(
            error?.message.contains("ends with neither .js, .mjs nor .json") == true,
            "\(error?.message ?? "")"
        )
    }

    @Test("the condition \"node\" holds where nothing else does")
    func conditions() throws {
        let main = """
            import { p } from 'node-only'; import c from './c.cjs'; import { p as b } from 'both'
            export default [p, c, b]
            """
        let folder = try PackageTestFolder(Self.files)
        try folder.write("main.mjs", main)
        try folder.write("c.cjs", "module.exports = require('node-only').p")
        #expect(try folder.modules().exports(of: "./main.mjs")["default"] == ["import", "require", "other"])
    }

    @Test("a package of CommonJS may have ES modules for bundlers")
    func types() throws {
        #expect(try value(of: "import { p } from 'typed'; export default p") == "module")
    }

    @Test("a module of Node is the package of its name")
    func nodeModules() throws {
        let main = """
            import e from 'events'; import n from 'node:events'; import { p } from 'inner/index.mjs'
            export default [e.p, n === e, p]
            """
        #expect(try value(of: main) == ["events", true, "events"])
    }

    @Test(
        "the error for a module of Node without a package names Node, and the module with similar functions",
        arguments: [
            ("fs", "\"bridge:fs\" has similar functions"), ("node:fs/promises", "\"bridge:fs\""),
            ("node:process", "\"bridge:process\""), ("path", "which this runtime does not have"),
            ("inner/process.mjs", "\"#process\" is a module"),
        ]
    )
    func missingNodeModules(specifier: String, text: String) throws {
        let error = #expect(throws: JSException.self) { try value(of: "import '\(specifier)'") }
        let message = error?.message ?? ""
        #expect(message.contains("is a module of Node.js") && message.contains(text), "\(message)")
    }

    @Test("CommonJS modules have global and a process of browsers, which other scripts do not have")
    func commonJSGlobals() throws {
        let folder = try PackageTestFolder([
            "main.mjs": """
            import c from './c.cjs'; import d from './d.cjs'; await c.later
            export default [...c.found, ...c.calls, d.same, typeof process, typeof global]
            """,
            "c.cjs": """
            exports.found = [global === globalThis, process.env.NODE_ENV === undefined, typeof process.versions.node]
            process.env.SEEN = '1'; exports.calls = []
            process.nextTick((a, b) => exports.calls.push(a, b), 1, 2); exports.calls.push(0)
            exports.later = new Promise(resolve => process.nextTick(resolve))
            """,
            "d.cjs": "exports.same = process.env.SEEN",
        ])
        let value = try folder.modules().exports(of: "./main.mjs")["default"]
        #expect(value == [true, true, "undefined", 0, 1, 2, "1", "undefined", "undefined"])
    }
}
