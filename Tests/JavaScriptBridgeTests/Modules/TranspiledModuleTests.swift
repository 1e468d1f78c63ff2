import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import TestSupport
import Testing

/// Modules in another language, which a transpiler translates.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable), .noLeaks)
struct TranspiledModuleTests {
    /// A language whose files end with `.shout` and are JavaScript in capitals.
    private struct Quiet: ModuleTranspiler {
        struct Failure: Error, CustomStringConvertible { let description: String }
        let fileExtensions = [".shout": ".js"]

        func transpile(_ text: String, url: String) async throws -> String {
            if text.contains("wrong") { throw Failure(description: "a lower letter in \(url.suffix(7))") }
            return text.lowercased()
        }
    }

    private func bridge(_ folder: TemporaryFolder, _ transpiler: any ModuleTranspiler) throws -> Bridge {
        var loader = try FolderModuleLoader(root: folder.url.path)
        loader.transpiler = transpiler
        loader.packageFolders = ["node_modules"]
        var configuration = BridgeConfiguration()
        configuration.modules = ModuleConfiguration(
            loader: loader,
            resolver: PackageModuleResolver(loader: loader)
        )
        return try Bridge(configuration: configuration)
    }

    private func message(_ bridge: Bridge, _ source: ScriptSource) async -> String? {
        do {
            try await bridge.load(source)
            return nil
        } catch let error as JSException {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    @Test("a file with the ending of a transpiler is translated, also by the name of its translation")
    func endings() async throws {
        let folder = try TemporaryFolder([
            "main.js": """
            import { a } from "./a.shout"; import { b } from "./b.js"; import { c } from "./c.js";
            globalThis.result = [a, b, c];
            """,
            "a.shout": "EXPORT CONST A = 1;", "b.shout": "EXPORT CONST B = 2;",
            "c.js": "export const c = 3;", "c.shout": "EXPORT CONST C = 4;",
        ])
        let bridge = try bridge(folder, Quiet())
        try await bridge.load(folder.module("main.js"))
        #expect(try await bridge.load(.text("result", name: "result.js")) == [1, 2, 3])
        bridge.close()
    }

    @Test(
        "errors of files in another language name the file",
        arguments: [
            ("import './a.shout'", "a lower letter in a.shout"),
            ("import './a.js'", "a lower letter in a.shout"),
            ("import './none.shout'", "none.shout\" not found (imported from"),
            ("import './none.js'", "none.js\" not found (imported from"),
            ("import './r.cjs'", "ok.shout\" cannot be required: import it"),
            ("import './bytes.shout'", "bytes.shout\" is not valid UTF-8"),
            ("import './bytes.js'", "bytes.shout\" is not valid UTF-8"),
        ]
    )
    func errors(script: String, message: String) async throws {
        let folder = try TemporaryFolder([
            "main.js": script, "a.shout": "wrong", "ok.shout": "1", "r.cjs": "require('./ok.shout')",
        ])
        try Data([0xFF]).write(to: folder.url.appending(path: "bytes.shout"))
        let bridge = try bridge(folder, Quiet())
        let found = await self.message(bridge, folder.module("main.js"))
        #expect(found?.contains(message) == true, "\(found ?? "no error")")
        #expect(try await bridge.load(.text("1 + 1", name: "after.js")) == 2)
        bridge.close()
    }

    @Test("a module's error shows the original source by the map beside the module")
    func mapBeside() async throws {
        // One line of the original, `throw new Error("mapped")`, is the second line of the module.
        let map = """
            {"version": 3, "sources": ["first.coffee"], "sourcesContent": ["\\n\\nraise 'mapped'"], "names": [], \
            "mappings": ";AAEA"}
            """
        let text = "// made\nthrow new Error('mapped');\n//# sourceMappingURL=maps/main.js.map"
        let folder = try TemporaryFolder(["main.js": text, "maps/main.js.map": map])
        let bridge = try bridge(folder, Quiet())
        let error = await #expect(throws: JSException.self) {
            try await bridge.load(folder.module("main.js"))
        }
        #expect(error?.line == 3)
        #expect(error?.sourceURL?.hasSuffix("first.coffee") == true)
        #expect(error?.codeFrame?.contains("> 3 | raise 'mapped'") == true)
        bridge.close()
    }

    @Test(
        "a map outside the folder is not read",
        arguments: ["../secret.map", "file:///etc/passwd", "%2e%2e/secret.map", "/etc/passwd"]
    )
    func mapOutside(reference: String) async throws {
        let folder = try TemporaryFolder([
            "in/main.js": "throw new Error('x');\n//# sourceMappingURL=\(reference)",
            "secret.map": "{\"version\": 3, \"sources\": [\"s\"], \"mappings\": \"AAAA\"}",
        ])
        var loader = try FolderModuleLoader(root: folder.url.appending(path: "in").path)
        loader.transpiler = Quiet()
        var configuration = BridgeConfiguration()
        configuration.modules = ModuleConfiguration(
            loader: loader,
            resolver: URLModuleResolver(baseURL: loader.rootURL)
        )
        let bridge = try Bridge(configuration: configuration)
        let error = await #expect(throws: JSException.self) {
            try await bridge.load(folder.module("in/main.js"))
        }
        #expect(error?.sourceURL?.hasSuffix("main.js") == true)
        #expect(error?.sourceMapProblems.first?.contains("leads out of the folder of modules") == true)
        bridge.close()
    }

