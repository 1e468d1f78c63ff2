import Foundation
import FoundationXML
import Testing

@testable import BridgeCommands

/// `jsbridge test` and the module `bridge:test`.
@Suite struct TestCommandTests {
    private static let imports =
        "import { test, describe, expect, beforeAll, afterAll, beforeEach, afterEach } from 'bridge:test';\n"

    private func run(_ text: String, _ options: String..., named name: String = "a.test.js") async throws
        -> CommandResult
    {
        let workplace = try Workplace()
        let path = try workplace.write(Self.imports + text, to: name)
        return await workplace.run(["test", path] + options)
    }

    /// Returns the words and the names of the tests in an output.
    private func lines(_ result: CommandResult) -> [String] {
        result.output.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.map {
            $0.split(separator: " ").prefix { !$0.hasPrefix("(") }.joined(separator: " ")
        }
    }

    @Test("R12 a test fails also where all objects have a method then")
    func thenables() async throws {
        let result = try await run(
            """
            Object.prototype.then = function (resolve) { resolve(); };
            test("fails", () => { expect(1).toBe(2); });
            test("fails later", async () => { await null; throw new Error("late"); });
            describe("a suite", () => { afterAll(() => { throw new Error("after"); }); test("fails after", () => {}); });
            """
        )
        #expect(lines(result) == ["FAIL fails", "FAIL fails later", "FAIL a suite > fails after"])
        #expect(result.status == 1)
    }

