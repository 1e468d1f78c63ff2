internal import BridgeConformance
internal import BridgeTestKit
internal import Stores

extension Invocation {
    private static let checkOptions = [
        "--dialect", "--help", "--json", "--junit", "--only", "--time-limit", "--verbose",
    ]

    /// Parses the arguments of `check`.
    static func check(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var script: RunOptions.Script?
        var options = CheckOptions(script: .standardInput)
        while let argument = try reader.next(about: .check) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .check)
                return .help(.check)
            case .option("--dialect"):
                options.profile = try profile(
                    try reader.value(of: "--dialect", named: "NAME", about: .check),
                    about: .check
                )
            case .option("--only"):
                let value = try reader.value(
                    of: "--only",
                    named: "NUMBERS",
                    about: .check,
                    isRepeatable: true
                )
                guard let selection = AssertionSelection(value) else {
                    let message =
                        "'--only' takes numbers such as P40, P40-P45 or P40,W2; not \(MessageText.quoted(value))"
                    throw UsageError(message, about: .check)
                }
                options.selection = options.selection?.union(selection) ?? selection
            case .option("--json"), .option("--junit"):
                let format = argument == .option("--json") ? CheckOptions.Format.json : .junit
                guard options.format == .table || options.format == format else {
                    throw UsageError("'--json' and '--junit' exclude each other", about: .check)
                }
                options.format = format
            case .option("--verbose"): options.isVerbose = true
            case .option("--time-limit"):
                let value = try reader.value(of: "--time-limit", named: "SECONDS", about: .check)
                guard let limit = try timeLimit(value, about: .check) else {
                    throw UsageError("an implementation is never tested without a limit", about: .check)
                }
                options.timeLimit = limit
            case .option(let option): throw unknown(option, among: checkOptions, about: .check)
            case .operand(let operand):
                guard script == nil else {
                    throw UsageError("one implementation at a time, not also '\(operand)'", about: .check)
                }
                guard !operand.isEmpty else {
                    throw UsageError("the name of the implementation is empty", about: .check)
                }
                script = operand == "-" ? .standardInput : .file(operand)
            }
        }
        guard let script else {
            let message = "an implementation is missing ('-' reads one from standard input)"
            throw UsageError(message, about: .check)
        }
        options.script = script
        return .check(options)
    }

    static func profile(_ name: String, about topic: HelpTopic) throws(UsageError) -> ConformanceProfile {
        if let profile = ConformanceProfile.named(name) { return profile }
        let names = ConformanceProfile.all.map(\.name)
        let near = MessageText.suggestion(for: name, among: names)
        let message =
            "unknown dialect \(MessageText.quoted(name))\(near.isEmpty ? ": it is one of \(names.joined(separator: ", "))" : near)"
        throw UsageError(message, about: topic)
    }
}
