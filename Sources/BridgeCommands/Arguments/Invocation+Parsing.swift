internal import BridgeConformance
internal import BridgeProtocol
internal import BridgeTestKit
internal import Foundation
internal import JavaScriptEngine
internal import Stores

extension Invocation {
    private static let commands = [
        "browse", "check", "engine-probe", "heap", "help", "init", "profile", "repl", "replay", "run",
        "serve",
        "test", "types",
    ]
    private static let generalOptions = ["--eval", "--help", "--verbose", "--version"]
    private static let runOptions =
        [
            "--dialect", "--eval", "--help", "--import-map", "--inspect", "--inspect-brk", "--isolation",
            "--memory-limit", "--module", "--module-root", "--no-prompt", "--record", "--shared", "--store",
            "--time-limit", "--trace", "--trace-format", "--trace-level", "--watch",
        ] + RunOptions.Recordings.options + GrantArguments.names.keys.sorted()

    /// Parses the arguments that follow the program's name.
    ///
    /// - Throws: ``UsageError`` for an unknown, missing or extra argument.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var reader = ArgumentReader(arguments)
        var asksForHelp = false
        var asksForVersion = false
        var isVerbose = false
        while let argument = try reader.next(about: .overview) {
            switch argument {
            case .option("--help"), .option("-h"): asksForHelp = true
            case .option("--version"), .option("-V"): asksForVersion = true
            case .option("--verbose"): isVerbose = true
            // The same as `jsbridge run -e CODE`.
            case .option("-e"), .option("--eval"):
                let code = try reader.code(about: .run)
                self = asksForHelp ? .help(.run) : try Self.run(&reader, code: code)
                return
            case .option(let option):
                throw Self.unknown(option, among: Self.generalOptions, about: .overview)
            case .operand(let command):
                guard !asksForVersion, !isVerbose else {
                    throw UsageError("'--version' cannot be combined with '\(command)'", about: .overview)
                }
                self = try Self.command(command, asksForHelp: asksForHelp, &reader)
                return
            }
        }
        guard asksForHelp || asksForVersion else {
            let message = isVerbose ? "'--verbose' requires '--version'" : "a command is missing"
            throw UsageError(message, about: .overview)
        }
        self = asksForHelp ? .help(.overview) : .version(isVerbose: isVerbose)
    }

    private static func command(
        _ name: String,
        asksForHelp: Bool,
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> Invocation {
        switch name {
        case "run": asksForHelp ? .help(.run) : try run(&reader)
        case "test": asksForHelp ? .help(.test) : try test(&reader)
        case "check": asksForHelp ? .help(.check) : try check(&reader)
        case "replay": asksForHelp ? .help(.replay) : try replay(&reader)
        case "types": asksForHelp ? .help(.types) : try types(&reader)
        case "engine-probe": asksForHelp ? .help(.engineProbe) : try engineProbe(&reader)
        case "browse": asksForHelp ? .help(.browse) : try browse(&reader)
        case "serve": asksForHelp ? .help(.serve) : try serve(&reader)
        case "init": asksForHelp ? .help(.initialize) : try `init`(&reader)
        case "repl": asksForHelp ? .help(.repl) : try repl(&reader)
        case "profile": asksForHelp ? .help(.profile) : try profile(&reader)
        case "heap": asksForHelp ? .help(.heap) : try heap(&reader)
        case "help": try help(&reader)
        default: throw unknownCommand(name)
        }
    }

    private static func help(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var topic = HelpTopic.overview
        while let argument = try reader.next(about: .overview) {
            switch argument {
            case .option("--help"), .option("-h"), .operand("help"): continue
            case .operand("run"): topic = .run
            case .operand("test"): topic = .test
            case .operand("check"): topic = .check
            case .operand("types"): topic = .types
            case .operand("replay"): topic = .replay
            case .operand("engine-probe"): topic = .engineProbe
            case .operand("browse"): topic = .browse
            case .operand("serve"): topic = .serve
            case .operand("init"): topic = .initialize
            case .operand("repl"): topic = .repl
            case .operand("profile"): topic = .profile
            case .operand("heap"): topic = .heap
            case .operand(let name): throw unknownCommand(name)
            case .option(let option): throw unknown(option, among: ["--help"], about: .overview)
            }
        }
        return .help(topic)
    }

    // Options may be on either side of the script. Arguments for the script follow it, after `--` if necessary.
    private static func run(
        _ reader: inout ArgumentReader,
        code: String? = nil
    ) throws(UsageError) -> Invocation {
        var script: RunOptions.Script? = code.map { .code($0) }
        var options = RunOptions(script: .standardInput)
        var trace = TraceArguments()
        var grants = GrantArguments()
        var hasTimeLimit = false
        while let argument = try reader.next(about: .run) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .run)
                return .help(.run)
            case .option("--store"):
                let value = try reader.value(of: "--store", named: "PATH", about: .run)
                options.store = value == ":memory:" ? .memory : .file(value)
            case .option("--shared"):
                try reader.refuseValue(about: .run)
                options.isShared = true
            case .option("--dialect"):
                let name = try reader.value(of: "--dialect", named: "NAME", about: .run)
                options.dialect = try profile(name, about: .run).dialect
            case .option("--module"):
                try reader.refuseValue(about: .run)
                options.modules.includesScript = true
            case .option("--watch"):
                try reader.refuseValue(about: .run)
                options.isWatching = true
            case .option("--no-prompt"):
                try reader.refuseValue(about: .run)
                options.isPrompting = false
            case .option("--module-root"):
                options.modules.root = try reader.value(of: "--module-root", named: "FOLDER", about: .run)
            case .option("--import-map"):
                options.modules.importMap = try reader.value(of: "--import-map", named: "FILE", about: .run)
            case .option("--inspect"), .option("--inspect-brk"):
                guard options.inspection == nil else {
                    throw UsageError("'--inspect' is given twice", about: .run)
                }
                options.inspection = try inspection(argument, &reader)
            case .option("--record"):
                options.journal = try reader.value(of: "--record", named: "FILE", about: .run)
            case .option("--time-limit"):
                let value = try reader.value(of: "--time-limit", named: "SECONDS", about: .run)
                options.timeLimit = try timeLimit(value, about: .run)
                hasTimeLimit = true
            case .option("--memory-limit"):
                let value = try reader.value(of: "--memory-limit", named: "SIZE", about: .run)
                options.memoryLimit = try memoryLimit(value)
            case .option("-e"), .option("--eval"):
                guard script == nil else {
                    throw UsageError("'-e' cannot be combined with FILE", about: .run)
                }
                script = .code(try reader.code(about: .run))
            case .option("--trace"), .option("--trace-format"), .option("--trace-level"):
                try trace.read(argument, &reader)
            case .option("--isolation"):
                let value = try reader.value(of: "--isolation", named: "KIND", about: .run)
                options.isolation = try isolation(value, about: .run)
            case .option(let option) where RunOptions.Recordings.options.contains(option):
                try options.recordings.read(option, &reader)
            case .option(let option) where GrantArguments.names[option] != nil:
                try grants.read(option, &reader)
            case .option(let option):
                throw unknown(option, among: runOptions, about: .run, isScriptGiven: script != nil)
            case .operand(let operand) where script == nil:
                guard !operand.isEmpty else {
                    throw UsageError("the name of the script is empty", about: .run)
                }
                script = operand == "-" ? .standardInput : .file(operand)
            case .operand(let operand):
                options.arguments.append(operand)
            }
        }
        guard let script else {
            throw UsageError(
                "a script is missing ('-' reads one from standard input, '-e CODE' is one)",
                about: .run
            )
        }
        options.script = script
        options.trace = try trace.result()
        if script.isModule { options.modules.includesScript = true }
        if options.modules.includesScript {
            guard !script.isPage else {
                throw UsageError("'--module' takes a script, not a page", about: .run)
            }
            guard options.journal == nil else {
                throw UsageError(
                    "'--record' takes a script, not a module: bundle the module and its imports to one script",
                    about: .run
                )
            }
        }
        if script.isPage {
            options.dialect = options.dialect ?? .wvjb6
            guard options.journal == nil else {
                throw UsageError("'--record' takes a script, not a page", about: .run)
            }
        }
        if options.isWatching { try refuseWatch(options) }
        guard options.recordings.isEmpty || options.inspection == nil else {
            throw UsageError(
                "'--inspect' cannot be combined with \(RunOptions.Recordings.names)",
                about: .run
            )
        }
        try grants.apply(to: &options, hasTimeLimit: hasTimeLimit)
        if options.isShared {
            guard case .file = options.store else {
                throw UsageError(
                    "'--shared' needs '--store PATH': other processes open the same file",
                    about: .run
                )
            }
        }
        return .run(options)
    }

    static func isolation(
        _ text: String,
        about topic: HelpTopic
    ) throws(UsageError) -> JavaScriptRuntime.Isolation {
        guard let isolation = JavaScriptRuntime.Isolation(rawValue: text) else {
            let message = "'--isolation' is 'actor' or 'thread', not \(MessageText.quoted(text))"
            throw UsageError(message, about: topic)
        }
        return isolation
    }

    /// Parses `--inspect[=PORT]` or `--inspect-brk[=PORT]`.
    private static func inspection(
        _ argument: ArgumentReader.Argument,
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> RunOptions.Inspection {
        let waits = argument == .option("--inspect-brk")
        let name = waits ? "--inspect-brk" : "--inspect"
        var inspection = RunOptions.Inspection(waits: waits)
        guard let text = try reader.optionalValue(of: name, about: .run) else { return inspection }
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        guard isPlain, let port = UInt16(text) else {
            throw UsageError(
                "'\(name)' takes a port from 0 to 65535, not \(MessageText.quoted(text))",
                about: .run
            )
        }
        inspection.port = Int(port)
        return inspection
    }

    private static func refuseWatch(_ options: RunOptions) throws(UsageError) {
        guard case .file = options.script, !options.script.isPage else {
            throw UsageError("'--watch' needs the FILE of a script or module", about: .run)
        }
        guard options.journal == nil else {
            throw UsageError("'--watch' cannot be combined with '--record'", about: .run)
        }
        guard options.recordings.isEmpty else {
            throw UsageError("'--watch' cannot be combined with \(RunOptions.Recordings.names)", about: .run)
        }
    }

    static func timeLimit(_ text: String, about topic: HelpTopic) throws(UsageError) -> Duration? {
        // Double also parses forms that people do not write: "nan", "inf", "0x10".
        let isPlain = text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E }
        guard isPlain, let seconds = Double(text), seconds <= 1_000_000 else {
            // An implementation under test always has a limit.
            let none = topic == .check ? "" : ", and 0 for no limit"
            let message =
                "'--time-limit' takes seconds, such as 2.5, up to 1000000\(none); not \(MessageText.quoted(text))"
            throw UsageError(message, about: topic)
        }
        return seconds == 0 ? nil : .milliseconds(max(1, Int64((seconds * 1000).rounded())))
    }

    /// Parses a size: `512M`, `2G`, `1048576`; returns `nil` for 0.
    static func memoryLimit(_ text: String) throws(UsageError) -> Int? {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        let digits = unit == nil ? text[...] : text.dropLast()
        let isPlain = !digits.isEmpty && digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        let (bytes, overflows) = (Int(digits) ?? 0).multipliedReportingOverflow(by: unit ?? 1)
        // A smaller heap cannot hold what every script needs.
        let isSensible = bytes == 0 || bytes >= 8 << 20 && bytes <= 1 << 40
        guard isPlain, Int(digits) != nil, !overflows, isSensible else {
            let message =
                "'--memory-limit' takes bytes, such as 512M or 2G, from 8M to 1024G, and 0 for no limit; "
                + "not \(MessageText.quoted(text))"
            throw UsageError(message, about: .run)
        }
        return bytes == 0 ? nil : bytes
    }

    static func unknown(
        _ option: String,
        among known: [String],
        about topic: HelpTopic,
        isScriptGiven: Bool = false
    ) -> UsageError {
        let near = MessageText.suggestion(for: option, among: known)
        let hint = near.isEmpty && isScriptGiven ? "; put arguments of the script after '--'" : near
        return UsageError("unknown option \(MessageText.quoted(option))\(hint)", about: topic)
    }

    private static func unknownCommand(_ name: String) -> UsageError {
        let near = MessageText.suggestion(for: name, among: commands)
        let isScript = near.isEmpty && (name.hasSuffix(".js") || FileManager.default.fileExists(atPath: name))
        let hint = isScript ? " (did you mean 'jsbridge run \(name)'?)" : near
        return UsageError("unknown command \(MessageText.quoted(name))\(hint)", about: .overview)
    }

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
