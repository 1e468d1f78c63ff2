internal import BridgeProtocol
internal import Stores

/// The options of `run` that set its trace, in any order.
struct TraceArguments {
    private var target: RunOptions.Trace.Target?
    private var format: TraceFormat?
    private var level: TraceLevel?

    /// Reads one of these options with its value.
    mutating func read(
        _ argument: ArgumentReader.Argument,
        _ reader: inout ArgumentReader
    ) throws(UsageError) {
        switch argument {
        case .option("--trace-format"):
            let value = try reader.value(of: "--trace-format", named: "FORM", about: .run)
            guard let format = TraceFormat(rawValue: value) else {
                throw Self.unknown("--trace-format", value, TraceFormat.allCases.map(\.rawValue))
            }
            self.format = format
        case .option("--trace-level"):
            let value = try reader.value(of: "--trace-level", named: "LEVEL", about: .run)
            let levels = TraceLevel.allCases.filter { $0 != .off }
            guard let level = levels.first(where: { "\($0)" == value }) else {
                throw Self.unknown("--trace-level", value, levels.map { "\($0)" })
            }
            self.level = level
        default:
            let value = try reader.value(of: "--trace", named: "FILE", about: .run, allowsDash: true)
            target = value == "-" ? .errorOutput : .file(value)
        }
    }

    /// Returns the trace, or `nil` without `--trace`.
    func result() throws(UsageError) -> RunOptions.Trace? {
        guard let target else {
            guard format == nil, level == nil else {
                let option = format == nil ? "--trace-level" : "--trace-format"
                throw UsageError("'\(option)' requires '--trace FILE'", about: .run)
            }
            return nil
        }
        if format == .lines, let level, level != .messages {
            throw UsageError("the format 'lines' requires the level 'messages'", about: .run)
        }
        if format == .chrome, level == .statistics {
            throw UsageError(
                "the level 'statistics' requires the format 'json', not 'chrome'",
                about: .run
            )
        }
        return RunOptions.Trace(target: target, format: format ?? .json, level: level)
    }

    private static func unknown(_ option: String, _ value: String, _ known: [String]) -> UsageError {
        let names = known.map { "'\($0)'" }.joined(separator: ", ")
        return UsageError("'\(option)' is one of \(names), not \(MessageText.quoted(value))", about: .run)
    }
}
