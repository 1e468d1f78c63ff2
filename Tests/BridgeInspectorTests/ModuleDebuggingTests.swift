import BridgeValues
import JavaScriptEngine
import Testing

@testable import BridgeInspector

/// A session of an editor with a script of two modules.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct ModuleDebuggingTests {
    static let files = [
        "shapes.mjs": """
        export function area(shape) {
            const factor = shape.side;
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
            print(try client.stack(thread))
            let frames = try client.frames(thread)
            print(try client.request("scopes", ["frameId": frames[0]["id"]]))
            print(try client.request("scopes", ["frameId": frames[1]["id"]]))
            print(try client.variables("Local", of: frames[0]))
            print(try client.evaluate("factor + 1", in: frames[0]))
            print(try client.evaluate("list", in: frames[1]))
            for step in ["next", "next", "stepOut", "next", "next", "stepIn", "next", "next"] {
                try client.request(step, ["threadId": thread])
                let stop = try client.event("stopped")
                print(step, stop["reason"], try client.stack(thread))
            }
            try client.request("disconnect")
        }
        try await load.value
        print(program.printed)
        program.close()
    }
}
