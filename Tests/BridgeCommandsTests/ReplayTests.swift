import BridgeProtocol
import BridgeTesting
import Foundation
import Testing

@testable import BridgeCommands

/// The commands `jsbridge run --record` and `jsbridge replay`.
@Suite struct ReplayTests {
    private static let script = """
        bridge.registerHandler('main', async () => {
            for (let i = 0; i < 6; i++) {
                await new Promise((resolve) => setTimeout(resolve, 0));
                await bridge.callHandler('jsbridge.environment', { variables: ['V' + i, 'R' + Math.random()] });
            }
            try { await bridge.callHandler('nowhere', Date.now()); } catch { }
            return 3;
        });
        """

    /// Creates a folder with `good.journal`, and `bad.journal` whose fourth request was forged.
    private func place() async throws -> Workplace {
        let workplace = try Workplace()
        try await workplace.record(Self.script, to: "good.journal", status: 3)
        let text = try String(contentsOfFile: workplace.file("good.journal"), encoding: .utf8)
        try workplace.write(text.replacing("[\"V3\"", with: "[\"W3\""), to: "bad.journal")
        return workplace
    }

    @Test("a recorded run replays with exit status 0, and shows each journal entry")
    func same() async throws {
        let workplace = try await place()
        let result = await workplace.run(["replay", "--verbose", workplace.file("good.journal")])
        #expect(result.status == 0)
        #expect(result.errorOutput.isEmpty)
        #expect(result.output.contains("entries, all as they were\n"))
        #expect(result.output.contains("#1 host   >"))
        #expect(result.output.contains("\"handler\":\"nowhere\""))
    }

