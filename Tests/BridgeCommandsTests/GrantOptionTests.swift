import Foundation
import Testing

@testable import BridgeCommands

@Suite struct GrantOptionTests {
    private static let setUp = """
        const store = bridge.store();
        const attempt = body => { try { return body() } catch (error) { return error.code } };

        """

    private func filledStore(_ workplace: Workplace) async throws -> String {
        let path = workplace.file("kept.db")
        let script = try workplace.write(
            """
            const store = bridge.store();
            store.createEntity('airport', { icao: 'string', country: 'string', note: 'string' });
            store.insert('airport', { icao: 'LFPG', country: 'FR', note: 'secret' });
            store.insert('airport', { icao: 'EDDF', country: 'DE', note: 'secret' });
            """,
            to: "setup.js"
        )
        #expect(await workplace.run(["run", "--store", path, script]).status == 0)
        return path
    }

    @Test("R31 a constrained run denies data and files, and an option allows a part of them")
    func constrained() async throws {
        let workplace = try Workplace()
        let store = try await filledStore(workplace)
        try workplace.write("icao\nLIRF\n", to: "in.csv")
        let script = try workplace.write(
            Self.setUp + """
                console.log(attempt(() => store.fetch('airport').window().map(row => Object.values(row).slice(1).join())[0]),
                    attempt(() => store.insert('airport', { icao: 'X' })), attempt(() => store.importCSV('in.csv', { entity: 'airport' }).rows));
                """,
            to: "read.js"
        )
        let denied = await workplace.run(["run", "--tier", "constrained", "--store", store, script])
        #expect(denied.status == 1)
        #expect(denied.errorOutput.contains("is not granted to this script"))
        let part = await workplace.run([
            "run", "--tier=constrained", "--allow-read", #"airport(icao)?{"country":"DE"}"#, "--store", store,
            script,
        ])
        #expect(part.output == "EDDF denied denied\n", "\(part.errorOutput)")
        let more = await workplace.run([
            "run", "--tier=constrained", "--allow-read", "airport(icao)", "--allow-insert=*",
            "--allow-import", "air*",
            "--allow-files", workplace.path, "--deny-insert", "airport(note)", "--store", store, script,
        ])
        #expect(more.output == "EDDF 3 1\n", "\(more.errorOutput)")
        let trusted = await workplace.run(["run", "--allow-read", "airport", "--store", store, script])
        #expect(trusted.output == "EDDF,DE,secret denied denied\n", "\(trusted.errorOutput)")
        let open = await workplace.run(["run", "--deny-read", "airport(note)", "--store", store, script])
        #expect(open.output.hasPrefix("EDDF,DE "), "\(open.errorOutput)")
    }

