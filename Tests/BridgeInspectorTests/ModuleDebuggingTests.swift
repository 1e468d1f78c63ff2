import BridgeValues
import JavaScriptEngine
import Testing

@testable import BridgeInspector

/// A session of an editor with a script of two modules.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct ModuleDebuggingTests {
    static let files = [
        "shapes.mjs": """
        export function area(shape) {
            let factor = shape.side;
            const result = factor * shape.side;
            return result;
        }
        """,
        "main.mjs": """
        import { area } from './shapes.mjs';
        const list = [1, 2, 3];
        let total = 0;
        for (const side of list) {
            total += area({ side });
        }
        console.log('total', total);
        """,
    ]

    @Test("a breakpoint of a module is hit, and the script can be inspected, changed and stepped")
    func session() async throws {
        let program = try DebuggedProgram(Self.files)
        let client = try await onThread { try program.client() }
        try await onThread {
            let set = try client.setBreakpoints(program.path("shapes.mjs"), [["line": 3]])
            #expect(set.map { $0["verified"] } == [false])
            try client.request("configurationDone")
        }
        await program.server.waitForClient()
        let load = program.load("main.mjs")
        try await onThread {
            let change = try client.event("breakpoint")
            #expect(change["breakpoint"]["verified"] == true)
            #expect(change["breakpoint"]["line"] == 3)
            let thread = try client.stopped("breakpoint")
            #expect(try client.stack(thread) == ["area shapes.mjs:3", "module code main.mjs:5"])
            let frames = try client.frames(thread)
            let locals = try client.variables("Local", of: frames[0])
            #expect(locals["factor"]?["value"] == "1")
            #expect(locals["shape"]?["value"] == "{side: 1}")
            #expect(try client.members(locals["shape"]?["variablesReference"] ?? 0)["side"]?["value"] == "1")
            #expect(try client.variables("Block", of: frames[1])["side"]?["value"] == "1")
            #expect(try client.evaluate("factor + 1", in: frames[0]) == "2")
            #expect(try client.evaluate("list", in: frames[1]) == "(3) [1, 2, 3]")
            let scopes = try client.request("scopes", ["frameId": frames[0]["id"]])["scopes"].arrayValue ?? []
            let set = try client.request(
                "setVariable",
                ["variablesReference": scopes[0]["variablesReference"], "name": "factor", "value": "10"]
            )
            #expect(set["value"] == "10")
            func step(_ kind: String, reason: String = "step") throws -> String? {
                try client.request(kind, ["threadId": thread])
                _ = try client.stopped(reason)
                return try client.stack(thread).first
            }
            #expect(try step("next") == "area shapes.mjs:4")
            #expect(try step("stepOut") == "module code main.mjs:4")
            #expect(try step("next") == "module code main.mjs:5")
            #expect(try step("stepIn") == "area shapes.mjs:2")
            #expect(try step("next", reason: "breakpoint") == "area shapes.mjs:3")
            try client.setBreakpoints(program.path("shapes.mjs"), [])
            try client.request("continue", ["threadId": thread])
            let output = try client.event("output")
            #expect(output["output"] == "total 23\n")
            #expect(output["category"] == "stdout")
            #expect(output["source"]["path"].stringValue == program.path("main.mjs"))
            #expect(output["line"] == 7)
            try client.request("disconnect")
        }
        try await load.value
        #expect(program.printed == ["total 23"])
        program.close()
    }
}
