import Foundation
import JavaScriptEngine
import Testing

@testable import BridgeCommands

/// The command `jsbridge init`.
@Suite struct InitTests {
    private func files(in workplace: Workplace, _ folder: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: workplace.file(folder))
        return (found?.compactMap { $0 as? String } ?? []).filter { $0.contains(".") }.sorted()
    }

    @Test("a new plugin runs", .enabled(if: Capabilities.current.modules.isAvailable))
    func plugin() async throws {
        let workplace = try Workplace()
        let folder = workplace.file("My shop")
        let result = await workplace.run(["init", folder])
        #expect(result.status == 0, "\(result.errorOutput)")
        #expect(result.output.contains("\n  cd '\(folder)'\n  jsbridge run plugin.js World\n"))
        let expected = [
            ".vscode", ".vscode/extensions", ".vscode/extensions/javascript-bridge-debug",
            ".vscode/extensions/javascript-bridge-debug/package.json", ".vscode/launch.json", "README.md",
            "greeting.js", "greeting.test.js", "package.json", "plugin.js",
            "tsconfig.json", "types/jsbridge.d.ts",
        ]
        #expect(files(in: workplace, "My shop") == expected)
        let manifest = try String(contentsOfFile: folder + "/package.json", encoding: .utf8)
        #expect(manifest.contains("\"name\": \"my-shop\""))
        let run = await workplace.run(["run", folder + "/plugin.js", "World", "Ann"])
        #expect(run.output == "Hello, World!\nHello, Ann!\n")
        #expect(run.status == 0)
        let test = await workplace.run(["test", folder])
        #expect(test.status == 0, "\(test.output) \(test.errorOutput)")
        #expect(test.output.contains("1 passed"))
        let launch = try Data(contentsOf: URL(fileURLWithPath: folder + "/.vscode/launch.json"))
        #expect(try JSONSerialization.jsonObject(with: launch) is [String: Any])
        let debugging = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Examples/Debugging/extension/package.json")
        #expect(
            try Data(contentsOf: debugging)
                == Data(
                    contentsOf: URL(fileURLWithPath: folder)
                        .appendingPathComponent(".vscode/extensions/javascript-bridge-debug/package.json")
                )
        )
    }

    @Test(
        "the type checker accepts a new plugin, and finds a mistake in it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tsc"))
    )
    func typeChecker() async throws {
        let workplace = try Workplace()
        _ = await workplace.run(["init", workplace.file("a")])
        let right = try await RunningProcess("/usr/bin/tsc", ["-p", workplace.file("a")], in: workplace).end()
        #expect(right.status == 0, "\(right.output)")
        try workplace.write("import { greeting } from \"./greeting.js\"; greeting(1);\n", to: "a/other.js")
        let wrong = try await RunningProcess("/usr/bin/tsc", ["-p", workplace.file("a")], in: workplace).end()
        #expect(wrong.output.contains("other.js(1,52): error TS2345"))
    }

    @Test(
        "the Swift program of a new plugin compiles",
        .enabled(if: SwiftTypeCheck.compiler != nil)
    )
    func program() async throws {
        let workplace = try Workplace()
        let result = await workplace.run([
            "init", "--swift", "--package-path", "a\"b\\c", workplace.file("2-shops"),
        ])
        #expect(result.status == 0)
        #expect(result.output.contains("swift run Plugin2Shops World"))
        let file = workplace.file("2-shops/Sources/Plugin2Shops/main.swift")
        let compiler = try #require(SwiftTypeCheck.compiler)
        let found = try await SwiftTypeCheck.diagnostics(of: [file], by: compiler, in: workplace)
        #expect(found.isEmpty, "\(found)")
        let manifest = try String(contentsOfFile: workplace.file("2-shops/Package.swift"), encoding: .utf8)
        #expect(manifest.contains(#"path: "a\"b\\c")"#))
        #expect(try workplace.text(of: "2-shops/.gitignore") == ".build/\n")
        #expect(try workplace.text(of: "2-shops/README.md").contains("    swift run Plugin2Shops World\n"))
    }

    @Test("nothing is left behind if a file cannot be written", arguments: [".vscode", "types"])
    func obstacle(name: String) async throws {
        let workplace = try Workplace()
        try FileManager.default.createDirectory(
            atPath: workplace.file("a"),
            withIntermediateDirectories: true
        )
        try workplace.write("in the way", to: "a/\(name)")
        let result = await workplace.run(["init", "--swift", workplace.file("a")])
        #expect(result.status == 74, "\(result.errorOutput)")
        let path = workplace.file("a/\(name)/")
        #expect(result.errorOutput.hasPrefix("jsbridge: nothing was written, because '\(path)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: workplace.file("a")) == [name])
    }

    @Test("the commands work for a name with a dash before it, and control characters are escaped")
    func names() throws {
        let project = try NewProject(named: "-dash")
        #expect(project.commands(folder: "-dash", isSwift: false).first == "cd ./-dash")
        #expect { try NewProject(named: "\u{1B}[...") } throws: { !"\($0)".contains("\u{1B}") }
    }

    @Test("no file is replaced, and nothing is written beside one that exists")
    func existing() async throws {
        let workplace = try Workplace()
        try FileManager.default.createDirectory(
            atPath: workplace.file("a"),
            withIntermediateDirectories: true
        )
        // A link whose target is missing would be written through.
        try FileManager.default.createSymbolicLink(
            atPath: workplace.file("a/plugin.js"),
            withDestinationPath: workplace.file("target.js")
        )
        let result = await workplace.run(["init", workplace.file("a")])
        #expect(result.status == 1)
        #expect(result.errorOutput.contains("nothing was written, because"))
        #expect(result.errorOutput.contains("has 'plugin.js' already"))
        #expect(files(in: workplace, "a") == ["plugin.js"])
        #expect(!workplace.exists("target.js"))
    }

    @Test(
        "a wrong use has a message",
        arguments: [
            (["init"], "'init' needs a folder, such as '.' for the current one", 2),
            (["init", "a", "b"], "'init' takes one folder, not 'a' and 'b'", 2),
            (["init", "--package-path", "a", "b"], "'--package-path' requires '--swift'", 2),
            (["init", "..."], "the folder '...' cannot name a plugin", 1),
            (["init", "/dev/null"], "'/dev/null' is not a folder", 1),
        ]
    )
    func wrongUse(arguments: [String], message: String, status: Int) async throws {
        let result = try await Workplace().run(arguments)
        #expect(result.errorOutput.contains(message))
        #expect(Int(result.status) == status)
    }
}
