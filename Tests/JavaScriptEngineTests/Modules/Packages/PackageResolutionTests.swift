import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// The packages of `node_modules`.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct PackageResolutionTests {
    private func folder() throws -> PackageTestFolder {
        try PackageTestFolder([
            "main.js": "import { a } from 'a'; export { a }; export { b } from '@scope/b/deep.js'",
            "node_modules/a/package.json": """
            {"name":"a","type":"module","exports":{".":{"default":{"require":"./no.cjs","import":"./a.js"}},\
            "./sub":"./lib/sub.js","./f/*":"./lib/*.js","./f/internal/*":null,"./f/*.mjs":"./lib/*.mjs",\
            "./out":"./../../secret.js","./enc":"./%2e%2e/secret.js","./list":["../bad","./lib/sub.js"],\
            "./order":{"default":"./lib/first.js","import":"./lib/sub.js"},"./none":{"browser":"./a.js"},\
            "./nested":"./node_modules/x/x.js","./number":5},
            "imports":{"#sub":"./lib/sub.js","#f/*":"./lib/*.js","#other":"@scope/b/deep.js","#loop":"#loop",\
            "#up":"../../secret.js","#url":"file:///etc/passwd"}}
            """,
            "node_modules/a/a.js": """
            import { sub } from '#sub'; import { sub as s2 } from '#f/sub'; import { b } from '#other'; import { sub \
            as s3 } from 'a/sub'; export const a = [sub, s2, b, s3].join()
            """,
            "node_modules/a/lib/sub.js": "export const sub = 'sub'",
            "node_modules/a/lib/first.js": "export const sub = 'first'",
            "node_modules/a/lib/internal/x.js": "export const sub = 'internal'",
            "node_modules/a/lib/y.mjs": "export const sub = 'mjs'",
            "node_modules/@scope/b/package.json": "{\"type\":\"module\",\"main\":\"./index\"}",
            "node_modules/@scope/b/deep.js": "export const b = 'deep'",
            "node_modules/@scope/b/index.js": "export const sub = 'index'",
            "node_modules/m/package.json": "{\"module\":\"es/m.js\",\"main\":\"m.cjs\"}",
            "node_modules/m/es/m.js": "import { two } from './two.js'; export const sub = two",
            "node_modules/m/es/two.js": "export const two = 'module'",
            "node_modules/out/package.json": "{\"main\":\"../../secret.js\"}",
            "node_modules/bad/package.json": "{\"exports\":{\".\":\"./a.js\",\"import\":\"./a.js\"}}",
            "node_modules/broken/package.json": "{",
            "node_modules/plain/index.js": "export const sub = 'plain'",
            "inner/node_modules/a/package.json": "{\"type\":\"module\",\"exports\":\"./i.js\"}",
            "inner/node_modules/a/i.js": "export const sub = 'inner'",
            "inner/x.js": "export { sub } from 'a'", "secret.js": "export const secret = 1",
        ])
    }

    @Test("exports with conditions and patterns, imports, self reference, main and module")
    func found() throws {
        let modules = try folder().modules()
        #expect(try modules.exports(of: "./main.js") == ["a": "sub,sub,deep,sub", "b": "deep"])
        let expected = [
            "a/sub": "sub", "a/f/sub": "sub", "a/f/y.mjs": "mjs", "a/list": "sub", "a/order": "first",
            "@scope/b": "index", "m": "module", "plain": "plain", "./inner/x.js": "inner", "a/f/%73ub": "sub",
        ]
        for (specifier, value) in expected.sorted(by: { $0.key < $1.key }) {
            #expect(try modules.exports(of: specifier)["sub"] == .string(value), "\(specifier)")
        }
    }

    @Test(
        "R36 no specifier, target or main file leads out of its package",
        arguments: [
            "a/out", "a/enc", "a/f/internal/x", "a/f/../../secret", "a/f/%2e%2e/secret", "a/f/..%2fsecret",
            "a/none", "a/nested", "a/number", "a/lib/sub.js", "a/", "a/f/", "a/f//sub", "a/f/node_modules/x",
            "a/f/internal/../sub", "out", "@scope", "@scope/", "/a", ".a", "..", "a\\\\b", "@scope/b/../x.js",
            "@scope/b/%2e%2e/b/deep.js", "@scope/b/\\u0000", "bad", "broken", "missing", "toString",
            "__proto__",
            "plain/../a", "#sub", "node:fs", "a/f/..\\\\x", "%61", "a%2fsub",
        ]
    )
    func refused(specifier: String) throws {
        let modules = try folder().modules()
        #expect(
            try modules.value("import('\(specifier)').then(() => 'imported', e => e instanceof Error)")
                == true,
            "\(specifier)"
        )
    }

    @Test(
        "R36 internal names lead to the package or to another one",
        arguments: ["#loop", "#up", "#url", "#none", "#"]
    )
    func internalNames(name: String) throws {
        let folder = try folder()
        try folder.write("node_modules/a/lib/sub.js", "import '\(name)'")
        #expect(try folder.modules().error(of: "a/sub") != nil)
    }

    @Test("without folders of packages there are none")
    func off() throws {
        let modules = try folder().modules(packageFolders: [])
        #expect(try modules.error(of: "a")?.message.contains("neither a URL nor a path") == true)
        #expect(try modules.error(of: "./node_modules/a/lib/sub.js") == nil)
    }

    @Test("R36 links in a folder of packages are not followed")
    func links() throws {
        let (folder, other) = (try folder(), try PackageTestFolder(["p/index.js": "export const p = 1"]))
        symlink(other.root.appending(path: "p").path, folder.root.appending(path: "node_modules/linked").path)
        #expect(try folder.modules().error(of: "linked") != nil)
    }
}
