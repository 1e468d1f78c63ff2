import Foundation
import JavaScriptEngine
import Testing

@testable import BridgeCommands

/// The option `--coverage` of `jsbridge run` and `jsbridge test`, through modules and source maps.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable && Capabilities.current.modules.isAvailable))
struct CoverageOptionTests {
    /// Returns the lines of `lcov.info` from one file's record.
    private func record(_ workplace: Workplace, _ name: String, in folder: String = "coverage") throws
        -> [String]
    {
        let lcov = try String(contentsOfFile: workplace.file("\(folder)/lcov.info"), encoding: .utf8)
        let records = lcov.components(separatedBy: "end_of_record\n")
        let record = records.first { $0.contains("/\(name)\n") } ?? ""
        return record.split(separator: "\n").map(String.init)
    }

    @Test("tests of several files add up; files of tests are left out")
    func tests() async throws {
        let workplace = try Workplace()
        try workplace.write(
            """
            export function add(a, b) {
              return a + b;
            }
            export function never() {
              return 0;
            }
            """,
            to: "sum.js"
        )
        for (name, count) in [("a.test.js", 2), ("b.test.js", 3)] {
            let calls = (0..<count).map { "expect(add(\($0), 1)).toBe(\($0 + 1));" }.joined()
            try workplace.write(
                "import { test, expect } from 'bridge:test'; import { add } from './sum.js';\ntest('adds', () => { \(calls) });",
                to: name
            )
        }
        let folder = workplace.file("coverage")
        let result = await workplace.run(["test", "--coverage", folder, workplace.path])
        #expect(result.status == 0, "\(result.output) \(result.errorOutput)")
        let lines = try record(workplace, "sum.js")
        for line in ["DA:2,5", "DA:5,0", "FNDA:5,add", "FNDA:0,never", "LF:2", "LH:1"] {
            #expect(lines.contains(line), "\(lines)")
        }
        #expect(try record(workplace, "a.test.js").isEmpty)
        #expect(result.output.contains("/sum.js  50.0 %     50.0 %  5\n"), "\(result.output)")
    }

    @Test("a run that a signal ends writes what has run until then")
    func signal() async throws {
        let watched = try WatchedProcess(
            [
                "tests/sum.js": "export const add = (a, b) => a + b;\nexport const never = () => 0;\n",
                "tests/a.test.js":
                    "import { test } from 'bridge:test'; import { add } from './sum.js'; test('a', () => { add(1, 2); });",
                "tests/b.test.js": """
                import { test } from 'bridge:test'; import { add } from './sum.js';
                test('b', () => { add(1, 2); add(1, 2); console.log('begun'); for (;;); });
                """,
            ],
            "tests",
            command: ["test", "--time-limit", "0", "--coverage", "coverage"]
        )
        await watched.line("begun")
        #expect(watched.terminate() == SIGTERM)
        let lines = try record(watched.workplace, "sum.js")
        #expect(lines.contains("FNDA:3,add") && lines.contains("FNDA:0,never"), "\(lines)")
    }

    @Test("packages are left out, and CommonJS has its lines")
    func packages() async throws {
        let workplace = try Workplace()
        let package = workplace.file("node_modules/p")
        try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
        try workplace.write("module.exports = 1;", to: "node_modules/p/index.js")
        try workplace.write(
            "function one() { return 1; }\nexports.two = () => {\n  return 2;\n};\none();\n",
            to: "c.cjs"
        )
        try workplace.write("import p from 'p'; import { two } from './c.cjs';\ntwo(); two();\n", to: "m.mjs")
        let result = await workplace.run([
            "run", "--coverage", workplace.file("coverage"), workplace.file("m.mjs"),
        ])
        #expect(result.status == 0, "\(result.errorOutput)")
        let lines = try record(workplace, "c.cjs")
        for line in ["DA:1,1", "DA:2,1", "DA:3,2", "DA:5,1", "FN:1,one", "FNDA:2,exports.two", "FNF:2"] {
            #expect(
                lines.contains(line) || line.contains("two") && lines.contains("FNDA:2,two"),
                "\(line) \(lines)"
            )
        }
        #expect(try record(workplace, "m.mjs").contains("DA:2,1"))
        #expect(try record(workplace, "p/index.js").isEmpty)
    }

    @Test("positions in a bundle are those of its sources")
    func bundle() async throws {
        let workplace = try Workplace()
        // Two sources with three lines each, whose lines are one line of the bundle each.
        try workplace.write("function a() {\n  return 1;\n}\n", to: "a.js")
        try workplace.write("function b() {\n  return 2;\n}\n", to: "b.js")
        let bundle =
            "function a() {\nreturn 1;\n}\nfunction b() {\nreturn 2;\n}\na(); a();\n//# sourceMappingURL=out.js.map\n"
        try workplace.write(bundle, to: "out.js")
        // Each line begins a segment: source 0 lines 0-2, source 1 lines 0-2; the last line has no source.
        let mappings = "AAAA;AACE;AACF;ACFA;AACE;AACF;A"
        try workplace.write(
            "{\"version\":3,\"sources\":[\"a.js\",\"b.js\"],\"names\":[],\"mappings\":\"\(mappings)\"}",
            to: "out.js.map"
        )
        let result = await workplace.run([
            "run", "--coverage", workplace.file("coverage"), workplace.file("out.js"),
        ])
        #expect(result.status == 0, "\(result.errorOutput)")
        let a = try record(workplace, "a.js")
        let b = try record(workplace, "b.js")
        #expect(
            a.contains("DA:2,2") && a.contains("FN:1,a") && a.contains("FNDA:2,a") && a.contains("LF:1"),
            "\(a)"
        )
        #expect(b.contains("DA:2,0") && b.contains("FNDA:0,b"), "\(b)")
        #expect(try record(workplace, "out.js").isEmpty)
    }

    @Test(
        "TypeScript has the lines of its source",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/nodejs/typescript/lib/typescript.js"))
    )
    func typeScript() async throws {
        let workplace = try Workplace()
        try workplace.write(
            """
            interface Shape {
              name: string;
            }

            type Named = Shape | undefined;

            export function label(shape: Named): string {
              if (!shape) {
                return "none";
              }
              return shape.name;
            }

            label({ name: "a" });
            label({ name: "b" });
            """,
            to: "shape.ts"
        )
        let result = await workplace.run([
            "run", "--coverage", workplace.file("coverage"), workplace.file("shape.ts"),
        ])
        #expect(result.status == 0, "\(result.errorOutput)")
        let lines = try record(workplace, "shape.ts")
        for line in [
            "DA:8,2", "DA:9,0", "DA:11,2", "DA:14,1", "DA:15,1", "FN:7,label", "FNDA:2,label", "LF:5",
        ] {
            #expect(lines.contains(line), "\(line) \(lines)")
        }
    }
}
