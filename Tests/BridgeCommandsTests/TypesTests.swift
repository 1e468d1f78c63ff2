import Foundation
import JavaScriptBridge
import Testing

@testable import BridgeCommands

/// `jsbridge types`.
@Suite struct TypesTests {
    @Test("what a script of 'run' finds is printed whole, or its handlers alone")
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
        #expect(handler["kind"] as? String == "value")
        #expect((handler["response"] as? [String: Any])?["$ref"] as? String == "#/$defs/EnvironmentReply")
    }

    @Test("a reader that leaves is no failure to tell")
    func closed() async throws {
        let result = try await Workplace().run(["types"], outputLimit: (0, .closed))
        #expect(result.status == 141)
        #expect(result.errorOutput.isEmpty)
    }
}
