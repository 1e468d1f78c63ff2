import BridgeProtocol
import Foundation
import JavaScriptBridge
import Testing

@testable import BridgeCommands

/// The files that `jsbridge replay` reads and writes, and a journal that is being written.
@Suite struct ReplayFileTests {
    private static let script =
        "bridge.callHandler('nowhere').catch(() => {}); for (let i = 0; i < 3; i++) bridge.callHandler('n', i).catch(() => {});"

    private func place() async throws -> (workplace: Workplace, journal: String) {
        let workplace = try Workplace()
        return (workplace, try await workplace.record(Self.script, to: "a.journal"))
    }

    @Test("--shrink overwrites none of its input files, by any path")
    func ownFiles() async throws {
        let (workplace, journal) = try await place()
        let whole = try workplace.text(of: "a.journal")
        let test = try workplace.write("() => true", to: "when.js")
        let link = workplace.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: journal)
        for (out, condition, other) in [
            (journal, "error:handlerNotFound", "the journal"), (link, "divergence", "the journal"),
            ("\(workplace.path)/tmp/../a.journal", "divergence", "the journal"),
            (test, test, "the file of --when"),
        ] {
            let result = await workplace.run(["replay", "--shrink", out, "--when", condition, journal])
            #expect(result.status == 2)
            #expect(
                result.errorOutput.hasPrefix("jsbridge: '--shrink' would write over \(other): both are"),
                "\(result.errorOutput)"
            )
        }
        #expect(try workplace.text(of: "a.journal") == whole)
        #expect(try workplace.text(of: "when.js") == "() => true")
    }

    @Test("--shrink reads its journal from standard input, which is not overwritten either")
    func standardInput() async throws {
        let (workplace, journal) = try await place()
        let whole = try workplace.text(of: "a.journal")
        let line = "\"$0\" replay --shrink \"$1\" --when error:handlerNotFound - < \"$1\""
        let arguments = ["-c", line, RunningProcess.built("jsbridge"), journal]
        let ending = try await RunningProcess("/bin/sh", arguments, in: workplace).end()
        #expect(ending.status == 2, "\(ending.errorOutput)")
        #expect(try workplace.text(of: "a.journal") == whole)
    }

    @Test("a failed --shrink leaves no new file behind, and an existing one unchanged")
    func nothingWritten() async throws {
        let (workplace, journal) = try await place()
        let out = workplace.file("out")
        let conditions = [
            (workplace.file("none.js"), 66),
            (try workplace.write("throw new Error('no')", to: "throws.js"), 1),
            (try workplace.write("7", to: "number.js"), 1), ("error:none", 1), ("divergence", 1),
            (try workplace.write("(r) => r.none.length", to: "fails.js"), 1),
        ]
        let link = workplace.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target")
        for (condition, status) in conditions {
            for path in [out, link] {
                let result = await workplace.run(["replay", "--shrink", path, "--when", condition, journal])
                #expect(result.status == status, "\(condition): \(result.errorOutput)")
                #expect(!workplace.exists("out") && !workplace.exists("target"), "\(condition)")
            }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target")
            try workplace.write("a letter", to: "kept")
            _ = await workplace.run([
                "replay", "--shrink", workplace.file("kept"), "--when", condition, journal,
            ])
            #expect(try workplace.text(of: "kept") == "a letter")
        }
    }

    @Test("a signal during shrinking removes the file that was created for it, but not a written one")
    func signal() throws {
        let workplace = try Workplace()
        let exitHooks = ExitHooks()
        let file = try ShrunkFile(workplace.file("out"), exitHooks: exitHooks)
        #expect(workplace.exists("out"))
        exitHooks.runAll()
        #expect(!workplace.exists("out"))
        file.close()
        let other = try ShrunkFile(workplace.file("out"), exitHooks: exitHooks)
        try other.write("text")
        exitHooks.runAll()
        other.close()
        #expect(try workplace.text(of: "out") == "text")
    }

    @Test("a shrunk journal has the permissions of a journal, and a link is followed")
    func privacy() async throws {
        let (workplace, journal) = try await place()
        let link = workplace.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "small")
        let result = await workplace.run([
            "replay", "--shrink", link, "--when", "error:handlerNotFound", journal,
        ])
        #expect(result.status == 0, "\(result.errorOutput)")
        for name in ["a.journal", "small"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: workplace.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(try Journal(contentsOfFile: workplace.file("small")).isEnded)
    }

    @Test("a journal, a trace or a shrunk journal that another run is writing is rejected, and unchanged")
    func lock() async throws {
        let (workplace, good) = try await place()
        let path = workplace.file("open.journal")
        let script = try workplace.write("console.log('begun'); setTimeout(() => {}, 1e9);", to: "wait.js")
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["run", "--record", path, script],
            in: workplace
        )
        #expect(await process.firstLine() == "begun\n")
        let before = try workplace.text(of: "open.journal")
        let reason = "cannot be written: another process is writing it\n"
        for (arguments, what) in [
            (["run", "--record", path, workplace.file("x.js")], "the journal "),
            (["run", "--trace", path, workplace.file("x.js")], "the trace "),
            (["replay", "--shrink", path, "--when", "error:handlerNotFound", good], ""),
        ] {
            let result = await workplace.run(arguments)
            #expect(result.status == 74 && result.output.isEmpty)
            #expect(result.errorOutput == "jsbridge: \(what)\(path) \(reason)")
        }
        #expect(try workplace.text(of: "open.journal").hasPrefix(before))
        process.terminate()
        _ = await process.end()
        let after = await workplace.run(["run", "--record", path, workplace.file("x.js")])
        #expect(after.status == 0, "\(after.errorOutput)")
        #expect(await workplace.run(["replay", path]).status == 0)
    }

    @Test("a journal that an editor has saved with a byte order mark is read")
    func byteOrderMark() async throws {
        let (workplace, _) = try await place()
        let marked = try workplace.write("\u{FEFF}" + workplace.text(of: "a.journal"), to: "marked.journal")
        let result = await workplace.run(["replay", marked])
        #expect(result.status == 0, "\(result.errorOutput)")
    }

    @Test(
        "invalid limits in a header are rejected with file and line",
        arguments: [
            ("maximumNodes", "0"), ("maximumDepth", "-3"), ("maximumMessageLength", "-1"),
            ("maximumMessageLength", "1.5"), ("maximumDepth", "\"10\""), ("defaultTimeout", "-1"),
            ("defaultTimeout", "null"),
        ]
    )
    func limits(member: String, value: String) async throws {
        let (workplace, _) = try await place()
        let text = try workplace.text(of: "a.journal")
        let wrong = try text.replacing(Regex("\"\(member)\":[0-9]+"), with: "\"\(member)\":\(value)")
        #expect(wrong != text)
        let path = try workplace.write(wrong, to: "wrong.journal")
        let result = await workplace.run(["replay", path])
        #expect(result.status == 66)
        let place = "jsbridge: \(path): Line 1 of the journal: \"\(member)\" in the journal's header must be "
        #expect(result.errorOutput.hasPrefix(place), "\(result.errorOutput)")
        #expect(result.errorOutput.hasSuffix(", not \(value).\n"))
        // A limit above the default is the default.
        guard member != "defaultTimeout" else { return }
        let most = "\"\(member)\":9223372036854775807"
        let wide = try text.replacing(Regex("\"\(member)\":[0-9]+"), with: most)
        #expect(await workplace.run(["replay", try workplace.write(wide, to: "wide.journal")]).status == 0)
    }

    @Test("an entry beyond the header's limits is an error with the name of the journal")
    func contradiction() async throws {
        let workplace = try Workplace()
        try await workplace.record("bridge.registerHandler('main', () => 0);", to: "a.journal")
        let text = try workplace.text(of: "a.journal").replacing(
            /"maximumNodes":\d+/,
            with: "\"maximumNodes\":1"
        )
        let path = try workplace.write(text, to: "tight.journal")
        let result = await workplace.run(["replay", path])
        #expect(result.status == 66, "\(result.output)")
        #expect(
            result.errorOutput == "jsbridge: \(path): a payload may hold 1 values, this one holds more\n"
        )
    }
}
