internal import BridgeValues

/// The texts of the results of tests: lines for people, and JUnit XML.
enum TestReport {
    /// Returns the line of a test, with the error below it.
    static func line(_ result: TestResult) -> String {
        let name = Printable.text(result.name)
        return switch result.outcome {
        case .passed: "  ok    \(name) (\(result.milliseconds))"
        case .skipped: "  skip  \(name)"
        case .todo: "  todo  \(name)"
        case .failed(let text): "  FAIL  \(name) (\(result.milliseconds))\n\(indented(text))"
        }
    }

    /// Returns the text of an error outside the tests.
    static func problem(_ text: String) -> String { "  FAIL  the file\n\(indented(text))" }

    private static func indented(_ text: String) -> String {
        Printable.lines(text).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "        \($0)" }.joined(separator: "\n")
    }

    /// Returns the last line: the numbers of all files.
    static func summary(_ files: [TestFileResult], _ duration: Duration) -> String {
        let tests = files.flatMap(\.tests)
        let failed = tests.count(where: \.isFailure) + files.count { $0.problem != nil }
        var parts = ["\(tests.count { $0.outcome == .passed }) passed", "\(failed) failed"]
        for (outcome, word) in [(TestResult.Outcome.skipped, "skipped"), (.todo, "to do")] {
            let count = tests.count { $0.outcome == outcome }
            if count > 0 { parts.append("\(count) \(word)") }
        }
        return "\(parts.joined(separator: ", ")) in \(files.count) \(files.count == 1 ? "file" : "files")"
            + " (\(DecimalText.of(duration / .seconds(1))) s)"
    }

    /// Returns a JUnit document: a suite for each file, a case for each test.
    static func junit(_ files: [TestFileResult]) -> String {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(#"<testsuites name="jsbridge test" \#(counts(files))>"#)
        for file in files {
            lines.append(#"  <testsuite name="\#(XMLText.escaped(file.path))" \#(counts([file]))>"#)
            lines += file.tests.flatMap { testCase($0, file.path) }
            if let problem = file.problem { lines += failedCase("the file", "0.000", problem, file.path) }
            lines.append("  </testsuite>")
        }
        return (lines + ["</testsuites>", ""]).joined(separator: "\n")
    }

    private static func testCase(_ test: TestResult, _ path: String) -> [String] {
        let time = DecimalText.of(test.duration / .seconds(1), decimals: 3)
        let head = head(test.name, time, path)
        return switch test.outcome {
        case .passed: [head + "/>"]
        case .skipped: [head + "><skipped/></testcase>"]
        case .todo: [head + #"><skipped message="to do"/></testcase>"#]
        case .failed(let text): failedCase(test.name, time, text, path)
        }
    }

    private static func failedCase(_ name: String, _ time: String, _ text: String, _ path: String) -> [String]
    {
        let message = text.prefix { $0 != "\n" }
        return [
            head(name, time, path) + ">",
            #"      <failure message="\#(XMLText.escaped(String(message)))">\#(XMLText.escaped(text))</failure>"#,
            "    </testcase>",
        ]
    }

    private static func head(_ name: String, _ time: String, _ path: String) -> String {
        #"    <testcase classname="\#(XMLText.escaped(path))" name="\#(XMLText.escaped(name))" time="\#(time)""#
    }

    private static func counts(_ files: [TestFileResult]) -> String {
        let tests = files.flatMap(\.tests)
        let problems = files.count { $0.problem != nil }
        let failures = tests.count(where: \.isFailure) + problems
        let skipped = tests.count { $0.outcome == .skipped || $0.outcome == .todo }
        return
            #"tests="\#(tests.count + problems)" failures="\#(failures)" errors="0" skipped="\#(skipped)""#
    }
}
