internal import BridgeConformance
internal import BridgeProtocol
internal import BridgeTestKit
internal import BridgeValues

/// A report for people: a score for each subject, then the failures.
struct ReportTable {
    /// The width of the table without a terminal, in columns.
    static let plainColumns = 100

    let heading: ReportHeading
    let columns: Int
    let isColoured: Bool
    let isVerbose: Bool

    private enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// The report, without a line break at the end.
    var text: String {
        let report = heading.report
        var lines = [bold("\(Printable.text(heading.script)), \(heading.profile.dialect.name)"), ""]
        if let problem = report.problem {
            lines += [coloured(Printable.lines(problem), .red), ""]
        } else {
            lines += table + [""] + numbers + failures
        }
        lines.append(verdict)
        return lines.joined(separator: "\n")
    }

    // MARK: - The score

    private static let figureWidth = 10

    private var table: [String] {
        let nameWidth = max(20, min(columns - 1, Self.plainColumns) - Self.figureWidth * 3)
        func row(_ name: String, _ figures: [String]) -> String {
            let shown = name.count > nameWidth ? name.prefix(nameWidth - 3) + "..." : name[...]
            return shown + String(repeating: " ", count: nameWidth - shown.count) + figures.joined()
        }
        func scores(_ subject: String?) -> [String] {
            ReportHeading.marks.map { mark, _ in
                let score = heading.report.score {
                    $0.mark == mark && subject == nil || $0.mark == mark && $0.subject == subject
                }
                guard score.total > 0 else { return padded("-") }
                let figure = padded("\(score.passed)/\(score.total)")
                return score.passed == score.total
                    ? coloured(figure, .green) : coloured(figure, mark == .keep ? .red : .yellow)
            }
        }
        let rule = String(repeating: isColoured ? "\u{2500}" : "-", count: nameWidth + Self.figureWidth * 3)
        return [row("", ReportHeading.marks.map { padded($0.word) }), rule]
            + heading.subjects.map { row($0, scores($0)) }
            + [rule, row("together", scores(nil))]
    }

    private func padded(_ figure: String) -> String {
        String(repeating: " ", count: max(1, Self.figureWidth - figure.count)) + figure
    }

    // MARK: - Failures

    private var numbers: [String] {
        let titles: [(ConformanceVector.Mark, String)] = [
            (.keep, "Kept rules that are broken"),
            (.better, "Bugs of WebViewJavascriptBridge"),
            (.extended, "Missing extensions"),
        ]
        let lines = titles.compactMap { mark, title -> String? in
            let numbers = heading.report.failedAssertions(of: mark)
            return numbers.isEmpty ? nil : "\(title): \(numbers.joined(separator: " "))"
        }
        return lines.isEmpty ? [] : lines + [""]
    }

    private var failures: [String] {
        var lines: [String] = []
        for (mark, _) in ReportHeading.marks {
            for result in heading.report.results where result.mark == mark {
                guard let explanation = result.outcome.explanation else { continue }
                let line = "\(mark.rawValue) \(result.outcome.word): \(result.name)"
                lines.append(coloured(line, mark == .keep ? .red : .yellow))
                guard isVerbose || mark == .keep else { continue }
                lines += Printable.lines(explanation).split(separator: "\n").map { "    \($0)" } + [""]
            }
        }
        return lines.isEmpty || lines.last == "" ? lines : lines + [""]
    }

    private var verdict: String {
        let report = heading.report
        guard !report.conforms else { return coloured("It conforms.", .green) }
        guard report.problem == nil else { return coloured("It was not tested.", .red) }
        let score = report.score(of: .keep)
        let broken = score.total - score.passed
        return coloured(
            "It does not conform: \(broken) of \(score.total) kept rules \(broken == 1 ? "is" : "are") broken.",
            .red
        )
    }

    // MARK: - Escape sequences of a terminal

    private func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    private func coloured(_ text: String, _ colour: Colour) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
