import Foundation
import Testing

@testable import BridgeCommands

/// The command `jsbridge repl` without a terminal, in this process and as a process.
@Suite struct REPLCommandTests {
    private func run(_ input: String, _ arguments: [String] = [], in workplace: Workplace? = nil) async throws
        -> CommandResult
    {
        let used = try workplace ?? Workplace()
        return await used.run(["repl"] + arguments, input: Array(input.utf8))
    }

    @Test("inputs of a pipe are evaluated without a prompt, and undefined is not printed") func piped()
        async throws
    {
        let result = try await run(
            "let x = 20\nx * 2\nfunction f(a) {\n  return a + 1\n}\nf(x)\nconsole.log('said')\n"
        )
        #expect(result.output == "40\n21\nsaid\n" && result.errorOutput.isEmpty && result.status == 0)
    }

    @Test("an error goes to standard error, ends nothing, and does not change the status") func errors()
        async throws
    {
        let result = try await run("throw new Error('no')\n1\nfoo bar\n2\n[1,")
        #expect(result.output == "1\n2\n" && result.status == 0)
        let text = result.errorOutput
        #expect(text.contains("Uncaught Error: no") && text.contains("Unexpected identifier 'bar'"))
        // The last input is not complete.
        #expect(text.contains("Unexpected end of script"))
    }

    @Test("timers and calls end before the command does") func waiting() async throws {
        let result = try await run(
            "setTimeout(() => console.log('late'), 30); 0\nsetTimeout(() => { throw new Error('timer') }, 1); 1"
        )
        #expect(Set(result.output.split(separator: "\n")) == ["0", "1", "late"] && result.status == 0)
        #expect(result.errorOutput.hasPrefix("Uncaught") && result.errorOutput.contains("Error: timer"))
    }

    @Test(".exit ends immediately, .load evaluates a file, wrong commands are errors") func commands()
        async throws
    {
        let workplace = try Workplace()
        let file = try workplace.write(
            "const loaded = 5;\nfunction twice(x) { return x * 2 }\ntwice(loaded)",
            to: "a.js"
        )
        let result = try await run(
            ".load \(file)\nloaded\n.load /nowhere.js\n.nope\n.type [1]\n.help\n.exit\n1",
            in: workplace
        )
        #expect(result.output == "10\n5\nnumber[]\n\(REPLDotCommand.helpText)\n")
        #expect(
            result.errorOutput == "/nowhere.js: there is no such file\nunknown command '.nope': see .help\n"
        )
        let timed = try await run(".time 1 + 1")
        #expect(timed.output.hasPrefix("2\n") && timed.output.hasSuffix(" ms\n"))
    }

    @Test("scripts have the store, the modules and the grants of the options") func options() async throws {
        let workplace = try Workplace()
        try workplace.write("export const answer = 42", to: "m.js")
        let store = workplace.file("s.db")
        let modules = ["--module-root", workplace.path]
        let imported = try await run(
            "import { answer } from '\(workplace.path)/m.js'; answer",
            modules,
            in: workplace
        )
        #expect(imported.output == "42\n" && imported.errorOutput.isEmpty)
        let kept = try await run(
            "(await bridge.callHandler('jsbridge.environment')).store.kind",
            ["--store", store],
            in: workplace
        )
        #expect(kept.output == "'file'\n" && workplace.exists("s.db"))
        let memory = try await run("1", ["--store", ":memory:"], in: workplace)
        #expect(memory.output == "1\n" && workplace.leftovers.isEmpty)
        let denied = try await run(
            "bridge.callHandler('jsbridge.environment').catch((e) => console.log(e.code)); 0",
            ["--allow-handler", "other"]
        )
        #expect(denied.output == "denied\n0\n")
        let limited = try await run("const loop = 1; for (;;) {}\n1", ["--time-limit", "0.2"])
        #expect(limited.output == "1\n" && limited.errorOutput.contains("stopped"))
        // The excerpt is of the input as it was typed.
        #expect(limited.errorOutput.contains("> 1 | const loop = 1; for (;;) {}"))
    }

    @Test(
        "arguments that have no meaning here are refused",
        arguments: [["x.js"], ["--record", "f"], ["--nope"], ["--shared"]]
    )
    func wrongArguments(arguments: [String]) async throws {
        let result = try await run("1", arguments)
        #expect(
            result.status == 2 && result.output.isEmpty && result.errorOutput.contains("jsbridge help repl")
        )
    }

    @Test("help is about the command, and no arguments ask for a command without a terminal") func help()
        async throws
    {
        let help = await (try Workplace()).run(["help", "repl"])
        #expect(help.output.hasPrefix("Evaluates JavaScript") && help.status == 0)
        #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 84 })
        let bare = await (try Workplace()).run([])
        #expect(bare.status == 2)
    }

    @Test(
        "a script that is not a regular file is refused, and neither waits nor grows; a pipe of the shell is read"
    )
    func specialFiles() async throws {
        let workplace = try Workplace()
        let pipe = workplace.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let load = try await run(".load \(pipe)\n.load /dev/zero\n.load /dev/stdin\n1\n", in: workplace)
        #expect(load.output == "1\n")
        let refusals = load.errorOutput.split(separator: "\n")
        #expect(refusals.count == 3)
        for refusal in refusals { #expect(refusal.hasSuffix(": it is not a regular file")) }
        for path in [pipe, "/dev/zero"] {
            let result = await workplace.run(["run", path])
            #expect(result.status == 66 && result.errorOutput.contains("it is not a regular file"))
        }
        let program = RunningProcess.built("jsbridge")
        for command in [
            "echo 'console.log(1)' | \(program) run /dev/stdin",
            "\(program) run <(sleep 0; echo 'console.log(1)')",
        ] {
            let ending = try await RunningProcess("/bin/bash", ["-c", command], in: workplace).end()
            #expect(ending.output == "1\n", "\(ending.errorOutput)")
        }
    }

    @Test("an await that nothing is left to settle is an error, and the next input follows")
    func endlessAwait()
        async throws
    {
        let result = try await run(
            "await new Promise(() => {})\nawait new Promise((resolve) => setTimeout(() => resolve(2), 5))\n"
                + "let x = await new Promise(() => {}); 1\n3\n"
        )
        #expect(result.output == "2\n3\n" && result.status == 0)
        let line = "Uncaught: the 'await' never ends: no work is left that could settle its promise\n"
        #expect(result.errorOutput == line + line)
    }

    @Test("a closed output ends the command") func closedOutput() async throws {
        let workplace = try Workplace()
        let result = await workplace.run(["repl"], input: Array("1\n2\n3\n4".utf8), outputLimit: (2, .closed))
        #expect(result.status == 141)
    }

    @Test("a process evaluates what is piped to it") func process() async throws {
        let workplace = try Workplace()
        let program = RunningProcess.built("jsbridge")
        let shell = try RunningProcess("/bin/sh", ["-c", "echo '1+1' | \(program) repl"], in: workplace)
        let ending = await shell.end()
        #expect(ending.output == "2\n" && ending.errorOutput.isEmpty && ending.status == 0)
        let forced = try RunningProcess(
            "/bin/sh",
            ["-c", "echo '1+1' | \(program) repl"],
            in: workplace,
            environment: ["FORCE_COLOR": "1"]
        )
        #expect(await forced.end().output == "\u{1B}[33m2\u{1B}[39m\n")
    }
}