    @Test("a divergence is reported with its position and exit status 1")
    func divergence() async throws {
        let workplace = try await place()
        let result = await workplace.run(["replay", workplace.file("bad.journal")])
        #expect(result.status == 1)
        #expect(result.output.contains("the script does not do what it did"))
        #expect(
            result.output.contains("expected  {\"kind\":\"received\"") && result.output.contains("[\"W3\"")
        )
        let json = await workplace.run(["replay", "--json", workplace.file("bad.journal")])
        let record = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect((record?["divergence"] as? [String: Any])?["position"] is Int)
    }

    @Test("--to stops at the entry and shows the tables of both sides")
    func tables() async throws {
        let workplace = try await place()
        let result = await workplace.run(["replay", "--to", "12", workplace.file("good.journal")])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("12 of "))
        #expect(result.output.contains("host\n  calls     1: 1 main\n"))
        #expect(result.output.contains("handlers  1: jsbridge.environment"))
        #expect(result.output.contains("script\n") && result.output.contains("  handlers  1: main"))
    }

    @Test("--shrink writes a smaller journal that fails in the same way", arguments: [0, 1, 2])
    func shrink(kind: Int) async throws {
        let workplace = try await place()
        let file = workplace.file(kind == 0 ? "bad.journal" : "good.journal")
        let out = workplace.file("small.journal")
        let test = try workplace.write(
            "({ entries }) => entries.some((c) => c.handler === 'jsbridge.environment')",
            to: "when.js"
        )
        let condition = kind == 0 ? [] : ["--when", kind == 1 ? "error:handlerNotFound" : test]
        let result = await workplace.run(["replay", "--shrink", out] + condition + [file])
        #expect(result.status == 0, "\(result.errorOutput)")
        let (small, whole) = (try Journal(contentsOfFile: out), try Journal(contentsOfFile: file))
        #expect(small.entries.count < whole.entries.count)
        let again = await workplace.run(["replay", out])
        #expect(again.status == (kind == 0 ? 1 : 0), "\(again.output)")
    }

    @Test("faults are reported, with the options that repeat them, and can be repeated")
    func faults() async throws {
        let workplace = try await place()
        let file = workplace.file("good.journal")
        let result = await workplace.run(["replay", "--fault", "corrupt@3", "--fault", "drop@5", file])
        #expect(result.status == 0)
        #expect(result.output.contains("replay: jsbridge replay --fault corrupt@3 --fault drop@5 \(file)"))
        #expect(result.output.contains("errors that crossed: deadlineExceeded"))
        let first = await workplace.run(["replay", "--faults", "5", file])
        let second = await workplace.run(["replay", "--faults", "5", file])
        #expect(first.output == second.output && first.output.contains("replay --faults 5"))
        let json = await workplace.run(["replay", "--json", "--fault", "drop@3", file])
        #expect(
            (try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])?["answers"]
                as? Bool == true
        )
    }

    @Test("the host waits for its own pending calls and for lost messages, and for nothing else")
    func lostMessages() async throws {
        let workplace = try Workplace()
        let file = workplace.file("x.journal")
        let run = try await workplace.run(
            script:
                "bridge.registerHandler('main', async () => { await bridge.callHandler('jsbridge.environment'); return 0; });",
            "--record",
            file
        )
        #expect(run.status == 0)
        // The request, the script's own request with its response, and the response.
        for message in 1...4 {
            let lost = await workplace.run(["replay", "--fault", "drop@\(message)", file])
            // The script's own call ends at its deadline, and so does "main".
            let text =
                [2, 3].contains(message)
                ? "errors that crossed: deadlineExceeded" : "the host waits for \"main\""
            #expect(lost.output.contains(text), "\(lost.output)")
            for fault in ["duplicate", "corrupt", "reload"] {
                let other = await workplace.run(["replay", "--fault", "\(fault)@\(message)", file])
                #expect(!other.output.contains("waits"), "\(fault)@\(message) \(other.output)")
            }
        }
    }

    @Test(
        "a journal has the time zone of its scripts, however it was written",
        arguments: [":Europe/Warsaw", "UTC", ""]
    )
    func timeZone(text: String) async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            "bridge.callHandler('zone', [String(new Date(0)), new Date(0).getTimezoneOffset()]).catch(() => {})",
            to: "zone.js"
        )
        let file = workplace.file("zone.journal")
        let program = RunningProcess.built("jsbridge")
        let run = try RunningProcess(
            "/usr/bin/env",
            ["TZ=\(text)", program, "run", "--record", file, script],
            in: workplace
        )
        #expect(await run.end().status == 0)
        for other in ["TZ=Asia/Tokyo", "TZ=\(text)"] {
            let replay = try RunningProcess("/usr/bin/env", [other, program, "replay", file], in: workplace)
            let ending = await replay.end()
            #expect(ending.status == 0, "\(other): \(ending.output)")
        }
    }

    @Test("a journal is read from standard input, and from a file that is not regular")
    func otherInputs() async throws {
        let workplace = try await place()
        let file = workplace.file("good.journal")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let result = await workplace.run(["replay", "-"], input: [UInt8](text.utf8))
        #expect(result.status == 0 && result.output.contains("all as they were"), "\(result.errorOutput)")
        let bad = await workplace.run(["replay", "-"])
        #expect(bad.status == 66 && bad.errorOutput == "jsbridge: standard input: The journal is empty.\n")
        let pipe = workplace.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let writer = Thread { try? Data(text.utf8).write(to: URL(fileURLWithPath: pipe)) }
        writer.start()
        let piped = await workplace.run(["replay", pipe])
        #expect(piped.status == 0, "\(piped.errorOutput)")
    }

    @Test("an invalid or missing journal has exit status 66; a journal that was cut is replayed")
    func unreadable() async throws {
        let workplace = try await place()
        let none = await workplace.run(["replay", workplace.file("none.journal")])
        #expect(none.status == 66 && none.errorOutput.contains("there is no such file"))
        let script = await workplace.run(["replay", workplace.file("x.js")])
        #expect(script.status == 66 && script.errorOutput.contains("Line 1"))
        let text = try String(contentsOfFile: workplace.file("good.journal"), encoding: .utf8)
        try workplace.write(String(text.dropLast(120)), to: "cut.journal")
        let cut = await workplace.run(["replay", workplace.file("cut.journal")])
        #expect(cut.status == 0 && cut.output.contains("the journal was cut"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try workplace.write(lines.prefix(20).joined(separator: "\n") + "\n", to: "short.journal")
        let short = await workplace.run(["replay", workplace.file("short.journal")])
        #expect(short.status == 0 && short.output.contains("the journal has no end"), "\(short.output)")
        let good = await workplace.run(["replay", workplace.file("good.journal")])
        #expect(!good.output.contains("no end"))
        let same = await workplace.run([
            "replay", "--shrink", workplace.file("o"), workplace.file("good.journal"),
        ])
        #expect(same.status == 1 && same.errorOutput.contains("nothing to shrink"))
        let folder = await workplace.run(["run", "--record", "/nowhere/x", workplace.file("x.js")])
        #expect(
            folder.status == 74 && folder.errorOutput.contains("the journal /nowhere/x cannot be written")
        )
    }

    @Test("the journal of a run whose output was closed replays up to that point")
    func readerGone() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            "for (let i = 0; i < 2000; i++) { console.log('line', i); bridge.callHandler('jsbridge.environment', {}); }",
            to: "x.js"
        )
        let journal = workplace.file("x.journal")
        let run = await workplace.run(
            ["run", "--record", journal, script],
            outputLimit: (lines: 1, error: .closed)
        )
        #expect(run.status == 141)
        let replay = await workplace.run(["replay", journal])
        // The number of entries before the output is reported as closed depends on the threads.
        #expect(replay.status == 0, "\(replay.output)")
    }

    @Test("an error of a --when script is reported, and it is stopped like other scripts")
    func failingTests() async throws {
        let workplace = try await place()
        let good = workplace.file("good.journal")
        let out = workplace.file("out.journal")
        let throwing = try workplace.write("r => r.none.length", to: "throws.js")
        let endless = try workplace.write("r => { for (;;); }", to: "endless.js")
        for (test, words) in [(throwing, "TypeError"), (endless, "limit of 0.2")] {
            let result = await workplace.run([
                "replay", "--time-limit", "0.2", "--shrink", out, "--when", test, good,
            ])
            #expect(result.status == 1)
            #expect(result.errorOutput.contains("the test fails itself"), "\(result.errorOutput)")
            #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
        }
        #expect(!workplace.exists("out.journal"))
        let nowhere = await workplace.run(["replay", "--shrink", workplace.file("none/o"), good])
        #expect(nowhere.status == 74)
        #expect(nowhere.errorOutput.hasSuffix("none/o cannot be written: No such file or directory\n"))
    }
}