    @Test("tests pass, fail, are skipped or to do, and the status says whether one failed")
    func outcomes() async throws {
        let result = try await run(
            """
            test("passes", () => {});
            test("fails", () => { expect({ a: 1 }).toEqual({ a: 2 }); });
            test("throws", async () => { await null; throw new TypeError("own"); });
            test.skip("skipped", () => { throw 1; });
            test.todo("to do");
            describe("outer", () => { describe("inner", () => { test("deep", () => {}); }); });
            describe.skip("left out", () => { test("x", () => { throw 1; }); });
            """
        )
        #expect(
            lines(result) == [
                "ok passes", "FAIL fails", "FAIL throws", "skip skipped", "todo to do",
                "ok outer > inner > deep",
                "skip left out > x",
            ]
        )
        #expect(result.status == 1)
        #expect(
            result.output.contains(
                "a.test.js:3:47: AssertionError: expect(received).toEqual()\n        expected: { a: 2 }\n        received: { a: 1 }\n"
            ),
            "\(result.output)"
        )
        #expect(result.output.contains("        > 3 | test(\"fails\""))
        #expect(result.output.contains("a.test.js:4:61: TypeError: own"))
        #expect(result.output.contains("2 passed, 2 failed, 2 skipped, 1 to do in 1 file ("))
        #expect(try await run("test('a', () => {});").status == 0)
    }

    @Test("an endless test is stopped, and the next one runs: in a loop, in a promise, for a timer")
    func endless() async throws {
        let result = try await run(
            """
            test("loop", () => { for (;;); });
            test("later loop", async () => { await null; for (;;); });
            test("pending", () => new Promise(() => {}));
            test("slow", () => new Promise((resolve) => setTimeout(resolve, 100000)), 20);
            test("uncaught", async () => { Promise.reject(new Error("lost")); await new Promise((resolve) => setTimeout(resolve)); });
            test("next", () => {});
            """,
            "--time-limit",
            "0.2"
        )
        #expect(
            lines(result) == [
                "FAIL loop", "FAIL later loop", "FAIL pending", "FAIL slow", "FAIL uncaught", "ok next",
            ]
        )
        for text in ["limit of 0.2 seconds", "never ends", "timeout of 20 ms", "Error: lost"] {
            #expect(result.output.contains(text), "\(result.output)")
        }
    }

    @Test("hooks run around tests in their order, and their errors fail tests")
    func hooks() async throws {
        let result = try await run(
            """
            const log = [];
            beforeAll(() => { log.push("A"); });
            beforeEach(async () => { await null; log.push("e"); });
            afterEach(() => { log.push("/e"); });
            describe("inner", () => {
                beforeAll(() => { log.push("B"); });
                beforeEach(() => { log.push("f"); });
                afterEach(() => { log.push("/f"); });
                afterAll(() => { log.push("/B"); });
                test("one", () => { log.push("1"); });
                test("two", () => { log.push("2"); });
            });
            test("log", () => { expect(log.join(" ")).toBe("A B e f 1 /f /e e f 2 /f /e /B e"); });
            describe("broken", () => {
                beforeAll(() => { throw new Error("no set-up"); });
                test("x", () => {});
                test("y", () => {});
            });
            describe("ends", () => { afterAll(() => { throw new Error("no end"); }); test("z", () => {}); });
            test("inside", () => { test("too late", () => {}); });
            """
        )
        #expect(
            lines(result) == [
                "ok inner > one", "ok inner > two", "ok log", "FAIL broken > x", "FAIL broken > y",
                "FAIL ends > z",
                "FAIL inside",
            ],
            "\(result.output)"
        )
    }

    @Test("an error after a test fails it and no other test, or the file if no test has started the code")
    func lateErrors() async throws {
        let soon = try await run(
            "test('a', () => { setTimeout(() => { throw new Error('own'); }); }); test('b', () => new Promise((r) => setTimeout(r, 5)));"
        )
        #expect(lines(soon) == ["FAIL a", "ok b"], "\(soon.output)")
        let late = try await run(
            "test('a', () => {}); test('b', () => { setTimeout(() => { throw new Error('late'); }, 300); }); test.skip('c', () => {});"
        )
        // On a busy machine the timer may be due before the test has ended.
        if lines(late) == ["ok a", "FAIL b", "skip c"] {
            #expect(!late.output.contains("thrown after"), "\(late.output)")
        } else {
            #expect(lines(late) == ["ok a", "ok b", "skip c", "FAIL b"], "\(late.output)")
            #expect(late.output.contains("thrown after the test had ended:\n"))
        }
        #expect(late.output.contains("a.test.js:2:") && late.output.contains("Error: late"))
        #expect(late.output.contains("1 passed, 1 failed, 1 skipped") && late.status == 1)
        let forever = try await run("test('a', () => { setInterval(() => {}, 5); });")
        #expect(forever.status == 0)
    }

    @Test("an error of an earlier test's timer or promise fails that test, and the one that runs passes")
    func errorsOfEarlierTests() async throws {
        let result = try await run(
            """
            let turn = "";
            // Runs a function in a later turn, which belongs to the code that calls this.
            const later = (name, run) => {
                const timer = setInterval(() => {
                    if (turn !== name) return;
                    clearInterval(timer);
                    turn = "done";
                    return run();
                }, 1);
            };
            const letRun = async (name) => {
                turn = name;
                while (turn !== "done") await new Promise((resolve) => setTimeout(resolve, 1));
            };
            const fail = (text) => { throw new Error(text); };
            later("file", () => fail("of the file"));
            test("timer", () => { later("timer", () => fail("of a timer")); });
            test("promise", () => { later("promise", async () => { await null; fail("of a promise"); }); });
            describe("suite", () => {
                beforeAll(async () => { await null; later("hook", () => fail("of a hook")); });
                test("hook", () => {});
            });
            test("b", () => letRun("timer"));
            test("c", () => letRun("promise"));
            test("d", () => letRun("hook"));
            test("e", () => letRun("file"));
            """
        )
        #expect(
            lines(result) == [
                "ok timer", "ok promise", "ok suite > hook", "ok b", "FAIL timer", "ok c", "FAIL promise",
                "ok d",
                "FAIL suite > hook", "ok e", "FAIL the file",
            ],
            "\(result.output)"
        )
        #expect(result.output.contains("thrown while 'e' ran, by code that no test has started:\n"))
        #expect(
            result.output.contains("4 passed, 4 failed in 1 file") && !result.output.contains("async test")
        )
    }

    @Test("only and a filter select tests")
    func selection() async throws {
        let text = """
            test("a one", () => {}); describe.only("suite", () => { test("two", () => {}); test("three", () => {}); });
            test.only("four", () => {});
            """
        #expect(
            lines(try await run(text)) == ["skip a one", "ok suite > two", "ok suite > three", "ok four"]
        )
        #expect(
            lines(try await run(text, "--filter", "suite > t")) == ["ok suite > two", "ok suite > three"]
        )
        let none = try await run(text, "--filter=typo")
        #expect(none.output.contains("0 passed, 0 failed"))
        #expect(none.errorOutput == "jsbridge: no test has a name that contains 'typo'\n")
        #expect(none.status == 1)
        let empty = try await run("describe('a', () => {});")
        #expect(empty.errorOutput == "jsbridge: the files have no test\n" && empty.status == 1)
    }

    @Test("files are found by their names, and one that cannot be loaded fails alone")
    func files() async throws {
        let workplace = try Workplace()
        for folder in ["b", "node_modules", ".hidden"] {
            try FileManager.default.createDirectory(
                atPath: workplace.file(folder),
                withIntermediateDirectories: true
            )
        }
        let test =
            "import { test } from 'bridge:test'; globalThis.count = (globalThis.count ?? 0) + 1; test('n' + count, () => {});"
        for name in [
            "z_test.js", "b/y.test.mjs", "node_modules/a.test.js", ".hidden/a.test.js", "b/other.js",
        ] {
            try workplace.write(test, to: name)
        }
        try workplace.write("let = ;", to: "b/x.test.js")
        try workplace.write("export {};", to: "b/w.test.js")
        try workplace.write("await new Promise(() => {});", to: "b/v.test.js")
        let result = await workplace.run(["test", workplace.path])
        let found = result.output.split(separator: "\n").filter { $0.hasPrefix("/") }.map {
            $0.dropFirst(workplace.path.count + 1)
        }
        #expect(found == ["b/v.test.js", "b/w.test.js", "b/x.test.js", "b/y.test.mjs", "z_test.js"])
        #expect(
            lines(result) == ["FAIL the file", "FAIL the file", "FAIL the file", "ok n1", "ok n1"],
            "\(result.output)"
        )
        #expect(result.status == 1)
        #expect(
            result.output.contains("'await' never ends")
                && result.output.contains("does not import \"bridge:test\"")
        )
        #expect(await workplace.run(["test", workplace.file("missing")]).status == 66)
        #expect(await workplace.run(["test", workplace.file(".hidden")]).status == 0)
        #expect(await workplace.run(["test", workplace.temporaryDirectory]).status == 66)
        let here = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["test", "--filter", "n1"],
            in: workplace,
            directory: URL(fileURLWithPath: workplace.file("b"))
        )
        #expect(await here.end().output.contains("\ny.test.mjs\n  ok    n1"))
        #expect(await workplace.run(["test", "--filtre", "x", "."]).status == 2)
        let plain = try workplace.write("import 'bridge:test';", to: "plain.mjs")
        let script = await workplace.run(["run", plain])
        #expect(
            script.status == 1 && script.errorOutput.contains("there is no built-in module \"bridge:test\"")
        )
        #expect(script.errorOutput.contains("'jsbridge test FILE' runs tests"))
    }

    @Test("a JUnit report is well-formed, whatever the names and errors are")
    func junit() async throws {
        let workplace = try Workplace()
        let path = try workplace.write(
            Self.imports + """
                test("<&\\"'\\u0000\\u001b\\ud800]]>", () => { throw new Error("a\\u0007<b>\\n]]>"); });
                test("passes", () => {}); test.skip("s", () => {}); test.todo("t");
                """,
            to: "a.test.js"
        )
        let report = workplace.file("report.xml")
        #expect(await workplace.run(["test", "--junit", report, path]).status == 1)
        let document = Document()
        let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: report)))
        parser.delegate = document
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        #expect(
            document.names.sorted() == [
                "failure", "skipped", "skipped", "testcase", "testcase", "testcase", "testcase", "testsuite",
                "testsuites",
            ]
        )
        let unwritable = await workplace.run(["test", "--junit", workplace.file("missing/x.xml"), path])
        #expect(unwritable.status == 74)
    }

    private final class Document: NSObject, XMLParserDelegate {
        var names: [String] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) { names.append(name) }
    }

    private static let watchedTest = """
        import { test, expect } from 'bridge:test'; import { v } from '../src/a.js';
        test('v is ' + v, () => {});
        """

    @Test("a change of a test or of a module that it imports runs the tests again, and so does a new test")
    func watch() async throws {
        let watched = try WatchedProcess(
            ["test/a.test.js": Self.watchedTest, "src/a.js": "export const v = 1;", "package.json": "{}"],
            "test",
            command: ["test", "--watch"]
        )
        await watched.line("v is 1")
        await watched.line("(waiting for changes)")
        try watched.replace("src/a.js", by: "export const v = 2;")
        await watched.line("v is 2")
        await watched.line("(waiting for changes)")
        try watched.replace("test/a.test.js", by: Self.watchedTest.replacing("v is", with: "now v is"))
        await watched.line("now v is 2")
        await watched.line("(waiting for changes)")
        try watched.workplace.write(
            "import { test } from 'bridge:test'; test('b', () => {});",
            to: "test/b.test.js"
        )
        await watched.line("ok    b")
        await watched.line("(waiting for changes)")
        #expect(watched.terminate() == SIGTERM)
    }

    @Test("a change ends a test that runs; files that are neither tests nor imported do not count")
    func watchRunning() async throws {
        let watched = try WatchedProcess(
            [
                "test/a.test.js": """
                import { test } from 'bridge:test'; import { v } from './a.js';
                console.log('begins', v);
                test('v is ' + v, () => { while (v === 1); });
                """,
                "test/a.js": "export const v = 1;",
            ],
            "test",
            command: ["test", "--watch", "--time-limit", "0"]
        )
        await watched.line("begins 1")
        // As a test that writes a file.
        try watched.workplace.write("1", to: "test/out.txt")
        try watched.replace("test/a.js", by: "export const v = 2;")
        await watched.line("(a file has changed)")
        await watched.line("v is 2")
        await watched.line("(waiting for changes)")
        try watched.workplace.write("2", to: "test/out.txt")
        try watched.workplace.write("3", to: "test/other.js")
        try watched.replace("test/a.js", by: "export const v = 3;")
        await watched.line("v is 3")
        await watched.line("(waiting for changes)")
        #expect(watched.seen.count { $0.contains("begins") } == 3)
        #expect(watched.terminate() == SIGTERM)
    }
}