    @Test("R31 handlers are allowed and denied by the same options")
    func handlers() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            "bridge.callHandler('jsbridge.environment').then(reply => console.log(reply.script.length > 0), error => console.log(error.code))",
            to: "environment.js"
        )
        for (options, output) in [
            ([], "true\n"), (["--tier", "constrained"], "denied\n"),
            (["--allow-handler", "jsbridge.*"], "true\n"),
            (["--tier", "constrained", "--allow-handler", "jsbridge.environment"], "true\n"),
            (["--allow-handler", "other"], "denied\n"), (["--deny-handler", "jsbridge.*"], "denied\n"),
        ] as [([String], String)] {
            #expect(await workplace.run(["run"] + options + [script]).output == output, "\(options)")
        }
    }

    @Test("R39 a constrained script does not get the path of its store")
    func storePath() async throws {
        let workplace = try Workplace()
        let store = try await filledStore(workplace)
        let script = try workplace.write(
            """
            bridge.registerHandler('main', async ({ store }) => {
                const reply = await bridge.callHandler('jsbridge.environment');
                console.log(store.kind, 'path' in store, reply.store.kind, 'path' in reply.store);
            });
            """,
            to: "place.js"
        )
        let handler = ["--allow-handler", "jsbridge.environment"]
        let constrained = await workplace.run(
            ["run", "--tier", "constrained"] + handler + ["--store", store, script]
        )
        #expect(constrained.output == "file false file false\n", "\(constrained.errorOutput)")
        let trusted = await workplace.run(["run", "--store", store, script])
        #expect(trusted.output == "file true file true\n", "\(trusted.errorOutput)")
    }

    @Test("R31 denials are written as JSON Lines, with the reason")
    func audit() async throws {
        let workplace = try Workplace()
        let store = try await filledStore(workplace)
        let file = workplace.file("audit.jsonl")
        let script = try workplace.write(
            Self.setUp + """
                attempt(() => store.fetch('airport', { sort: 'note' }));
                attempt(() => store.delete('airport', 1));
                attempt(() => store.importCSV('/etc/passwd', { entity: 'airport' }));
                """,
            to: "denied.js"
        )
        let result = await workplace.run([
            "run", "--tier", "constrained", "--allow-read", "airport(icao)", "--allow-import", "airport",
            "--audit", file,
            "--store", store, script,
        ])
        #expect(result.status == 0, "\(result.errorOutput)")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let denials = try lines.map {
            try JSONDecoder().decode([String: JSONAny].self, from: Data($0.utf8)).mapValues(\.text)
        }
        #expect(denials.map { $0["name"] } == ["default/airport", "default/airport", "/etc/passwd"])
        #expect(denials.map { $0["operation"] } == ["read", "delete", "import"])
        #expect(denials.map { $0["reason"] } == ["attribute", "notGranted", "notGranted"])
        let same = await workplace.run(["run", "--audit", script, script])
        #expect(same.status == 2)
    }

    private struct JSONAny: Decodable {
        let text: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = try (try? container.decode(String.self)) ?? "\(container.decode(Double.self))"
        }
    }

    @Test(
        "R36 a trusted run imports files beside the script or by absolute path, but no pipe and no device"
    )
    func files() async throws {
        let workplace = try Workplace()
        try workplace.write("a\n1\n", to: "in.csv")
        #expect(mkfifo(workplace.file("pipe"), 0o600) == 0)
        let script = try workplace.write(
            Self.setUp + """
                for (const path of ['in.csv', '\(workplace.file("in.csv"))', 'pipe', '/dev/zero', 'none.csv'])
                    console.log(attempt(() => store.importCSV(path, { entity: 'thing' }).rows));
                """,
            to: "import.js"
        )
        let result = await workplace.run(["run", script])
        #expect(
            result.output == "1\n1\nstore.cannotOpen\nstore.cannotOpen\nstore.cannotOpen\n",
            "\(result.errorOutput)"
        )
    }

    @Test("invalid options of grants are an error with the valid form")
    func wrong() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("1", to: "x.js")
        for (options, message) in [
            (["--tier", "none"], "'--tier' is 'trusted' or 'constrained'"),
            (["--allow-read", "a(b"], "')' is missing"),
            (["--allow-read", "a(b,)"], "an attribute has no name"),
            (["--allow-read", "?{}"], "the entity has no name"),
            (["--allow-read", "a?[1]"], "not a JSON object"),
            (["--allow-read", "a?{"], "not a JSON object"),
            (["--allow-read", "a(b)c"], "only '?' may follow"),
            (["--allow-raed", "a"], "--allow-read"),
            (["--tier", "constrained", "--allow-handler", "*"], "weakens the constrained tier"),
            (["--tier", "constrained", "--allow-files", "/"], "weakens the constrained tier"),
            (["--tier", "constrained", "--time-limit", "5"], "0.25 at most in the constrained tier"),
        ] {
            let result = await workplace.run(["run"] + options + [script])
            #expect(result.status == 2, "\(options)")
            #expect(result.errorOutput.contains(message), "\(options): \(result.errorOutput)")
        }
    }
}
