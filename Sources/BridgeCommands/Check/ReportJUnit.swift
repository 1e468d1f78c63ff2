internal import BridgeConformance
internal import BridgeTestKit
internal import BridgeValues

/// A report as JUnit XML: a suite for each subject, a case for each vector.
///
/// As in the exit status, a broken kept rule is a failure. A deviation that is not fixed, and a missing extension, is a
/// skipped case with the reason.
struct ReportJUnit {
    let heading: ReportHeading

    /// The document, without a line break at the end.
    var text: String {
        let results = heading.report.results
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        let name = "jsbridge check \(heading.script) (\(heading.profile.name))"
        lines.append(#"<testsuites name="\#(XMLText.escaped(name))" \#(counts(results))>"#)
        for subject in heading.subjects {
            let own = results.filter { $0.subject == subject }
            lines.append(#"  <testsuite name="\#(XMLText.escaped(subject))" \#(counts(own))>"#)
            lines += own.flatMap(testCase)
            lines.append("  </testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n")
    }

    private func testCase(_ result: ConformanceReport.Result) -> [String] {
        let head =
            #"    <testcase classname="\#(XMLText.escaped(heading.profile.name)).\#(result.mark.rawValue)" name="\#(XMLText.escaped(result.name))""#
        guard let explanation = heading.report.problem ?? result.outcome.explanation else {
            return [head + "/>"]
        }
        let message = "\(result.outcome.word): \(explanation.prefix { $0 != "\n" })"
        guard result.mark == .keep else {
            return [
                head + ">", #"      <skipped message="\#(XMLText.escaped(message))"/>"#, "    </testcase>",
            ]
        }
        return [
            head + ">",
            #"      <failure message="\#(XMLText.escaped(message))">\#(XMLText.escaped(explanation))</failure>"#,
            "    </testcase>",
        ]
    }

    private func counts(_ results: [ConformanceReport.Result]) -> String {
        let missing = results.filter { $0.outcome != .passed }
        let failures = missing.count { $0.mark == .keep }
        return
            #"tests="\#(results.count)" failures="\#(failures)" errors="0" skipped="\#(missing.count - failures)""#
    }
}
