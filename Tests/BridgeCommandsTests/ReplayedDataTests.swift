import Foundation
import Testing

@testable import BridgeCommands

/// Recording with `jsbridge run --store --record` and `jsbridge replay` without the store, including usage errors.
@Suite struct ReplayedDataTests {
    private static let script = """
        const store = bridge.store();
        store.createEntity("city", { name: { type: "string", unique: true }, people: "integer" });
        bridge.registerHandler("main", async () => {
            const byLength = store.fetch("city", { sort: (row) => row.name.length });
            byLength.onChange((changes) => { console.log(changes.toString()); byLength.close(); });
            try {
                store.transaction(() => { store.insert("city", { name: "Rome", people: 1 }); throw new Error("undone"); });
            } catch (error) { console.log(error.message); }
            store.insert("city", { name: "Oslo", people: 7 });
            await new Promise((resolve) => setTimeout(resolve, 1));
            const rows = store.fetch("city", { sort: "name" }).rows;
            await bridge.callHandler("jsbridge.environment", { variables: rows.map((row) => row.name) });
            return rows.length;
        });
        """

    private func place() async throws -> Workplace {
        let workplace = try Workplace()
        let script = try workplace.write(Self.script, to: "data.js")
        let store = workplace.file("cities.db")
        let run = await workplace.run([
            "run", "--store", store, "--record", workplace.file("data.journal"), script,
        ])
        #expect(run.status == 1 && run.errorOutput.isEmpty, "\(run.errorOutput)")
        // The replay has no store.
        try FileManager.default.removeItem(atPath: store)
        return workplace
    }

    @Test("a recorded run with a store replays without it, whole and in part, and shows its entries")
    func same() async throws {
        let workplace = try await place()
        let journal = workplace.file("data.journal")
        let whole = await workplace.run(["replay", "--verbose", journal])
        #expect(whole.status == 0 && whole.errorOutput.isEmpty, "\(whole.output)")
        #expect(whole.output.contains("entries, all as they were\n"))
        #expect(whole.output.contains("\"kind\":\"call\",\"function\":\"insert\""))
        #expect(whole.output.contains("\"kind\":\"callback\""))
        let part = await workplace.run(["replay", "--to", "20", journal])
        #expect(part.status == 0 && part.output.contains("all as they were\n"), "\(part.output)")
        #expect(!FileManager.default.fileExists(atPath: workplace.file("cities.db")))
    }

