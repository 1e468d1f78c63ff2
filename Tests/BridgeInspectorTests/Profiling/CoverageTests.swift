import BridgeValues
import Foundation
import Testing

@testable import BridgeInspector

/// The assignment of counts to lines and functions, and LCOV, without an engine.
@Suite struct CoverageTests {
    private func lines(_ text: String) -> ScriptLines { ScriptLines(text) }

    @Test("lines end as JavaScript has it, and offsets are UTF-16 code units")
    func scriptLines() {
        let lines = lines("a\r\nb\rc\nd\u{2028}\u{1F600}e\u{2029}")
        #expect(lines.count == 6)
        #expect((0..<6).map { lines.offset(line: $0, column: 0) } == [0, 3, 5, 7, 9, 13])
        #expect(lines.position(of: 11) == (4, 2))
        #expect(lines.text(9..<12) == "\u{1F600}e")
        #expect(lines.offset(line: 6, column: 0) == nil && lines.offset(line: 5, column: 1) == nil)
        #expect(ScriptLines("").count == 1 && ScriptLines("").position(of: 0) == (0, 0))
    }

    @Test("the innermost block counts; of equal ranges the one with the higher count")
    func blocks() {
        let table = BlockTable([
            .init(start: 0, end: 100, count: 1), .init(start: 10, end: 50, count: 7),
            .init(start: 20, end: 20, count: 0),
            .init(start: 60, end: 80, count: 1), .init(start: 60, end: 80, count: 9),
            .init(start: 13, end: 12, count: 5),
        ])
        #expect(
            [0, 10, 20, 21, 50, 51, 60, 80, 100].map { table.count(at: $0) } == [1, 7, 0, 7, 7, 1, 9, 9, 1]
        )
        #expect(table.count(at: 101) == nil && table.count(at: -1) == nil)
        #expect(BlockTable([]).count(at: 0) == nil)
    }

    @Test(
        "the head of a function has its name; other code has none",
        arguments: [
            ("function a(x) { }", "a"), ("async function* b() { }", "b"), ("x = function () { }", "x"),
            ("const y = (a, b) => a", "y"), ("let z = async q => q", "z"),
            ("({ 'k\u{1F600}': () => 1 })", "'k\u{1F600}'"),
            ("({ [\"evil\\n\"]: x => 1 })", "[\"evil\\n\"]"), ("class { get size() { } }", "size"),
            ("class { static async *m(a = ')') { } }", "m"), ("class { #p() { } }", "#p"),
            ("f(() => 1)", "(anonymous)"),
            ("({ get() { } })", "get"), ("if (x) { }", nil), ("for (;;) { }", nil), ("g(1); { }", nil),
            ("case 2: { }", nil), ("{ a }", nil), ("x => { }", "(anonymous)"),
            ("$_1\u{E9}(a) { }", "$_1\u{E9}"),
        ] as [(String, String?)]
    )
    func heads(text: String, name: String?) throws {
        // A range begins at the function, after what it is assigned to.
        let markers = [
            "function", "async", "(a, b)", "() => 1", "x =>", "get", "m(", "#p", "if", "for", "g(", "case",
            "{ a", "$",
        ]
        let start = markers.compactMap { text.range(of: $0)?.lowerBound }.min { $0 < $1 } ?? text.startIndex
        let isMethod = text.hasPrefix("class {") || text.hasPrefix("({ get")
        let endText = isMethod ? text.range(of: "{ }")?.upperBound ?? text.endIndex : text.endIndex
        let range = text[..<start].utf16.count..<text[..<endText].utf16.count
        let block = BlockTable.Block(start: range.lowerBound, end: range.upperBound - 1, count: 1)
        #expect(FunctionHead(of: block, in: lines(text))?.name == name, "\(text[start..<endText])")
    }

    @Test("coverage of several runs is added up, also where counts overflow")
    func merging() {
        var coverage = Coverage()
        coverage.add(
            .init(path: "/b", lines: [1: 1, 2: 0], functions: [.init(name: "f", line: 1, count: 0)])
        )
        var other = Coverage()
        other.add(.init(path: "/a", lines: [1: 0]))
        other.add(
            .init(
                path: "/b",
                lines: [2: 3, 3: .max],
                functions: [.init(name: "f", line: 1, count: 2), .init(name: "g", line: 3, count: 1)]
            )
        )
        coverage.merge(other)
        coverage.merge(other)
        #expect(coverage.files.map(\.path) == ["/a", "/b"])
        #expect(coverage.files[1].lines == [1: 1, 2: 6, 3: .max])
        #expect(coverage.files[1].functions.map(\.count) == [4, 2])
        #expect(coverage.files[1].coveredLineCount == 3 && coverage.files[0].uncoveredLines == [1...1])
        coverage.removeFiles { $0.path == "/a" }
        #expect(coverage.files.map(\.path) == ["/a"])
    }

    @Test("lines that have not run are ranges up to the next one that has")
    func uncovered() {
        let file = Coverage.File(path: "/a", lines: [1: 0, 3: 0, 4: 1, 6: 0, 9: 2, 10: 0, 11: 0])
        #expect(file.uncoveredLines == [1...3, 6...6, 10...11])
        #expect(Coverage.File(path: "/a").uncoveredLines.isEmpty)
    }

    @Test("an independent reader of LCOV finds the same counts, with any names")
    func lcov() throws {
        var coverage = Coverage()
        let names = [
            "f", "f", "(anonymous)", "a,b", "x\nend_of_record\u{2028}", "\u{1F600}", "(anonymous)",
            "(anonymous)",
        ]
        let functions = names.enumerated().map {
            Coverage.Function(name: $1, line: min($0 + 1, 7), count: $0)
        }
        coverage.add(.init(path: "/a b\u{1F600}\n.js", lines: [2: 5, 1: 0], functions: functions))
        coverage.add(.init(path: "/empty.js"))
        let records = try LCOVReader.records(in: coverage.lcov)
        #expect(records.count == 2)
        #expect(records[1].path == "/empty.js" && records[1].lines.isEmpty)
        #expect(records[0].path == "/a b\u{1F600}\u{FFFD}.js")
        #expect(records[0].lines == [1: 0, 2: 5])
        #expect(records[0].functions.count == names.count)
        #expect(records[0].functions["f:2"]?.count == 1 && records[0].functions["a;b"]?.count == 3)
        #expect(records[0].functions["(anonymous):7"]?.line == 7)
    }
}

