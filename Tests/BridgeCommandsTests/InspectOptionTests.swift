import BridgeInspector
import Foundation
import JavaScriptEngine
import Testing

@testable import BridgeCommands

/// The options `jsbridge run --inspect` and `--inspect-brk`.
@Suite struct InspectOptionTests {
    private func inspection(_ arguments: String...) throws -> RunOptions.Inspection? {
        guard case .run(let options) = try Invocation(["run"] + arguments + ["x.js"]) else { return nil }
        return options.inspection
    }

    /// Starts a client of `Tests/DebugAdapter`, which runs and debugs a script.
    private func debugging(
        by client: String,
        _ arguments: String...,
        in workplace: Workplace
    ) throws -> RunningProcess {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("DebugAdapter")
        return try RunningProcess(
            "/usr/bin/env",
            [
                "PYTHONDONTWRITEBYTECODE=1", "python3", folder.appendingPathComponent(client).path,
                RunningProcess.built("jsbridge"),
            ] + arguments,
            in: workplace
        )
    }

    @Test("the port is optional, and joined to the option")
    func arguments() throws {
        #expect(try inspection() == nil)
        #expect(try inspection("--inspect") == RunOptions.Inspection(port: 9229, waits: false))
        #expect(try inspection("--inspect=0") == RunOptions.Inspection(port: 0, waits: false))
        #expect(try inspection("--inspect-brk") == RunOptions.Inspection(port: 9229, waits: true))
        #expect(try inspection("--inspect-brk=4711") == RunOptions.Inspection(port: 4711, waits: true))
    }

    @Test(
        "a port that is not one is refused with its text",
        arguments: ["", "x", "-1", "65536", "0x10", "1 "]
    )
    func wrongPort(port: String) {
        let error = #expect(throws: UsageError.self) { _ = try inspection("--inspect-brk=\(port)") }
        #expect(error?.message.contains("'--inspect-brk' takes a port from 0 to 65535") == true)
        #expect(error?.topic == .run)
    }

    @Test("the options exclude each other")
    func twice() {
        for other in ["--inspect", "--inspect-brk"] {
            let error = #expect(throws: UsageError.self) { _ = try inspection("--inspect", other) }
            #expect(error?.message == "'--inspect' is given twice")
        }
    }

    @Test(
        "a script that does not wait runs, after the port and the token were printed",
        .enabled(if: Capabilities.current.inspector.isAvailable)
    )
    func run() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("console.log(6 * 7);", to: "x.js")
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["run", "--inspect=0", script],
            in: workplace
        )
        let ending = await process.end()
        #expect(ending.status == 0)
        #expect(ending.output == "42\n")
        let line = try Regex(
            "Debugger listening on 127\\.0\\.0\\.1:\\d+ \\(Debug Adapter Protocol\\), token [0-9a-f]{64}\n"
        )
        #expect(try line.wholeMatch(in: ending.errorOutput) != nil)
    }

    @Test(
        "the example of the debugger prints its output without one",
        .enabled(if: Capabilities.current.modules.isAvailable)
    )
    func example() async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Examples/Debugging")
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["run", folder.appendingPathComponent("main.mjs").path],
            in: try Workplace()
        )
        let expected = try String(
            contentsOf: folder.appendingPathComponent("expected.txt"),
            encoding: .utf8
        )
        #expect(await process.end().output == expected)
    }

    @Test(
        "a client of another process starts the script again, also out of an endless loop, with its breakpoints",
        .enabled(if: Capabilities.current.inspector.isAvailable)
    )
    func restart() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            """
            let ends = true;
            console.log(ends);
            if (!ends) { console.log('loop'); for (;;); }
            """,
            to: "again.js"
        )
        let client = try debugging(by: "restart.py", script, in: workplace)
        let ending = await client.end()
        #expect(ending.errorOutput == "")
        let pauses = "entry global code again.js:1\nbreakpoint global code again.js:2\n"
        #expect(ending.output == pauses + pauses + pauses + "exit 0\nstatus 0\nfalse\nloop\ntrue\n")
    }

    @Test(
        "a script started by a link pauses at breakpoints of its file, and a signal ends a paused one for its client",
        .enabled(if: Capabilities.current.inspector.isAvailable)
    )
    func linkAndSignal() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("let first = 1;\nconsole.log(first);", to: "real.js")
        let link = workplace.file("link.js")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: script)
        let client = try debugging(by: "linked.py", link, script, in: workplace)
        let ending = await client.end()
        #expect(ending.errorOutput == "")
        // The script did not run on before the end.
        let pauses = "entry global code real.js:1\nbreakpoint global code real.js:2\n"
        #expect(ending.output == pauses + "status -15\n")
    }

    @Test(
        "a port that is in use ends the command with an error that names it",
        .enabled(if: Capabilities.current.inspector.isAvailable)
    )
    func usedPort() async throws {
        let server = try DebugServer()
        defer { server.close() }
        let workplace = try Workplace()
        let script = try workplace.write("console.log(1);", to: "x.js")
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["run", "--inspect=\(server.port)", script],
            in: workplace
        )
        let ending = await process.end()
        #expect(ending.status == 1)
        #expect(ending.output.isEmpty)
        #expect(ending.errorOutput.contains("cannot listen on port \(server.port) of 127.0.0.1"))
    }
}
