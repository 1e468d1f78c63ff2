private import Foundation

/// A run of the benchmark from the command line.
@MainActor
public struct BenchmarkRun {
    /// The exit status of the command.
    public enum ExitStatus: Int32, Sendable {
        /// Every case was measured.
        case success = 0
        /// A case failed, or the report could not be written.
        case failure = 1
        /// The command line is wrong.
        case usage = 2
    }

    private let cases: [BenchmarkCase]
    private let heading: String
    private let output: String?

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - cases: All cases, in the order in which they run.
    ///   - heading: A description of the measured system, for the first line.
    ///   - output: The path of the report file; `nil` for none.
    public init(_ cases: [BenchmarkCase], heading: String, output: String?) {
        self.cases = cases
        self.heading = heading
        self.output = output
    }

    /// Runs the action of a command line.
    ///
    /// A case that fails is reported on the error output and left out of the report. The others still run.
    public func run(_ arguments: some Sequence<String>) async -> ExitStatus {
        do {
            let options = try Options(arguments)
            let chosen = cases.filter { $0.name.hasPrefix(options.filter) }
            guard !chosen.isEmpty else {
                throw UsageError("no case has a name that begins with '\(options.filter)'")
            }
            switch options.action {
            case .help: say(Options.usage)
            case .list: for benchmark in chosen { say("\(benchmark.name)\n    \(benchmark.baseline)") }
            case .measure: return await measure(chosen, by: options.schedule)
            }
            return .success
        } catch {
            complain("\(error)\n\(Options.usage)")
            return .usage
        }
    }

    private func measure(_ chosen: [BenchmarkCase], by schedule: Schedule) async -> ExitStatus {
        guard Self.isOptimized || schedule == .quick else {
            complain("a debug build tells nothing about speed: build with '-c release', or give --quick")
            return .failure
        }
        say(heading)
        var status = ExitStatus.success
        var report = Report()
        for benchmark in chosen {
            do {
                let measurement = try await benchmark.measure(by: schedule)
                report.add(measurement)
                say(measurement.line)
            } catch {
                complain("\(benchmark.name) failed: \(error)")
                status = .failure
            }
        }
        guard let output else { return status }
        do {
            try report.write(to: URL(fileURLWithPath: output))
            say("written to \(output)")
        } catch {
            complain("the report could not be written to \(output): \(error.localizedDescription)")
            status = .failure
        }
        return status
    }

    /// A Boolean value that indicates whether this code was built with optimization: otherwise the assertion's
    /// condition is evaluated.
    private static var isOptimized: Bool {
        var isOptimized = true
        assert(
            {
                isOptimized = false
                return true
            }()
        )
        return isOptimized
    }

    // This bypasses the buffers of the C library, so that each line appears when its case is done, also through a pipe.
    private func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    private func complain(_ text: String) { FileHandle.standardError.write(Data("error: \(text)\n".utf8)) }
}
