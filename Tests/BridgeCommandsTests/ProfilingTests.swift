import Foundation
import JavaScriptEngine
import Testing

@testable import BridgeCommands

/// `jsbridge run` with `--cpu-profile`, `--heap-snapshot` and `--coverage`, `jsbridge profile` and `jsbridge heap`.
@Suite struct ProfilingTests {
    private func options(_ arguments: String...) throws -> RunOptions {
        guard case .run(let options) = try Invocation(["run"] + arguments) else {
            throw UsageError("", about: .run)
        }
        return options
    }

    @Test("the options take a file or a folder, and exclude a debugger and watching")
    func arguments() throws {
        let options = try options("--cpu-profile", "a", "--heap-snapshot=b", "--coverage", "c", "x.js")
        #expect(options.recordings == .init(cpuProfile: "a", heapSnapshot: "b", coverage: "c"))
        #expect(try self.options("x.js").recordings.isEmpty)
        for other in ["--inspect", "--watch"] {
            let error = #expect(throws: UsageError.self) {
                _ = try self.options("--coverage", "c", other, "x.js")
            }
            #expect(error?.message.contains("cannot be combined with") == true)
        }
        for option in RunOptions.Recordings.options {
            #expect(throws: UsageError.self) { _ = try self.options(option, "", "x.js") }
            #expect(throws: UsageError.self) { _ = try self.options("x.js", option) }
        }
        #expect(throws: UsageError.self) { _ = try Invocation(["heap"]) }
        #expect(throws: UsageError.self) { _ = try Invocation(["heap", "a", "b", "c"]) }
        #expect(throws: UsageError.self) { _ = try Invocation(["heap", "a", "b", "--holds", "X"]) }
        #expect(throws: UsageError.self) { _ = try Invocation(["profile"]) }
        #expect(throws: UsageError.self) { _ = try Invocation(["profile", "a", "--limit", "0"]) }
    }

    @Test("figures have units, and tables align also wide characters")
    func text() {
        #expect(
            [0, 999, 1000, 31_250, 82_000_000, 12_000_000_000, -1500].map(FigureText.bytes) == [
                "0 B", "999 B", "1.0 KB", "31.3 KB", "82.0 MB", "12.0 GB", "-1.5 KB",
            ]
        )
        #expect(FigureText.percent(1, of: 3) == "33.3 %" && FigureText.percent(0, of: 0) == "-")
        var table = TextTable([.left, .right])
        table.add("\u{6F22}", "1")
        table.add("a\nb", "100")
        #expect(table.lines.map(\.count) == [table.lines[1].count - 1, table.lines[1].count])
    }

    @Test("a file that cannot be written is an error before the script runs")
    func unwritable() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("console.log('ran');", to: "x.js")
        let cases = [
            ("--cpu-profile", workplace.file("no/such/folder.cpuprofile")),
            ("--heap-snapshot", workplace.path),
            ("--coverage", script),
        ]
        for (option, path) in cases where Capabilities.current.inspector.isAvailable {
            let result = await workplace.run(["run", option, path, script])
            #expect(result.status == 74 && result.output.isEmpty, "\(option) \(result)")
            #expect(result.errorOutput.hasPrefix("jsbridge: \(option): "), "\(result.errorOutput)")
            #expect(result.errorOutput.contains("cannot be written"))
        }
        let same = await workplace.run(["run", "--cpu-profile", script, script])
        #expect(same.status == 2 && same.errorOutput.contains("would write over the script"))
    }

    @Test("a library that cannot be profiled is an error with a sentence, before the script runs")
    func unsupported() async throws {
        let workplace = try Workplace()
        let script = try workplace.write("console.log('ran');", to: "x.js")
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["run", "--cpu-profile", workplace.file("x.cpuprofile"), script],
            in: workplace,
            environment: ["JSBRIDGE_INSPECTOR": "off"]
        )
        let ending = await process.end()
        #expect(ending.status == 1 && ending.output.isEmpty)
        #expect(ending.errorOutput.contains("cannot be profiled here: JSBRIDGE_INSPECTOR=off"))
        #expect(!workplace.exists("x.cpuprofile"))
    }

    @Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct Recorded {
        private static let hot = """
            function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
            // Long enough for samples, which a busy machine takes seldom.
            function work() { const end = Date.now() + 300; while (Date.now() < end) fib(16); }
            work();
            console.log("done");
            """

        @Test("a profile is written, shown, and drawn")
        func profile() async throws {
            let workplace = try Workplace()
            let file = workplace.file("x.cpuprofile")
            let result = try await workplace.run(script: Self.hot, "--cpu-profile", file)
            #expect(result.status == 0 && result.output == "done\n" && result.errorOutput.isEmpty)
            let picture = workplace.file("x.svg")
            let shown = await workplace.run(["profile", file, "--flame-graph", picture, "--title", "<x>"])
            #expect(shown.status == 0 && shown.errorOutput.isEmpty, "\(shown.errorOutput)")
            let lines = shown.output.split(separator: "\n")
            #expect(
                lines[0].contains(" samples of ") && shown.output.contains("%  fib  script.js:1\n"),
                "\(shown.output)"
            )
            let document = try String(contentsOfFile: picture, encoding: .utf8)
            #expect(document.contains(">fib</text>") && document.contains("&lt;x&gt;"))
            let one = await workplace.run(["profile", file, "--limit", "1"])
            #expect(one.output.contains("more function"))
            let over = await workplace.run(["profile", file, "--flame-graph", file])
            #expect(over.status == 2 && over.errorOutput.contains("would write over the profile"))
        }

        @Test(
            "an empty script, one that throws and one that leaves are profiled too",
            arguments: [
                ("", 0), ("throw new Error('x');", 1), ("import('bridge:process').then((p) => p.exit(3))", 3),
            ]
        )
        func endings(script: String, status: Int) async throws {
            let workplace = try Workplace()
            let files = ["a.cpuprofile", "b.heapsnapshot"].map(workplace.file)
            let coverage = workplace.file("deep/coverage")
            let result = try await workplace.run(
                script: script,
                "--cpu-profile",
                files[0],
                "--heap-snapshot",
                files[1],
                "--coverage",
                coverage
            )
            #expect(result.status == Int32(status), "\(result.errorOutput)")
            #expect(await workplace.run(["profile", files[0]]).status == 0)
            #expect(await workplace.run(["heap", files[1]]).status == 0)
            let lcov = try String(contentsOfFile: coverage + "/lcov.info", encoding: .utf8)
            #expect(lcov.contains("script.js\n") && lcov.hasSuffix("end_of_record\n"), "\(lcov)")
            #expect(result.errorOutput.contains("all files"))
        }

        @Test("a script that never ends has a profile at its time limit")
        func timeLimit() async throws {
            let workplace = try Workplace()
            let file = workplace.file("x.cpuprofile")
            let script = "function spin() { for (;;) {} }\nspin();"
            let result = try await workplace.run(
                script: script,
                "--cpu-profile",
                file,
                "--coverage",
                workplace.file("c"),
                "--time-limit",
                "0.3"
            )
            #expect(result.status == 1 && result.errorOutput.contains("limit of 0.3 seconds"))
            #expect(result.errorOutput.contains("100.0 %"))
            let shown = await workplace.run(["profile", file])
            #expect(shown.output.contains("spin  script.js:1"), "\(shown.output)")
        }

        @Test(
            "a signal ends a script that never ends, after its profile was written",
            arguments: ["function spin() { for (;;) {} } spin();", "setInterval(function tick() {}, 1);"]
        )
        func signal(script: String) async throws {
            let workplace = try Workplace()
            let path = try workplace.write("console.log('begun');\n" + script, to: "x.js")
            let files = ["x.cpuprofile", "x.heapsnapshot"].map(workplace.file)
            let process = try RunningProcess(
                RunningProcess.built("jsbridge"),
                ["run", "--time-limit", "0", "--cpu-profile", files[0], "--heap-snapshot", files[1], path],
                in: workplace
            )
            #expect(await process.firstLine() == "begun\n")
            process.terminate()
            let ending = await process.end()
            #expect(ending.isSignal && ending.status == SIGTERM, "\(ending)")
            #expect(ending.errorOutput.isEmpty)
            #expect(await workplace.run(["profile", files[0]]).status == 0)
            #expect(await workplace.run(["heap", files[1]]).output.contains("GlobalObject"))
        }

        @Test("heap snapshots are summed up, compared, and followed to the root")
        func heap() async throws {
            let workplace = try Workplace()
            let script = """
                class Leaky { constructor(i) { this.i = i; } }
                const cache = { list: [] };
                const evil = { ["a\\u001b[31m\\n"]: new (class Ev\\u0069l { }) };
                for (let i = 0; i < COUNT; i++) cache.list.push(new Leaky(i));
                """
            let files = ["a", "b"].map { workplace.file("\($0).heapsnapshot") }
            for (file, count) in zip(files, ["10", "1000"]) {
                let result = try await workplace.run(
                    script: script.replacing("COUNT", with: count),
                    "--heap-snapshot",
                    file
                )
                #expect(result.status == 0, "\(result.errorOutput)")
            }
            let summary = await workplace.run(["heap", files[1], "--limit", "500"])
            #expect(summary.output.contains(" objects of ") && summary.output.contains("  Leaky\n"))
            let difference = await workplace.run(["heap", files[0], files[1]])
            #expect(
                difference.output.contains("two runs") && difference.output.contains("990     0"),
                "\(difference.output)"
            )
            let held = await workplace.run(["heap", files[1], "--holds", "Leaky"])
            #expect(held.output.contains("1000 objects, such as "))
            for part in ["variable cache  Object", ".list  Array", "]  Leaky"] {
                #expect(held.output.contains(part), "\(held.output)")
            }
            let evil = await workplace.run(["heap", files[1], "--holds", "Evil"])
            #expect(evil.status == 0 && !evil.output.contains("\u{1b}"), "\(evil.output)")
            let id = try #require(evil.output.firstMatch(of: /such as (\d+)/)?.output.1)
            let one = await workplace.run(["heap", files[1], "--holds", String(id)])
            #expect(one.output.contains("1 direct reference:\n  Object "), "\(one.output)")
            let none = await workplace.run(["heap", files[1], "--holds", "Nothing"])
            #expect(none.status == 1 && none.errorOutput.contains("no class or object"))
        }

        @Test("a file that is not a profile or a snapshot is an error with the reason")
        func badFiles() async throws {
            let workplace = try Workplace()
            let text = try workplace.write("hello", to: "x")
            for command in ["profile", "heap"] {
                for (path, reason) in [
                    (text, "byte 0: an object is expected"), (workplace.file("none"), "No such file"),
                ] {
                    let result = await workplace.run([command, path])
                    #expect(
                        result.status == 66 && result.errorOutput.contains(reason),
                        "\(result.errorOutput)"
                    )
                }
            }
        }
    }
}
