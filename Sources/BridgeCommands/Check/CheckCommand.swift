internal import BridgeConformance
internal import BridgeTestKit
internal import BridgeValues
internal import Dispatch
internal import JavaScriptBridge
internal import JavaScriptEngine

/// The command `jsbridge check`, which runs the protocol's vectors against one implementation of the script's side.
@MainActor
struct CheckCommand {
    let options: CheckOptions
    let system: CommandSystem
    let output: CommandOutput

    /// Runs the vectors and prints the report.
    ///
    /// - Returns: The exit status.
    func run() async -> Int32 {
        let text: String
        let name: String
        do {
            (text, name) = try read()
        } catch {
            output.printError("jsbridge: \(ErrorText.plain(error))")
            return ExitStatus.noInput
        }
        do {
            let report = try await report(on: text, named: name)
            guard !report.results.isEmpty else {
                let selection = options.selection.map { " carries \($0)" } ?? ""
                output.printError(
                    "jsbridge: no vector of '\(options.profile.name)' for a script's side\(selection)"
                )
                return ExitStatus.wrongUsage
            }
            return print(report, named: name)
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    /// Reads the implementation.
    ///
    /// - Returns: Its code, and the name of its file without folders: an implementation must not see the folders of the
    ///   host, or bring them into the report (R39).
    private func read() throws -> (text: String, name: String) {
        let (text, path) = try options.script.read(in: system)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard options.script.isPage else { return (text, name) }
        let scripts = PageScripts(of: text, name: name, path: path)
        for problem in scripts.problems { output.printError("jsbridge: \(Printable.text(problem))") }
        guard !scripts.text.isEmpty else {
            throw BridgeError(.scriptFailed, "\(path): the page has no script")
        }
        return (scripts.text, name)
    }

    private func report(on text: String, named name: String) async throws -> ConformanceReport {
        let files = try options.profile.files(for: .script)
        var limits = ExecutionLimits(processorTime: options.timeLimit)
        limits.maximumHeapBytes = 1 << 30
        let conformance = ScriptConformance(
            script: text,
            name: name,
            dialect: ConformanceDialect(options.profile.dialect),
            limits: limits
        )
        let selection = options.selection
        // On a thread of its own, because scripts run on it for seconds, one after the other.
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "jsbridge.check").async {
                let result = Result {
                    try conformance.report(on: files) { vector in
                        selection.map { vector.assertions.contains(where: $0.contains) } ?? true
                    }
                }
                continuation.resume(with: result)
            }
        }
    }

    private func print(_ report: ConformanceReport, named name: String) -> Int32 {
        let heading = ReportHeading(script: name, profile: options.profile, report: report)
        let text: String
        switch options.format {
        case .table:
            let columns = output.terminalColumns
            let isColoured = columns != nil && (system.environment["NO_COLOR"] ?? "").isEmpty
            text =
                ReportTable(
                    heading: heading,
                    columns: columns ?? ReportTable.plainColumns,
                    isColoured: isColoured,
                    isVerbose: options.isVerbose
                ).text
        case .json: text = ReportJSON(heading: heading).text
        case .junit: text = ReportJUnit(heading: heading).text
        }
        do throws(OutputError) {
            try output.print(text)
        } catch {
            return ExitStatus.after(error, output)
        }
        return report.conforms ? ExitStatus.success : ExitStatus.failure
    }
}

/// The tested implementation and its report.
struct ReportHeading {
    let script: String
    let profile: ConformanceProfile
    let report: ConformanceReport

    static let marks: [(mark: ConformanceVector.Mark, word: String)] = [
        (.keep, "kept"), (.better, "fixed"), (.extended, "extended"),
    ]

    /// The subjects, in their order, each once.
    var subjects: [String] {
        report.results.reduce(into: []) { if $0.last != $1.subject { $0.append($1.subject) } }
    }
}

extension ConformanceReport.Outcome {
    /// The outcome in a word or two, the same in all formats.
    var word: String {
        switch self {
        case .passed: "passed"
        case .legacyBehavior: "as the original"
        case .failed: "failed"
        case .notRun: "not run"
        }
    }

    /// The observed failure, in some lines; `nil` if the vector passed.
    var explanation: String? {
        switch self {
        case .passed: nil
        case .legacyBehavior(let failure), .failed(let failure):
            "step \(failure.step), \(failure.stimulus):\n \(failure.reason)"
        case .notRun(let reason): reason
        }
    }
}