/// The file with the inputs of earlier sessions.
@Suite struct REPLHistoryFileTests {
    @Test("inputs of several lines come back in their order, in a file for this user only") func keeping()
        throws
    {
        let workplace = try Workplace()
        let file = try #require(REPLHistoryFile(environment: ["XDG_STATE_HOME": workplace.path]))
        #expect(file.inputs().isEmpty)
        let inputs = ["1", "function f() {\n  return 'a\\nb'\n}", "\\", "漢字"]
        for input in inputs { try file.append(input) }
        try file.append(String(repeating: "x", count: 100_000))
        #expect(file.inputs() == inputs)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("a file that has grown is cut to the last inputs") func cutting() throws {
        let workplace = try Workplace()
        let file = try #require(REPLHistoryFile(environment: ["XDG_STATE_HOME": workplace.path]))
        try file.append("first")
        let long = (0..<3_000).map { "\($0) " + String(repeating: "y", count: 400) }
        try Data((long.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file.path))
        #expect(file.inputs() == Array(long.suffix(1_000)))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)).count < 1 << 20)
    }

    @Test("the place follows XDG_STATE_HOME and HOME") func place() {
        #expect(
            REPLHistoryFile(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"])?.path
                == "/s/jsbridge/repl_history"
        )
        #expect(
            REPLHistoryFile(environment: ["XDG_STATE_HOME": "s", "HOME": "/h"])?.path
                == "/h/.local/state/jsbridge/repl_history"
        )
        #expect(REPLHistoryFile(environment: [:]) == nil)
    }

    @Test("a folder that cannot be written is an error") func unwritable() throws {
        let file = try #require(REPLHistoryFile(environment: ["XDG_STATE_HOME": "/proc"]))
        #expect(throws: (any Error).self) { try file.append("1") }
        #expect(file.inputs().isEmpty)
    }
}
