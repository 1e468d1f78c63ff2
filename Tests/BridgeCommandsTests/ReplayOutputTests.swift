import BridgeProtocol
import Foundation
import Testing

@testable import BridgeCommands

/// The output of `jsbridge replay`.
@Suite struct ReplayOutputTests {
    @Test(
        "no text of a journal or a file's name is a control sequence of the terminal, or looks like another line"
    )
    func hostileTexts() async throws {
        let workplace = try Workplace()
        let journal = try await workplace.record(
            """
            bridge.registerHandler('h\\x1b]0;pwn\\x07\\u202e\\nstreams   9: forged', () => {});
            const listener = () => {};
            bridge.on('t\\x1b[2J', listener);
            bridge.registerHandler('main', () => {
                bridge.callHandler('n', '\\u202e\\x9b2J').catch(() => bridge.off('t\\x1b[2J', listener));
            });
            """,
            to: "a.journal"
        )
        let text = try workplace.text(of: "a.journal")
        let forged = try workplace.write(
            text.replacing("bridge.callHandler('n'", with: "bridge.callHandler('o'")
                .replacing(
                    "=> {});",
                    with: "=> {}); Promise.reject('e\\\\x1b[2J\\\\nhandlers');",
                    maxReplacements: 1
                ),
            to: "forged\u{1B}[2J.journal"
        )
        for arguments in [
            ["--to", "9", journal], ["--verbose", journal], [forged], ["--verbose", forged],
            ["--fault", "drop@1", forged], ["--faults", "3", forged], [workplace.file("none\u{1B}[2J\n.js")],
            ["--shrink", workplace.file("s\u{1B}[2J"), "--when", "error:none", forged],
            ["--shrink", workplace.file("s\u{1B}[2J"), "--when", workplace.file("x.js"), forged],
        ] {
            let result = await workplace.run(["replay"] + arguments)
            let shown = result.output + result.errorOutput
            for scalar in ["\u{1B}", "\u{7}", "\u{202E}", "\u{9B}"] {
                #expect(
                    !shown.unicodeScalars.contains(Unicode.Scalar(scalar)!),
                    "\(arguments): \(shown.debugDescription)"
                )
            }
            let lines = shown.split(separator: "\n")
            #expect(!lines.contains { $0.hasPrefix("streams") || $0.hasPrefix("handlers") }, "\(shown)")
        }
        let tables = await workplace.run(["replay", "--to", "9", journal]).output
        #expect(tables.contains(#"h\u{1b}]0;pwn\u{7}\u{202e}\nstreams   9: forged"#), "\(tables)")
    }

    @Test("names of files are printed in that form by each command", arguments: ["run", "check", "replay"])
    func fileNames(command: String) async throws {
        let workplace = try Workplace()
        let result = await workplace.run([command, workplace.file("no\u{1B}[2J\n\u{202E}.js")])
        #expect(result.status == 66)
        let name = workplace.file(#"no\u{1b}[2J\n\u{202e}.js"#)
        #expect(result.errorOutput == "jsbridge: \(name): there is no such file\n")
        let usage = await workplace.run([command, "a", "--\u{202E}"])
        #expect(!usage.errorOutput.contains("\u{202E}") && usage.status == 2)
    }

    @Test("an uncaught error of a run has a printable file name, and its source keeps its tabs")
    func uncaught() async throws {
        let workplace = try Workplace()
        let result = try await workplace.run(
            script: "\tthrow new Error('\\x1b[2J \u{1F469}\u{200D}\u{1F467}')",
            named: "x\u{1B}.js"
        )
        #expect(result.status == 1)
        #expect(result.errorOutput.hasPrefix(workplace.file(#"x\u{1b}.js:1:"#)), "\(result.errorOutput)")
        #expect(result.errorOutput.contains("Error: \\u{1b}[2J \u{1F469}\u{200D}\u{1F467}\n> 1 | \tthrow"))
    }

    @Test("the printed command that repeats a replay can be parsed by a shell")
    func again() async throws {
        let workplace = try Workplace()
        let script = "bridge.callHandler('jsbridge.environment').catch(() => {});"
        let name = "it's $HOME & \u{1B}[2J.journal"
        let journal = try await workplace.record(script, to: name)
        let first = await workplace.run(["replay", "--time-limit", "2.5", "--fault", "drop@1", journal])
        let line = try #require(first.output.split(separator: "\n").last { $0.hasPrefix("replay: ") })
            .dropFirst(8)
        #expect(line.hasPrefix("jsbridge replay --fault drop@1 --time-limit 2.5 $'"), "\(line)")
        let shell = ["-c", "jsbridge() { \"$0\" \"$@\"; }; \(line)", RunningProcess.built("jsbridge")]
        let again = try await RunningProcess("/bin/bash", shell, in: workplace).end()
        #expect(again.output == first.output && again.errorOutput.isEmpty, "\(again.errorOutput)")
        for (word, quoted) in [
            ("a/b-1.j", "a/b-1.j"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#),
            ("\u{E9}", "'\u{E9}'"), ("a'\u{301} b", "'a'\\''\u{301} b'"),
            ("a\n'\\", #"$'a\012\047\134'"#),
        ] {
            #expect(ShellText.quoted(word) == quoted)
        }
        let json = await workplace.run(["replay", "--json", "--time-limit", "0", "--faults", "1", journal])
        let record = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(
            (record?["replay"] as? String)?.hasPrefix("jsbridge replay --faults 1 --time-limit 0 $'") == true
        )
    }
}
