import Foundation
import FoundationXML
import Testing

@testable import BridgeCommands

/// The report in its three formats, and the exit status of the command.
@Suite struct CheckReportTests {
    private func check(_ arguments: String..., peer: String = "plain", columns: Int? = nil) async throws
        -> CommandResult
    {
        try await Workplace().run(
            ["check", CheckFixtures.folder.appendingPathComponent(peer + ".js").path] + arguments,
            outputColumns: columns
        )
    }

    @Test(
        "the table has a row for each subject and the numbers of failures, in plain text"
    )
    func table() async throws {
        let result = try await check()
        #expect(result.status == 0)
        #expect(result.errorOutput.isEmpty)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasSuffix("plain.js, WebViewJavascriptBridge 6"))
        #expect(lines.contains { $0.hasPrefix("together") && $0.contains(/\ ([0-9]{2,})\/\1/) })
        #expect(lines.contains { $0.hasPrefix("Bugs of WebViewJavascriptBridge: P3 P5 P7 P12") })
        #expect(lines.contains { $0.hasPrefix("B as the original: P40 a payload is taken at the call") })
        #expect(result.output.hasSuffix("\nIt conforms.\n"))
        #expect(lines.allSatisfy { $0.count <= 120 && $0.utf8.allSatisfy { $0 < 0x7F } })
    }

    @Test("on a terminal the table has its width and colors, unless NO_COLOR is set")
    func terminal() async throws {
        let result = try await check(columns: 72)
        #expect(result.output.contains("\u{1B}[32m"))
        let rule = try #require(result.output.split(separator: "\n").first { $0.hasPrefix("\u{2500}") })
        #expect(rule.count <= 72)
        let plain = try await Workplace().run(
            ["check", CheckFixtures.folder.appendingPathComponent("plain.js").path],
            outputColumns: 72,
            environment: ["NO_COLOR": "1"]
        )
        #expect(!plain.output.contains("\u{1B}"))
    }

    @Test("--only runs the rules of these numbers, and a selection without rules is wrong usage")
    func only() async throws {
        let script = try CheckFixtures.peer("plain")
        let (_, report, _) = try await CheckFixtures.report(on: script, "--only", "P40-P42,w2", "--only=P1")
        #expect(Set(report.vectors.flatMap(\.assertions)) == ["P1", "P40", "P42", "W2", "P54", "P56", "P57"])
        let none = try await check("--only", "P199")
        #expect(none.status == 2)
        #expect(none.output.isEmpty)
        #expect(none.errorOutput == "jsbridge: no vector of 'wvjb6' for a script's side carries P199\n")
    }

    @Test("the JSON report has the failed step and the observation of each vector")
    func json() async throws {
        let (status, report, _) = try await CheckFixtures.report(on: CheckFixtures.peer("plain"))
        #expect(status == 0)
        #expect(report.version == ProductVersion.current)
        #expect(report.script == "<stdin>")
        #expect(report.score["kept"]?.passed == report.score["kept"]?.total)
        #expect(report.score["fixed"]?.passed == 1)
        #expect(report.vectors.count == report.score.values.reduce(0) { $0 + $1.total })
        let vector = try #require(report.vectors.first { $0.name.hasPrefix("P40 a payload") })
        #expect(vector.step == 2)
        #expect(vector.reason?.contains(#"seen [{"handlerName":"n","data":{"n":2,"list":[1,2]}}]"#) == true)
    }

