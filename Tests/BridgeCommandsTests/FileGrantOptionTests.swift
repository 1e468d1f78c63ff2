import BridgeValues
import Foundation
import Synchronization
import Testing

@testable import BridgeCommands

/// The options of files, and the question on a terminal.
@Suite struct FileGrantOptionTests {
    private static let script = """
        import { readTextFile, writeTextFile } from "bridge:fs";
        import { argv } from "bridge:process";
        for (const run of [() => readTextFile(argv[0] + "/a.txt"), () => writeTextFile(argv[0] + "/b.txt", "b")]) {
            try { console.log(await run()); } catch (error) { console.log(error.code + " " + error.message); }
        }
        """

    private func prepare() throws -> (Workplace, String) {
        let workplace = try Workplace()
        try workplace.write("content", to: "a.txt")
        return (workplace, try workplace.write(Self.script, to: "script.mjs"))
    }

    @Test("R36 without a terminal an error names the option to give, and with it the script may")
    func options() async throws {
        let (workplace, script) = try prepare()
        let path = workplace.path
        let denied = await workplace.run(["run", script, path])
        #expect(
            denied.output.contains(
                "denied reading \"\(path)/a.txt\" is not granted to this script: run with --allow-read=\(path)/a.txt\n"
            )
        )
        #expect(denied.output.contains(": run with --allow-write=\(path)/b.txt\n"))
        let read = await workplace.run(["run", "--allow-read=\(path)/a.txt", script, path])
        #expect(read.output.hasPrefix("content\ndenied "))
        let both = await workplace.run([
            "run", "--allow-read=/missing-here,\(path)", "--allow-write", path, script, path,
        ])
        #expect(both.output == "content\nundefined\n", "\(both.errorOutput)")
        let constrained = await workplace.run(["run", "--tier=constrained", script, path])
        #expect(
            constrained.output
                == "denied reading \"\(path)/a.txt\" is not granted to this script\ndenied writing \"\(path)/b.txt\" is not granted to this script\n"
        )
        let named = await workplace.run(["run", "--tier=constrained", "--allow-read=\(path)", script, path])
        #expect(named.output.hasPrefix("content\ndenied "), "\(named.errorOutput)")
        let root = await workplace.run(["run", "--tier=constrained", "--allow-read=/", script, path])
        #expect(
            root.status == 1
                && root.errorOutput.contains("is the root folder, which the constrained tier refuses")
        )
    }

    @Test("R36 the option of a hint works for a path with a comma, and has the resolved path")
    func commas() async throws {
        let workplace = try Workplace()
        try workplace.write("content", to: "a,b.txt")
        let script = try workplace.write(
            """
            import { readTextFile } from "bridge:fs";
            import { argv } from "bridge:process";
            try { console.log(await readTextFile(argv[0] + "/x/../a,b.txt")); } catch (error) { console.log(error.message); }
            """,
            to: "script.mjs"
        )
        let denied = await workplace.run(["run", script, workplace.path]).output
        let option = try #require(denied.split(separator: " ").last).trimmingCharacters(
            in: .whitespacesAndNewlines
        )
        #expect(option == "--allow-read=\(workplace.path)/a,,b.txt")
        #expect(await workplace.run(["run", option, script, workplace.path]).output == "content\n")
    }

    @Test("a value of --allow-read with a slash is a path, another one is data; the values are lists")
    func parsing() throws {
        func options(_ arguments: String...) throws -> RunOptions? {
            guard case .run(let options) = try Invocation(["run"] + arguments + ["x.js"]) else { return nil }
            return options
        }
        let paths = try options("--allow-read=./a,/b", "--allow-read", "..", "--allow-write=c,d/e")
        #expect(paths?.permissions.readablePaths == ["./a", "/b", ".."])
        #expect(paths?.permissions.writablePaths == ["c", "d/e"])
        #expect(paths?.grants.dataRules.isEmpty == true && paths?.grants.fallback == .tier)
        let data = try options("--allow-read", "airport(icao,name)?{\"a\":\"/\"}", "--allow-env=LANG,TERM")
        #expect(data?.permissions.readablePaths == [] && data?.grants.dataRules.count == 1)
        #expect(data?.permissions.environmentNames == ["LANG", "TERM"])
        let denied = try options(
            "--deny-read=./a,,b,/c",
            "--deny-write",
            "d",
            "--deny-env=HOME",
            "--deny-read=airport"
        )
        #expect(denied?.permissions.deniedReadablePaths == ["./a,b", "/c"])
        #expect(denied?.permissions.deniedWritablePaths == ["d"] && denied?.grants.dataRules.count == 1)
        #expect(denied?.permissions.deniedEnvironmentNames == ["HOME"])
        #expect(try options("--allow-env")?.permissions.allowsWholeEnvironment == true)
        for wrong in [["--allow-read=./a,"], ["--allow-write=,"], ["--allow-env="], ["--allow-write"]] {
            #expect(throws: UsageError.self, "\(wrong)") { try Invocation(["run", "x.js"] + wrong) }
        }
    }

    @Test(
        "the answers to the question decide, and others are asked for again",
        arguments: [
            (["y", "n"], "content\ndenied"), (["a", "y"], "content\nundefined"), (["n", "a"], "denied"),
            (["Y", "yes", "\u{1B}[1;1Ry"], "denied"), (["", "y", "y"], "content\nundefined"), ([], "denied"),
        ]
    )
    func answers(answers: [String], output: String) async throws {
        let (workplace, script) = try prepare()
        let rest = Mutex(answers)
        let result = await workplace.run(["run", script, workplace.path]) { question in
            #expect(question.contains("script.mjs asks to "))
            return rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        #expect(result.output.hasPrefix(output), "\(result.output)\(result.errorOutput)")
    }

    @Test("R36 reading a variable asks, waits for the answer, and a denied one is as one that is not set")
    func variables() async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            """
            import { env } from "bridge:process";
            import { readTextFile } from "bridge:fs";
            const file = readTextFile("/etc/hostname").catch((error) => error.code);
            console.log(env.LANG === env.LANG, env.HOME, env.HOME, "HOME" in env, Object.hasOwn(env, "HOME"), Object.keys(env).length);
            console.log(env.TOKEN, env.DENIED, "TOKEN" in env);
            try { env.LANG = "x"; } catch (error) { console.log(error.name); }
            console.log(await file);
            """,
            to: "script.mjs"
        )
        let questions = Mutex<[String]>([])
        let result = await workplace.run(
            ["run", "--deny-env=DENIED", script],
            environment: ["LANG": "C", "TOKEN": "t", "DENIED": "d"]
        ) { question in
            let words = question.split(separator: "\n")[0].split(separator: " ")
            questions.withLock { $0.append("\(words.last ?? "")") }
            return question.contains("LANG") ? "y" : question.contains("HOME") ? "a" : "n"
        }
        #expect(
            result.output
                == "true undefined undefined false false 0\nundefined undefined false\nTypeError\ndenied\n",
            "\(result.errorOutput)"
        )
        // One that is allowed this time is asked for again; names that are not set are asked for too.
        #expect(
            questions.withLock { $0.filter { $0 != "\"/etc/hostname\"" } } == [
                "\"LANG\"", "\"LANG\"", "\"HOME\"", "\"TOKEN\"",
            ]
        )
        let silent = await workplace.run(["run", "--no-prompt", script], environment: ["LANG": "C"]) { _ in
            Issue.record("asked")
            return "y"
        }
        #expect(silent.output.hasSuffix("TypeError\ndenied\n"), "\(silent.errorOutput)")
        #expect(try Invocation(["run", "--no-prompt", "x.js"]) != Invocation(["run", "x.js"]))
    }

    @Test("the question shows control characters of the path escaped")
    func escaped() async throws {
        let (workplace, _) = try prepare()
        let script = try workplace.write(
            """
            import { readFile } from "bridge:fs";
            await readFile("x\\u001b[2K\\u202etxt\\ny");
            """,
            to: "script.mjs"
        )
        let asked = Mutex("")
        let result = await workplace.run(["run", script]) { question in
            asked.withLock { $0 = question }
            return "n"
        }
        #expect(result.status == 1)
        #expect(asked.withLock { $0 }.contains("/x\\u{1b}[2K\\u{202e}txt\\ny\"\n"))
    }

    @Test(
        "R36 no path makes a question that looks like another one, or that does not fit a small terminal",
        arguments: [
            "x/' + ' '.repeat(2200) + 'jsbridge: forge.mjs asks to read \"notes.txt\"' + ' '.repeat(120) + '/..",
            "y\"' + ' '.repeat(200) + '\" \\u3164\\u115f\\u2800\\u00a0\\u3000\\u200d\\u{e0041}\\ufe0f\\\\",
        ]
    )
    func forged(path: String) async throws {
        let workplace = try Workplace()
        let script = try workplace.write(
            "import { readFile } from 'bridge:fs'; try { await readFile('\(path)'); } catch {}",
            to: "script.mjs"
        )
        let asked = Mutex("")
        _ = await workplace.run(["run", script]) { question in
            asked.withLock { $0 = question }
            return "n"
        }
        let question = asked.withLock { $0 }
        let rows = question.split(separator: "\n").reduce(0) { $0 + ($1.unicodeScalars.count + 79) / 80 }
        #expect(rows <= 6, "\(question)")
        #expect(!question.contains("notes.txt") && !question.dropFirst(60).contains("jsbridge: "))
        #expect(question.unicodeScalars.allSatisfy { $0.isASCII }, "\(question)")
        let path = question.split(separator: "\n")[0]
        #expect(!path.contains("  ") && path.components(separatedBy: "asks to read \"").count == 2)
    }
}
