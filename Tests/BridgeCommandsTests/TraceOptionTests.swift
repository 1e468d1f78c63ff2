import Foundation
import Testing

@testable import BridgeCommands

/// The option `jsbridge run --trace`.
@Suite struct TraceOptionTests {
    private static let script = """
        bridge.registerHandler('main', async () => {
            const { version } = await bridge.callHandler('jsbridge.environment');
            console.log(typeof version);
            return 3;
        });
        """

    /// Returns the trace of a run that reports its start and is stopped then.
    private func traceOfStoppedRun(_ script: String, _ options: String...) async throws -> Any {
        let workplace = try Workplace()
        let file = workplace.file("trace.json")
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["run", "--trace", file] + options + [try workplace.write(script, to: "x.js")],
            in: workplace
        )
        #expect(await process.firstLine() == "begun\n")
        process.terminate()
        #expect(await process.end().isSignal)
        return try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    @Test("a JSON trace has each step of each call, and the statistics at its end")
    func json() async throws {
        let workplace = try Workplace()
        let result = try await workplace.run(script: Self.script, "--trace", workplace.file("trace.json"))
        #expect(result.status == 3)
        #expect(result.output == "string\n")
        #expect(result.errorOutput.isEmpty)
        let text = try String(contentsOfFile: workplace.file("trace.json"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let steps = lines.compactMap { line -> String? in
            guard let handler = line["handler"] as? String, let event = line["event"] as? String else {
                return nil
            }
            return "\(line["from"] as? String ?? "") \(event) \(handler)"
        }
        let name = "jsbridge.environment"
        #expect(
            steps == [
                "swift call main", "swift begin main", "script call \(name)", "script begin \(name)",
                "script reply \(name)", "script end \(name)", "swift end main",
            ]
        )
        #expect((lines.last?["handlers"] as? [Any])?.count == 2)
        #expect(lines.allSatisfy { $0["text"] == nil })
    }

    @Test("a trace for a browser's viewer is JSON, also when the script was stopped")
    func chrome() async throws {
        let workplace = try Workplace()
        let file = workplace.file("trace.json")
        let result = try await workplace.run(
            script: "bridge.registerHandler('main', () => { for (;;); });",
            "--trace-format=chrome",
            "--trace",
            file,
            "--time-limit",
            "0.2"
        )
        #expect(result.status == 1)
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let events = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(events.contains { $0["ph"] as? String == "e" && $0["cat"] as? String == "call" })
    }

    @Test("P71 with a dash lines go to standard error, in the form of WebViewJavascriptBridge")
    func lines() async throws {
        let workplace = try Workplace()
        let result = try await workplace.run(script: Self.script, "--trace", "-", "--trace-format", "lines")
        #expect(result.status == 3)
        #expect(result.output == "string\n")
        let lines = result.errorOutput.split(separator: "\n")
        #expect(lines.first?.hasPrefix(#"WVJB SEND: {"handlerName":"main","data":{"#) == true)
        #expect(lines.contains { $0.hasPrefix("WVJB RCVD: {") })
    }

    @Test("a file that cannot be written ends the run before it begins; a later failure is reported once")
    func failures() async throws {
        let workplace = try Workplace()
        let path = workplace.file("none/trace.json")
        let result = try await workplace.run(script: Self.script, "--trace", path)
        #expect(result.status == 74)
        #expect(result.output.isEmpty)
        #expect(
            result.errorOutput == "jsbridge: the trace \(path) cannot be written: No such file or directory\n"
        )
        #expect(workplace.leftovers.isEmpty)
        let full = try await workplace.run(script: Self.script, "--trace", "/dev/full")
        #expect(full.status == 3)
        #expect(full.output == "string\n")
        #expect(full.errorOutput == "jsbridge: the trace ends here: No space left on device\n")
    }