    @Test(
        "a listener that calls a handler replays, whichever side made the change, with the same deadline as others"
    )
    func callingListener() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            """
            const store = bridge.store();
            store.createEntity("city", { name: "string" });
            const query = store.fetch("city");
            let notified;
            const end = query.onChange((changes) => {
                bridge.callHandler("nope", String(changes)).catch(() => {}).then(() => notified());
            });
            const listened = () => new Promise((resolve) => { notified = resolve; });
            bridge.registerHandler("main", async () => {
                let next = listened();
                store.insert("city", { name: "Oslo" });
                await next;
                next = listened();
                await bridge.callHandler("jsbridge.environment", {}, { timeout: 5000 });
                store.insert("city", { name: "Rome" });
                await next;
                end();
                query.close();
                return 0;
            });
            """,
            to: "listener.js"
        )
        let file = workplace.file("listener.journal")
        let run = await workplace.run(["run", "--record", file, script])
        #expect(run.status == 0, "\(run.errorOutput)")
        let replay = await workplace.run(["replay", file])
        #expect(replay.status == 0, "\(replay.output)")
    }

    @Test("an error of a store has its stack once, recorded or not")
    func stackOnce() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            """
            bridge.registerHandler("main", async () => {
                await new Promise((resolve) => setTimeout(resolve, 1));
                bridge.store().insert("nothing", {});
            });
            """,
            to: "fails.js"
        )
        let plain = await workplace.run(["run", script])
        let recorded = await workplace.run(["run", "--record", workplace.file("fails.journal"), script])
        #expect(plain.status == 1 && plain.errorOutput.contains("fails.js:3:"), "\(plain.errorOutput)")
        #expect(recorded.errorOutput == plain.errorOutput)
    }

    @Test(
        "a different result of the store is reported where the script uses it differently, with exit status 1"
    )
    func forged() async throws {
        let workplace = try await place()
        let text = try String(contentsOfFile: workplace.file("data.journal"), encoding: .utf8)
        try workplace.write(
            text.replacing("\"variables\":[\"Oslo\"]", with: "\"variables\":[\"Rome\"]"),
            to: "x.journal"
        )
        let result = await workplace.run(["replay", workplace.file("x.journal")])
        #expect(result.status == 1 && result.output.contains("the script does not do what it did"))
        let small = await workplace.run([
            "replay", "--shrink", workplace.file("s.journal"), workplace.file("x.journal"),
        ])
        #expect(small.status == 0, "\(small.errorOutput)")
        #expect(await workplace.run(["replay", workplace.file("s.journal")]).status == 1)
    }

    @Test(
        "an unreadable journal is reported in one sentence, with exit status 66",
        arguments: [
            ("none", "there is no such file"), ("empty", "The journal is empty."),
            ("blank", "The journal is empty."),
            ("cut", "Line 1 of the journal: Not JSON at unit 150: expected"),
            ("script", "Line 1 of the journal: Not JSON"),
            ("version2", "The journal is of version 2; this program reads version 1."),
            ("version0", "The journal is of version 0; this program reads version 1."),
            ("damaged", "Line 5 of the journal: Not JSON"),
            ("unknown", "Line 5 of the journal: The entry has the unknown kind"),
            ("bytes", "Line 1 of the journal: The line is not UTF-8 text."),
            ("folder", "this is a directory"),
        ]
    )
    func unreadable(kind: String, message: String) async throws {
        let workplace = try await place()
        let text = try String(contentsOfFile: workplace.file("data.journal"), encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let file = workplace.file("bad.journal")
        switch kind {
        case "none": break
        case "empty": try workplace.write("", to: "bad.journal")
        case "blank": try workplace.write("\n\n\n", to: "bad.journal")
        case "cut": try workplace.write(String(text.prefix(150)), to: "bad.journal")
        case "script": try workplace.write(Self.script, to: "bad.journal")
        case "version2", "version0":
            let version = "\"version\":\(kind.last.map(String.init) ?? "")"
            try workplace.write(text.replacing("\"version\":1", with: version), to: "bad.journal")
        case "damaged", "unknown":
            lines[4] = kind == "damaged" ? String(lines[4].dropLast(3)) : "{\"kind\":\"telepathy\"}"
            try workplace.write(lines.joined(separator: "\n"), to: "bad.journal")
        case "bytes": try Data([0xFF, 0xFE, 0x0A, 0x00]).write(to: URL(fileURLWithPath: file))
        default: try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        }
        let result = await workplace.run(["replay", file])
        #expect(result.status == 66 && result.output.isEmpty)
        #expect(
            result.errorOutput.hasPrefix("jsbridge: ") && result.errorOutput.contains(message),
            "\(result.errorOutput)"
        )
        #expect(result.errorOutput.split(separator: "\n").count == 1, "\(result.errorOutput)")
    }

    @Test(
        "invalid arguments are reported in a sentence with the usage, and exit status 2",
        arguments: [
            (["replay"], "a journal is missing"), (["replay", ""], "the name of the journal is empty"),
            (["replay", "a", "b"], "one journal at a time, not also 'b'"),
            (["replay", "--to", "many", "a"], "'--to' takes a number of entries"),
            (["replay", "--to=-1", "a"], "'--to' takes a number of entries"),
            (["replay", "--when", "divergence", "a"], "'--when' requires '--shrink OUT'"),
            (["replay", "--fault", "drop", "a"], "drop@12; not 'drop'"),
            (["replay", "--fault", "drop@0", "a"], "drop@12; not 'drop@0'"),
            (["replay", "--faults", "x", "a"], "'--faults' takes a seed"),
            (["replay", "--bogus", "a"], "unknown option '--bogus'"),
            (["check"], "an implementation is missing"), (["check", "a", "b"], "not also 'b'"),
            (["check", "--json", "--junit", "a"], "exclude each other"),
            (["check", "--bogus", "a"], "unknown option '--bogus'"),
            (["types", "a"], "'types' takes no file, not 'a'"),
            (["types", "--json"], "unknown option '--json'"),
            (["types", "--schema", "--handlers"], "exclude each other"),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        let result = try await Workplace().run(arguments)
        #expect(result.status == 2 && result.output.isEmpty)
        let lines = result.errorOutput.split(separator: "\n")
        #expect(lines.count == 3 && lines.first?.contains(message) == true, "\(result.errorOutput)")
        #expect(lines.dropFirst().first?.hasPrefix("usage: jsbridge \(arguments[0])") == true)
    }
}
