import Foundation
import JavaScriptBridge
import Testing

@testable import BridgeCommands

/// The command `jsbridge types`.
@Suite struct TypesTests {
    @Test("the API of a script of 'run' is printed whole, or only its handlers")
    func declarations() async throws {
        let workplace = try Workplace()
        let handlers = await workplace.run(["types", "--handlers"])
        #expect(handlers.status == 0)
        #expect(handlers.errorOutput.isEmpty)
        #expect(
            handlers.output.hasSuffix(
                """
                interface BridgeHandlers {
                    "jsbridge.environment": { data: BridgeTypes.EnvironmentRequest | null; reply: BridgeTypes.EnvironmentReply; sync: true };
                }

                """
            )
        )
        #expect(handlers.output.contains("        variables: { [key: string]: string };\n"))
        let all = await workplace.run(["types"])
        #expect(
            all.output == Bridge.scriptDeclarations + "\n" + ScriptChart.declarations + "\n" + handlers.output
        )
        #expect(all.output.contains("chart(what: object, options?: string | BridgeChartOptions): void;"))
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("--schema prints JSON Schema")
    func schema() async throws {
        let result = try await Workplace().run(["types", "--schema"])
        let object =
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: [String: Any]]
        let handler = try #require(object?["jsbridge.environment"])
        #expect(handler["kind"] as? String == "sync")
        #expect((handler["response"] as? [String: Any])?["$ref"] as? String == "#/$defs/EnvironmentReply")
    }

    @Test(
        "the command of the help page accepts a script that runs",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tsc"))
    )
    func typeChecker() async throws {
        let workplace = try Workplace()
        try workplace.write(await workplace.run(["types"]).output, to: "jsbridge.d.ts")
        try workplace.write(
            """
            bridge.registerHandler("main", async () => {
                const numbers = bridge.store().fetch("number");
                for (const row of numbers) console.log(row.value ?? 0);
                console.log((await bridge.callHandler("jsbridge.environment")).version);
            });
            """,
            to: "my.js"
        )
        let ending = try await check(in: workplace)
        #expect(ending.status == 0, "\(ending.output)")
    }

    /// Runs the command of the help page.
    private func check(in workplace: Workplace) async throws -> (status: Int32, output: String) {
        let text = HelpTopic.types.text
        let command = try #require(text.range(of: "\n  tsc ")).lowerBound
        let end = try #require(text[command...].range(of: "\n\n")).lowerBound
        let line = "cd \"$0\" && \(text[command..<end].dropFirst())"
        let ending = try await RunningProcess("/bin/sh", ["-c", line, workplace.path], in: workplace).end()
        return (ending.status, ending.output)
    }

    @Test(
        "the command of the help page reports each error in its line, also beside the types of other runtimes",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tsc"))
    )
    func mistakes() async throws {
        let workplace = try Workplace()
        let handlers = """

            interface BridgeHandlers {
                "name": { data: { id: number }; reply: string | null; sync: true };
            }

            """
        try workplace.write(await workplace.run(["types"]).output + handlers, to: "jsbridge.d.ts")
        try workplace.write(
            """
            bridge.registerHandler("main", async () => {
                bridge.callHandlerSync("name");
                bridge.callHandlerSync("name", null);
                bridge.callHandlerSync("name", { id: null });
                bridge.callHandlerSync("name", { id: 1 }).trim();
                bridge.callHandlerSync("name", { id: 1 })?.trim();
                bridge.callHandlerSync("nmae", { id: 1 });
                process.exit();
            });
            """,
            to: "my.js"
        )
        // Also declared by @types/node.
        let folder = "node_modules/@types/node"
        try FileManager.default.createDirectory(
            atPath: workplace.file(folder),
            withIntermediateDirectories: true
        )
        try workplace.write("declare var setTimeout: number, process: any;\n", to: "\(folder)/index.d.ts")
        let (status, output) = try await check(in: workplace)
        #expect(status != 0)
        let places = output.split(separator: "\n").compactMap { $0.split(separator: ",").first }
            .filter { $0.contains(".js(") || $0.contains(".ts(") }
        #expect(places == [2, 3, 4, 5, 7, 8].map { "my.js(\($0)" }, "\(output)")
    }

    @Test("a closed output is not a failure")
    func closed() async throws {
        let result = try await Workplace().run(["types"], outputLimit: (0, .closed))
        #expect(result.status == 141)
        #expect(result.errorOutput.isEmpty)
    }
}