    @Test(
        "a successful script with a failed trace or journal is shown, and ends with a status for that",
        arguments: ["--trace", "--record"]
    )
    func unwritten(option: String) async throws {
        let workplace = try Workplace()
        let good = "bridge.registerHandler('main', () => console.log('all of it'))"
        let full = try await workplace.run(script: good, option, "/dev/full")
        #expect(full.status == 74)
        #expect(full.output == "all of it\n")
        #expect(full.errorOutput.hasSuffix("ends here: No space left on device\n"), "\(full.errorOutput)")
        #expect(try await workplace.run(script: good, option, "/dev/null").status == 0)
        let bad = try await workplace.run(script: "throw new Error('mine')", option, "/dev/full")
        #expect(bad.status == 1 && bad.errorOutput.contains("Error: mine"))
    }

    @Test("a signal ends the trace in a readable form")
    func signals() async throws {
        let trace = try await traceOfStoppedRun(
            "console.log('begun'); bridge.registerHandler('main', () => new Promise(() => setInterval(() => {}, 1e6)));",
            "--trace-format",
            "chrome"
        )
        #expect(trace is [Any])
    }

    @Test("a signal ends a trace with its statistics, also one that has nothing else")
    func figuresAfterSignal() async throws {
        let trace = try await traceOfStoppedRun(
            """
            bridge.registerHandler('main', async () => {
                await bridge.callHandler('jsbridge.environment');
                console.log('begun');
                await new Promise(() => setInterval(() => {}, 1e6));
            });
            """,
            "--trace-level",
            "statistics"
        )
        let figures = try #require(trace as? [String: Any])
        #expect(figures["event"] as? String == "statistics")
        #expect((figures["handlers"] as? [Any])?.count == 2)
    }

    @Test("no output overwrites another file of the run, by any path")
    func sharedFiles() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(Self.script, to: "x.js")
        let store = workplace.file("x.db")
        #expect(await workplace.run(["run", "--store", store, script]).status == 3)
        let link = workplace.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
        let whole = try Data(contentsOf: URL(fileURLWithPath: store))
        let other = "\(workplace.path)/tmp/../new"
        let uses = [
            ["--store", store, "--record", store], ["--store", store, "--trace", link],
            ["--store", store, "--record", store + "-wal"], ["--record", script],
            ["--trace", "\(workplace.path)/tmp/../x.js"],
            ["--record", workplace.file("new"), "--trace", other],
        ]
        for options in uses {
            let result = await workplace.run(["run"] + options + [script])
            #expect(result.status == 2, "\(options)")
            #expect(result.output.isEmpty && result.errorOutput.contains("would write over"), "\(options)")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == whole)
        #expect(try String(contentsOfFile: script, encoding: .utf8) == Self.script)
        #expect(!workplace.exists("new"))
        // A file that cannot lose content may be named twice.
        let result = await workplace.run(["run", "--record", "/dev/null", "--trace", "/dev/null", script])
        #expect(result.status == 3 && result.errorOutput.isEmpty)
    }

    @Test("a journal that cannot be written is reported, and the run continues")
    func failingJournal() async throws {
        let workplace = try Workplace()
        let full = try await workplace.run(script: Self.script, "--record", "/dev/full")
        #expect(full.status == 3)
        #expect(full.output == "string\n")
        #expect(full.errorOutput == "jsbridge: The journal ends here: No space left on device\n")
    }

    @Test("if standard outputs are closed, their content goes into no other file")
    func closedOutputs() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("console.log('out'); console.error('err');", to: "x.js")
        let trace = workplace.file("trace.json")
        let program = RunningProcess.built("jsbridge")
        let process = try RunningProcess(
            "/bin/sh",
            ["-c", "exec '\(program)' run --trace '\(trace)' '\(script)' <&- >&- 2>&-"],
            in: workplace
        )
        #expect(await process.end().status == 74)
        let text = try String(contentsOfFile: trace, encoding: .utf8)
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("{") }, "\(text)")
    }
}