    /// The elements of a document, counted by name.
    private final class Elements: NSObject, XMLParserDelegate {
        var counts: [String: Int] = [:]
        var attributes: [[String: String]] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            counts[name, default: 0] += 1
            if name == "testsuites" { self.attributes.append(attributes) }
        }
    }

    private func elements(of xml: String) throws -> Elements {
        let elements = Elements()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = elements
        #expect(parser.parse(), "\(xml.prefix(2000))")
        return elements
    }

    @Test("the JUnit report is XML; broken kept rules are failures, the rest is skipped")
    func junit() async throws {
        let script = "window.peerMistakes = ['P52', 'P40'];" + (try CheckFixtures.peer("fixed"))
        let result = try await Workplace().run(["check", "--junit", "-"], input: [UInt8](script.utf8))
        #expect(result.status == 1)
        let elements = try elements(of: result.output)
        // A handler that cannot be replaced breaks two vectors: the second replaces it from inside a handler.
        #expect(elements.counts["failure"] == 2)
        #expect(elements.counts["testsuite"] == 7)
        #expect(elements.attributes[0]["failures"] == "2")
        #expect(elements.attributes[0]["tests"] == "\(elements.counts["testcase"] ?? 0)")
        #expect(elements.attributes[0]["skipped"] == "\(elements.counts["skipped"] ?? 0)")
        #expect(result.output.contains("P52 a handler that is registered again replaces the first"))
        #expect(result.output.contains("P52 a handler that another registers or replaces is found"))
    }

    @Test("the output of an implementation cannot break the XML")
    func hostileXML() async throws {
        let script = #"throw new Error("]]><\u0000\u001b\uffff\ud800 & \" ' >")"#
        let result = try await Workplace().run(["check", "--junit", "-"], input: [UInt8](script.utf8))
        #expect(result.status == 1)
        #expect(try elements(of: result.output).counts["failure", default: 0] > 30)
    }

    @Test(
        "R39 an implementation finds no path of the host in its stacks, nor does a quotation from it in the report"
    )
    func paths() async throws {
        let workplace = try Workplace()
        let throwing = try workplace.write("throw new Error(new Error().stack)", to: "throwing.js")
        let result = await workplace.run(["check", throwing])
        #expect(result.status == 1)
        let lines = result.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("it cannot be loaded: throwing.js:1:") }, "\(result.output)")
        #expect(lines.allSatisfy { !$0.contains(workplace.path) }, "\(result.output)")
    }

    @Test("an unreadable file ends with exit status 66, and a closed output with 141")
    func endings() async throws {
        let workplace = try Workplace()
        let missing = await workplace.run(["check", workplace.file("none.js")])
        #expect(missing.status == 66)
        #expect(missing.output.isEmpty)
        #expect(missing.errorOutput.hasPrefix("jsbridge: \(workplace.file("none.js")): "))
        let folder = await workplace.run(["check", workplace.path])
        #expect(folder.status == 66)
        let bytes = await workplace.run(["check", "-"], input: [0xFF, 0xFE])
        #expect(bytes.status == 66)
        #expect(bytes.errorOutput == "jsbridge: standard input is not UTF-8 text\n")
        let closed = await workplace.run(["check", "-"], input: [], outputLimit: (0, .closed))
        #expect(closed.status == 141)
    }

    @Test("the tool finds its vectors in any working directory")
    func elsewhere() async throws {
        let workplace = try Workplace()
        try workplace.write(CheckFixtures.peer("plain"), to: "bridge.js")
        let process = try RunningProcess(
            RunningProcess.built("jsbridge"),
            ["check", "bridge.js", "--only", "P1-P9"],
            in: workplace,
            directory: URL(fileURLWithPath: workplace.path)
        )
        let ending = await process.end()
        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix("bridge.js, WebViewJavascriptBridge 6\n"))
        #expect(ending.output.hasSuffix("It conforms.\n"))
    }

    @Test(
        "R39 a page is checked by its scripts, one without a script is rejected, and no folder is in the report"
    )
    func pages() async throws {
        let workplace = try Workplace()
        let script = try CheckFixtures.peer("plain")
        try Data("<!doctype html>\n<body><script>\(script)</script></body>".utf8).write(
            to: URL(fileURLWithPath: workplace.file("implementation.html"))
        )
        let path = workplace.file("implementation.html")
        let result = await workplace.run(["check", path])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasPrefix("implementation.html, WebViewJavascriptBridge 6\n"))
        try Data("<p>nothing</p>".utf8).write(to: URL(fileURLWithPath: workplace.file("empty.html")))
        let empty = await workplace.run(["check", workplace.file("empty.html")])
        #expect(empty.status == 66)
        #expect(empty.errorOutput.contains("the page has no script"))
        // An implementation that reports its location reports only the name of its file.
        let telling = "throw new Error(new Error().stack + location.href)"
        try Data(telling.utf8).write(to: URL(fileURLWithPath: workplace.file("telling.js")))
        for format in [[], ["--json"], ["--junit"]] {
            let report = await workplace.run(["check", workplace.file("telling.js")] + format)
            #expect(report.status == 1)
            #expect(report.output.contains("telling.js"))
            #expect(!report.output.contains(workplace.path), "\(report.output.prefix(2000))")
        }
    }
}
