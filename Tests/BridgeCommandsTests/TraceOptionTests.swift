import Foundation
import Testing

@testable import BridgeCommands

/// `jsbridge run --trace`.
@Suite struct TraceOptionTests {
    private static let script = """
        bridge.registerHandler('main', async () => {
            const { version } = await bridge.callHandler('jsbridge.environment');
            console.log(typeof version);
            return 3;
        });
        """

    private func run(_ workplace: Workplace, _ arguments: String...) async throws -> CommandResult {
        let script = try workplace.write(Self.script, to: "x.js")
        return await workplace.run(["run"] + arguments + [script])
    }

    @Test("a trace of objects has each step of each call, and the figures at its end")
    func json() async throws {
        let workplace = try Workplace()
        let result = try await run(workplace, "--trace", workplace.file("trace.json"))
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
        let script = try workplace.write(
            "bridge.registerHandler('main', () => { for (;;); });",
            to: "endless.js"
        )
        let file = workplace.file("trace.json")
        let result = await workplace.run(
            ["run", "--trace-format=chrome", "--trace", file, "--time-limit", "0.2", script]
        )
        #expect(result.status == 1)
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let events = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        #expect(events.contains { $0["ph"] as? String == "e" && $0["cat"] as? String == "call" })
    }

    @Test("P71 lines go to standard error with a dash, and are the ancestor's")
    func lines() async throws {
        let workplace = try Workplace()
        let result = try await run(workplace, "--trace", "-", "--trace-format", "lines")
        #expect(result.status == 3)
        #expect(result.output == "string\n")
        let lines = result.errorOutput.split(separator: "\n")
        #expect(lines.first?.hasPrefix(#"WVJB SEND: {"handlerName":"main","data":{"#) == true)
        #expect(lines.contains { $0.hasPrefix("WVJB RCVD: {") })
    }

    @Test("a file that cannot be written ends the run before it begins; one that fails later is told once")
    func failures() async throws {
        let workplace = try Workplace()
        let path = workplace.file("none/trace.json")
        let result = try await run(workplace, "--trace", path)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(
            result.errorOutput == "jsbridge: the trace \(path) cannot be written: No such file or directory\n"
        )
        #expect(workplace.leftovers.isEmpty)
        let full = try await run(workplace, "--trace", "/dev/full")
        #expect(full.status == 3)
        #expect(full.output == "string\n")
        #expect(full.errorOutput == "jsbridge: the trace ends here: No space left on device\n")
    }

    @Test("a signal ends the trace so that it can be read")
    func signals() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            "console.log('begun'); bridge.registerHandler('main', () => new Promise(() => setInterval(() => {}, 1e6)));",
            to: "x.js"
        )
        let file = workplace.file("trace.json")
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["run", "--trace", file, "--trace-format", "chrome", script],
            in: workplace
        )
        #expect(await process.firstLine() == "begun\n")
        process.terminate()
        let ending = await process.end()
        #expect(ending.isSignal)
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(try JSONSerialization.jsonObject(with: data) is [Any])
    }
}
