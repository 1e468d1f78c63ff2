internal import BridgeTestKit
internal import Stores

/// The options of `jsbridge replay`.
struct ReplayOptions: Hashable {
    /// The condition under which a replay fails.
    enum Condition: Hashable {
        case divergence
        case errorCode(String)
        /// A script that decides.
        case script(String)
    }

    /// The faults to inject into messages.
    enum Faults: Hashable {
        case none
        case these([Fault])
        case random(UInt64)
    }

    var file: String
    /// The number of journal entries to replay; `nil` means all.
    var count: Int?
    var isVerbose = false
    var isJSON = false
    /// The file for the smallest part that still fails.
    var shrunkFile: String?
    var condition = Condition.divergence
    var faults = Faults.none
    var timeLimit: Duration? = RunOptions.defaultTimeLimit
}

extension ReplayOptions {
    /// Checks that the output of `--shrink` does not overwrite one of its inputs.
    ///
    /// - Throws: ``UsageError`` with both uses and the file.
    func refuseSharedFiles() throws(UsageError) {
        guard let shrunkFile else { return }
        var files = [FileUse("the journal", file == "-" ? FileUse.standardInput : file)]
        if case .script(let path) = condition { files.append(FileUse("the file of --when", path)) }
        files.append(FileUse("--shrink", shrunkFile, isWritten: true))
        try files.refuseOverwriting(about: .replay)
    }
}

extension Invocation {
    private static let replayOptions = [
        "--fault", "--faults", "--help", "--json", "--shrink", "--time-limit", "--to", "--verbose", "--when",
    ]

    /// Parses the arguments of `replay`.
    static func replay(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options = ReplayOptions(file: "")
        var hasCondition = false
        while let argument = try reader.next(about: .replay) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .replay)
                return .help(.replay)
            case .option("--to"):
                let value = try reader.value(of: "--to", named: "N", about: .replay)
                guard let count = Int(value), count >= 0 else {
                    throw UsageError(
                        "'--to' takes a number of entries, not \(MessageText.quoted(value))",
                        about: .replay
                    )
                }
                options.count = count
            case .option("--verbose"): options.isVerbose = true
            case .option("--json"): options.isJSON = true
            case .option("--shrink"):
                options.shrunkFile = try reader.value(of: "--shrink", named: "OUT", about: .replay)
            case .option("--when"):
                hasCondition = true
                options.condition = try condition(
                    try reader.value(of: "--when", named: "WHAT", about: .replay)
                )
            case .option("--fault"), .option("--faults"): try fault(argument, &reader, &options)
            case .option("--time-limit"):
                let value = try reader.value(of: "--time-limit", named: "SECONDS", about: .replay)
                options.timeLimit = try timeLimit(value, about: .replay)
            case .option(let option): throw unknown(option, among: replayOptions, about: .replay)
            case .operand(let operand):
                guard options.file.isEmpty else {
                    throw UsageError("one journal at a time, not also '\(operand)'", about: .replay)
                }
                guard !operand.isEmpty else {
                    throw UsageError("the name of the journal is empty", about: .replay)
                }
                options.file = operand
            }
        }
        guard !options.file.isEmpty else { throw UsageError("a journal is missing", about: .replay) }
        guard !hasCondition || options.shrunkFile != nil else {
            throw UsageError("'--when' requires '--shrink OUT'", about: .replay)
        }
        guard options.faults == .none || (options.shrunkFile == nil && options.count == nil) else {
            let message = "'--fault' cannot be combined with '--to' or '--shrink'"
            throw UsageError(message, about: .replay)
        }
        guard options.shrunkFile == nil || options.count == nil else {
            throw UsageError("'--shrink' cannot be combined with '--to'", about: .replay)
        }
        return .replay(options)
    }

    private static func condition(_ text: String) throws(UsageError) -> ReplayOptions.Condition {
        if text == "divergence" { return .divergence }
        guard text.hasPrefix("error:") else { return .script(text) }
        let code = String(text.dropFirst(6))
        guard !code.isEmpty else {
            throw UsageError(
                "'--when error:CODE' needs a code, such as error:handlerNotFound",
                about: .replay
            )
        }
        return .errorCode(code)
    }

    private static var faultsExcludeEachOther: UsageError {
        UsageError("'--fault' and '--faults' exclude each other", about: .replay)
    }

    private static func fault(
        _ argument: ArgumentReader.Argument,
        _ reader: inout ArgumentReader,
        _ options: inout ReplayOptions
    ) throws(UsageError) {
        if argument == .option("--faults") {
            let value = try reader.value(of: "--faults", named: "SEED", about: .replay)
            guard let seed = UInt64(value) else {
                let message = "'--faults' takes a seed, an integer from 0, not \(MessageText.quoted(value))"
                throw UsageError(message, about: .replay)
            }
            guard options.faults == .none else { throw faultsExcludeEachOther }
            options.faults = .random(seed)
            return
        }
        let value = try reader.value(of: "--fault", named: "FAULT", about: .replay, isRepeatable: true)
        guard let fault = Fault(value) else {
            let message =
                "'--fault' takes drop, delay, duplicate, reorder, corrupt or reload, and a message: drop@12; not \(MessageText.quoted(value))"
            throw UsageError(message, about: .replay)
        }
        switch options.faults {
        case .none: options.faults = .these([fault])
        case .these(let faults): options.faults = .these(faults + [fault])
        case .random: throw faultsExcludeEachOther
        }
    }
}