/// A reader of LCOV by its manual, which shares no code with the writer.
enum LCOVReader {
    struct Record {
        var path = ""
        var lines: [Int: Int] = [:]
        var functions: [String: (line: Int, count: Int)] = [:]
    }

    struct Problem: Error {
        let line: String
    }

    static func records(in text: String) throws -> [Record] {
        var records: [Record] = []
        var record = Record()
        var figures: [String: Int] = [:]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let problem = Problem(line: String(line))
            if line == "end_of_record" {
                let hit = [
                    "LF": record.lines.count, "LH": record.lines.values.count { $0 > 0 },
                    "FNF": record.functions.count, "FNH": record.functions.values.count { $0.count > 0 },
                ]
                guard figures == hit else { throw problem }
                records.append(record)
                (record, figures) = (Record(), [:])
                continue
            }
            guard let colon = line.firstIndex(of: ":") else { throw problem }
            let value = String(line[line.index(after: colon)...])
            let parts = value.split(separator: ",", maxSplits: 1).map(String.init)
            switch line[..<colon] {
            case "TN": continue
            case "SF": record.path = value
            case "FN":
                guard parts.count == 2, let number = Int(parts[0]), record.functions[parts[1]] == nil else {
                    throw problem
                }
                record.functions[parts[1]] = (number, -1)
            case "FNDA":
                guard parts.count == 2, let count = Int(parts[0]), record.functions[parts[1]] != nil else {
                    throw problem
                }
                record.functions[parts[1]]?.count = count
            case "DA":
                guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else {
                    throw problem
                }
                record.lines[number] = count
            case let key:
                guard ["LF", "LH", "FNF", "FNH"].contains(key), let count = Int(value) else { throw problem }
                figures[String(key)] = count
            }
        }
        return records
    }
}
