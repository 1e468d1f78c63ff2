internal import BridgeProtocol
internal import Foundation
internal import JavaScriptEngine
internal import Stores

/// The options of `jsbridge engine-probe`.
enum EngineProbeOptions: Hashable {
    /// Print the findings for people.
    case summary
    /// Print the derived profile in its file format.
    case json
    /// Print the findings, and fail if the library differs from the listing of its branch.
    case check
    /// Write the derived profile to a file.
    case write(String)
}

/// The command `jsbridge engine-probe`, which derives the engine profile for the fast path from the loaded library.
@MainActor
struct EngineProbeCommand {
    let options: EngineProbeOptions
    let output: CommandOutput

    /// Probes the engine, and prints or writes the findings.
    ///
    /// - Returns: The exit status: 1 for `--check` if the library differs from its listing, and for `--write` if its
    ///   profile cannot be used.
    func run() -> Int32 {
        do {
            let report = try EngineReport.derive()
            switch options {
            case .summary: return try print(Self.summary(of: report))
            case .json: return try print(String(try Self.written(report).text.dropLast()))
            case .check:
                let status =
                    report.isAsListed == true && report.fault == nil ? ExitStatus.success : ExitStatus.failure
                let printed = try print(Self.summary(of: report))
                return printed == ExitStatus.success ? status : printed
            case .write(let path): return try write(report, to: path)
            }
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func write(_ report: EngineReport, to path: String) throws -> Int32 {
        if let fault = report.fault {
            output.printError("jsbridge: the profile is not written: \(fault)")
            return ExitStatus.failure
        }
        guard report.buildID != nil else {
            output.printError("jsbridge: the profile is not written: the library has no build ID")
            return ExitStatus.failure
        }
        let text = try Self.written(report).text
        try CommandFailure.with(ExitStatus.cannotWrite) {
            do throws(FileWriting.Problem) {
                try FileReplacement.write(Array(text.utf8), to: path)
            } catch {
                throw CommandError("\(MessageText.quoted(path)) cannot be written: \(error.reason)")
            }
        }
        return ExitStatus.success
    }

    private func print(_ text: String) throws -> Int32 {
        try output.print(text)
        return ExitStatus.success
    }

    private static func written(_ report: EngineReport) -> SavedEngineProfile {
        SavedEngineProfile(version: report.version, buildID: report.buildID ?? "", profile: report.derived)
    }

    /// Returns a summary with one line for each finding.
    static func summary(of report: EngineReport) -> String {
        let listing =
            switch report.isAsListed {
            case true?: "listed, and the library is as listed"
            case false?: "listed, and the library is not as listed"
            case nil: "not listed"
            }
        let promise = report.derived.promise.map { "word \($0.word), bits \($0.shift) and \($0.shift + 1)" }
        return [
            "engine: JavaScriptCore \(report.version), build \(report.buildID ?? "without an ID")",
            "branch: \(report.derived.branch), \(listing)",
            "self-test: \(report.fault.map { "failed, \($0)" } ?? "passed")",
            "promise state: \(promise ?? "does not show")",
            "promise result: \(report.derived.promiseResult.map { "word \($0)" } ?? "does not show")",
            "call path: \(Capabilities.current.callPath), \(Capabilities.current.callPathReason)",
        ]
        .joined(separator: "\n")
    }
}

extension Invocation {
    /// Parses the arguments of `engine-probe`.
    static func engineProbe(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options: EngineProbeOptions?
        while let argument = try reader.next(about: .engineProbe) {
            let wanted: EngineProbeOptions
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .engineProbe)
                return .help(.engineProbe)
            case .option("--json"):
                try reader.refuseValue(about: .engineProbe)
                wanted = .json
            case .option("--check"):
                try reader.refuseValue(about: .engineProbe)
                wanted = .check
            case .option("--write"):
                wanted = .write(try reader.value(of: "--write", named: "FILE", about: .engineProbe))
            case .option(let option):
                throw unknown(option, among: ["--check", "--help", "--json", "--write"], about: .engineProbe)
            case .operand(let operand):
                throw UsageError("'engine-probe' takes no file, not '\(operand)'", about: .engineProbe)
            }
            guard options == nil || options == wanted else {
                throw UsageError("'--json', '--check' and '--write' exclude each other", about: .engineProbe)
            }
            options = wanted
        }
        return .engineProbe(options ?? .summary)
    }
}