    // MARK: - TypeScript

    private static let compiler = TypeScriptTranspiler.debianCompiler
    private static let hasCompiler = FileManager.default.fileExists(atPath: compiler)

    @Test("TypeScript modules run, and their errors have the original positions", .enabled(if: hasCompiler))
    func typeScript() async throws {
        let folder = try TemporaryFolder([
            "main.ts": """
            import { add, type Pair } from "./lib/add.js";
            import { Color } from "./lib/color.ts";
            interface Options { readonly name: string }
            const options: Options = { name: "x" };
            (globalThis as any).result = [options.name, add({ a: 1, b: 2 } as Pair), Color.Green];
            """,
            "lib/add.ts": """
            export interface Pair { a: number; b: number }

            export function add(pair: Pair): number {
                if (pair.a > 100) throw new Error("too large");
                return pair.a + pair.b;
            }
            """,
            "lib/color.ts": "export enum Color { Red, Green }",
            "thrower.ts": "interface A {}\n\nimport { add } from './lib/add.js';\nadd({ a: 101, b: 1 });",
        ])
        let transpiler = TypeScriptTranspiler(compiler: Self.compiler)
        let bridge = try bridge(folder, transpiler)
        try await bridge.load(folder.module("main.ts"))
        #expect(try await bridge.load(.text("result", name: "result.js")) == ["x", 3, 1])
        let error = await #expect(throws: JSException.self) {
            try await bridge.load(folder.module("thrower.ts"))
        }
        #expect(error?.sourceURL?.hasSuffix("lib/add.ts") == true)
        #expect(error?.line == 4)
        #expect(error?.frames.dropFirst().first?.line == 4)
        #expect(error?.codeFrame?.contains("if (pair.a > 100) throw") == true)
        bridge.close()
    }

    @Test("errors of TypeScript's syntax are listed with their positions", .enabled(if: hasCompiler))
    func syntax() async throws {
        let folder = try TemporaryFolder(["main.ts": "const a: number = 1;\nconst b: = 2;\nlet c = (;\n"])
        let bridge = try bridge(folder, TypeScriptTranspiler(compiler: Self.compiler))
        let message = await message(bridge, folder.module("main.ts")) ?? ""
        #expect(message.contains("main.ts:2:10: error TS1110: Type expected.\n"))
        #expect(message.contains("> 2 | const b: = 2;"))
        #expect(message.contains("main.ts:3:10: error TS1109: Expression expected."))
        bridge.close()
    }

    @Test("a compiler that is missing or is something else is an error of the import")
    func compilers() async throws {
        let folder = try TemporaryFolder(["main.ts": "1", "other.js": "var ts = 1;"])
        for (path, expected) in [
            (
                "/nonexistent/typescript.js",
                "the TypeScript compiler \"/nonexistent/typescript.js\" cannot be read"
            ),
            (folder.url.appending(path: "other.js").path, "other.js\" is not a TypeScript compiler"),
        ] {
            let bridge = try bridge(folder, TypeScriptTranspiler(compiler: path))
            let found = await message(bridge, folder.module("main.ts"))
            #expect(found?.contains(expected) == true, "\(found ?? "no error")")
            bridge.close()
        }
    }
}
