import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Packages that Debian ships for Node, as they are.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct DebianPackageTests {
    /// The folder of Debian's packages, or of a copy of them.
    private static let folder =
        ProcessInfo.processInfo.environment["JSBRIDGE_NODE_PACKAGES"] ?? "/usr/share/nodejs"

    private static func has(_ package: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(package)/package.json")
    }

    private func result(_ source: String) throws -> Value {
        var loader = try FolderModuleLoader(root: Self.folder)
        loader.packageFolders = ["node_modules", "."]
        let modules = try ModuleTestContext { [loader] in
            $0.loader = loader
            $0.resolver = PackageModuleResolver(loader: loader)
        }
        let outcome = try modules.settled {
            try modules.context.evaluateModule(source, url: loader.rootURL + "test.mjs")
        }
        return try outcome.get()["default"]
    }

    @Test(
        "acorn and acorn-walk",
        .enabled(if: has("acorn") && has("acorn-walk"), "node-acorn is not installed")
    )
    func acorn() throws {
        let value = try result(
            """
            import { parse, version } from 'acorn'; import { simple } from 'acorn-walk'; let n = 0; \
            simple(parse('let a = 1 + 2', { ecmaVersion: 2022 }), { BinaryExpression() { n++ } }); export default \
            [n, typeof version]
            """
        )
        #expect(value == [1, "string"])
    }

    @Test("lodash, a CommonJS package", .enabled(if: has("lodash"), "node-lodash is not installed"))
    func lodash() throws {
        let value = try result(
            """
            import lodash, { chunk } from 'lodash'; import sum from 'lodash/sum.js'; export default [chunk([1, 2, 3], \
            2), sum([1, 2]), lodash.upperFirst('a')]
            """
        )
        #expect(value == [[[1, 2], [3]], 3, "A"])
    }

    @Test("balanced-match", .enabled(if: has("balanced-match"), "node-balanced-match is not installed"))
    func balancedMatch() throws {
        let value = try result(
            "import balanced from 'balanced-match'; export default balanced('{', '}', 'a{b}c').body"
        )
        #expect(value == "b")
    }

    @Test("estree-walker", .enabled(if: has("estree-walker"), "node-estree-walker is not installed"))
    func walker() throws {
        let value = try result(
            """
            import { walk } from 'estree-walker'; let n = 0; walk({ type: 'A', b: { type: 'B' } }, { enter() { n++ } \
            }); export default n
            """
        )
        #expect(value == 2)
    }
}
