internal import JavaScriptBridge
internal import JavaScriptEngine

/// The options of `jsbridge repl`.
struct REPLOptions: Hashable {
    /// The options that `run` has too, without a script.
    var run: RunOptions = {
        var options = RunOptions(script: .code(""))
        // A person stops a script by Ctrl-C.
        options.timeLimit = nil
        return options
    }()
}

extension Invocation {
    private static let replOptions =
        [
            "--help", "--import-map", "--isolation", "--memory-limit", "--module-root", "--shared", "--store",
            "--time-limit",
        ] + GrantArguments.names.keys.sorted()

    /// Parses the arguments of `repl`.
    static func repl(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options = REPLOptions()
        var grants = GrantArguments()
        var hasTimeLimit = false
        while let argument = try reader.next(about: .repl) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .repl)
                return .help(.repl)
            case .option("--store"):
                let value = try reader.value(of: "--store", named: "PATH", about: .repl)
                options.run.store = value == ":memory:" ? .memory : .file(value)
            case .option("--shared"):
                try reader.refuseValue(about: .repl)
                options.run.isShared = true
            case .option("--module-root"):
                options.run.modules.root = try reader.value(
                    of: "--module-root",
                    named: "FOLDER",
                    about: .repl
                )
            case .option("--import-map"):
                options.run.modules.importMap = try reader.value(
                    of: "--import-map",
                    named: "FILE",
                    about: .repl
                )
            case .option("--time-limit"):
                let value = try reader.value(of: "--time-limit", named: "SECONDS", about: .repl)
                options.run.timeLimit = try timeLimit(value, about: .repl)
                hasTimeLimit = true
            case .option("--memory-limit"):
                let value = try reader.value(of: "--memory-limit", named: "SIZE", about: .repl)
                options.run.memoryLimit = try memoryLimit(value)
            case .option("--isolation"):
                let value = try reader.value(of: "--isolation", named: "KIND", about: .repl)
                options.run.isolation = try isolation(value, about: .repl)
            case .option(let option) where GrantArguments.names[option] != nil:
                try grants.read(option, &reader)
            case .option(let option): throw unknown(option, among: replOptions, about: .repl)
            case .operand(let operand):
                throw UsageError("'repl' takes no file: '.load \(operand)' evaluates one", about: .repl)
            }
        }
        try grants.apply(to: &options.run, hasTimeLimit: hasTimeLimit)
        if options.run.isShared {
            guard case .file = options.run.store else {
                throw UsageError(
                    "'--shared' needs '--store PATH': other processes open the same file",
                    about: .repl
                )
            }
        }
        return .repl(options)
    }
}
