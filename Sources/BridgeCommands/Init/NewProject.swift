internal import BridgeValues

/// The files of a new plugin.
struct NewProject {
    /// A new file.
    struct File {
        /// The path from the folder of the plugin.
        let path: String
        let text: String
    }

    /// The name of the plugin, as `package.json` writes it.
    let name: String
    /// The name of the Swift program.
    let target: String

    /// Names the plugin after its folder.
    ///
    /// - Throws: ``CommandFailure`` for a name without a letter or a digit of ASCII.
    init(named folder: String) throws(CommandFailure) {
        let words = folder.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        guard let first = words.first else {
            throw CommandFailure(
                status: ExitStatus.failure,
                reason: CommandError(
                    "the folder '\(Printable.text(folder))' cannot name a plugin, which needs a letter or a digit"
                )
            )
        }
        name = words.joined(separator: "-").lowercased()
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        target = first.first?.isNumber == true ? "Plugin\(joined)" : joined
    }

    /// Returns the files of the plugin, and those of a program that loads it.
    ///
    /// - Parameter package: The path of this package for the program's manifest; `nil` for no program.
    /// - Returns: The files.
    /// - Throws: The errors of a bridge that cannot be created.
    @MainActor
    func files(package: String?) throws -> [File] {
        var files = [
            File(path: "package.json", text: manifest),
            File(path: "plugin.js", text: Self.plugin),
            File(path: "greeting.js", text: Self.greeting),
            File(path: "greeting.test.js", text: Self.test),
            File(path: "README.md", text: readme(isSwift: package != nil)),
            File(path: "tsconfig.json", text: Self.compilerOptions),
            File(path: ".vscode/launch.json", text: Self.launch),
            File(path: ".vscode/extensions/javascript-bridge-debug/package.json", text: Self.debugExtension),
            File(path: "types/jsbridge.d.ts", text: try TypesCommand.declarations() + "\n"),
        ]
        if let package {
            files.append(File(path: ".gitignore", text: ".build/\n"))
            files.append(File(path: "Package.swift", text: swiftManifest(package)))
            files.append(File(path: "Sources/\(target)/main.swift", text: Self.program))
        }
        return files
    }

    /// Returns the commands that use the files.
    func commands(folder: String, isSwift: Bool) -> [String] {
        // `cd` would take a dash for an option.
        let path = folder.hasPrefix("-") ? "./" + folder : folder
        let change = folder == "." ? [] : ["cd \(ShellText.quoted(path))"]
        return change + ["jsbridge run plugin.js World", "jsbridge test"]
            + (isSwift ? ["swift run \(target) World"] : [])
    }

    private var manifest: String {
        """
        {
            "name": "\(name)",
            "version": "0.1.0",
            "private": true,
            "type": "module",
            "main": "./plugin.js"
        }

        """
    }

    private func readme(isSwift: Bool) -> String {
        let commands = commands(folder: ".", isSwift: isSwift).map { "    \($0)\n" }.joined()
        return """
            # \(name)

            A plugin of JavaScriptBridge: its code is in `plugin.js` and `greeting.js`, its tests in `greeting.test.js`.

            \(commands)
            The configuration of the debugger in `.vscode/launch.json` needs the extension of Visual Studio Code in
            `Examples/Debugging` of JavaScriptBridge.

            """
    }

    private static let plugin = """
        import { registerHandler } from "bridge:core";
        import { greeting } from "./greeting.js";

        // The program calls this handler by its name.
        registerHandler("greet", (/** @type {{ name: string }} */ { name }) => greeting(name));

        // `jsbridge run plugin.js NAME` calls this one.
        registerHandler("main", (/** @type {{ arguments: string[] }} */ { arguments: names }) => {
            for (const name of names) console.log(greeting(name));
        });

        """

    private static let greeting = """
        /** Returns a greeting for a name. */
        export function greeting(/** @type {string} */ name) {
            return `Hello, ${name}!`;
        }

        """

    private static let test = """
        import { expect, test } from "bridge:test";
        import { greeting } from "./greeting.js";

        test("a greeting has the name", () => {
            expect(greeting("Ann")).toBe("Hello, Ann!");
        });

        """

    private static let compilerOptions = """
        {
            "compilerOptions": {
                "target": "ES2022",
                "module": "ES2022",
                "moduleResolution": "node",
                "lib": ["ES2022"],
                "types": [],
                "allowJs": true,
                "checkJs": true,
                "strict": true,
                "noEmit": true
            },
            "include": ["**/*.js", "**/*.ts"]
        }

        """

    private func swiftManifest(_ package: String) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(target)",
            dependencies: [.package(name: "JavaScriptBridge", path: \(Self.literal(package)))],
            targets: [
                .executableTarget(
                    name: "\(target)",
                    dependencies: [.product(name: "JavaScriptBridge", package: "JavaScriptBridge")]
                )
            ]
        )

        """
    }

    /// Returns a Swift string literal.
    private static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    private static let program = """
        import JavaScriptBridge

        let bridge = try Bridge()
        // The path starts at the current folder, which is the package's with `swift run`.
        try await bridge.load(.module("plugin.js"))
        for name in CommandLine.arguments.dropFirst() {
            print(try await bridge.callHandler("greet", with: ["name": name], returning: String.self))
        }

        """
}
