internal import BridgeValues

/// The options of `jsbridge test`.
struct TestOptions: Hashable {
    /// The files, and the folders in which files of tests are found.
    var paths: [String] = []
    /// The text that the names of the tests that run contain.
    var filter = ""
    /// The file for a report as JUnit XML; `nil` for none.
    var report: String?
    /// The folder for coverage; `nil` for none.
    var coverage: String?
    /// A Boolean value that indicates whether the tests run again when a file changes.
    var isWatching = false
    /// The maximum processor time of a turn; `nil` means no limit.
    var timeLimit: Duration? = .seconds(5)
    /// The files and environment variables that the tests may use.
    var permissions = ScriptPermissions()
}

extension Invocation {
    private static let testOptions = [
        "--allow-env", "--allow-read", "--allow-write", "--coverage", "--deny-env", "--deny-read",
        "--deny-write",
        "--filter", "--help", "--junit", "--time-limit", "--watch",
    ]

    private static let permissionOptions = [
        "--allow-read", "--allow-write", "--deny-read", "--deny-write", "--deny-env",
    ]

    /// Parses the arguments of `test`.
    static func test(_ reader: inout ArgumentReader) throws(UsageError) -> Invocation {
        var options = TestOptions()
        var permissions = PermissionArguments(topic: .test)
        while let argument = try reader.next(about: .test) {
            switch argument {
            case .option("--help"), .option("-h"):
                try reader.refuseValue(about: .test)
                return .help(.test)
            case .option("--filter"):
                options.filter = try reader.value(of: "--filter", named: "TEXT", about: .test)
            case .option("--junit"):
                options.report = try reader.value(of: "--junit", named: "FILE", about: .test)
            case .option("--coverage"):
                let folder = try reader.value(of: "--coverage", named: "DIR", about: .test)
                guard !folder.isEmpty else {
                    throw UsageError("the DIR of '--coverage' is empty", about: .test)
                }
                options.coverage = folder
            case .option("--watch"):
                try reader.refuseValue(about: .test)
                options.isWatching = true
            case .option("--time-limit"):
                let value = try reader.value(of: "--time-limit", named: "SECONDS", about: .test)
                options.timeLimit = try timeLimit(value, about: .test)
            case .option("--allow-env"): _ = try permissions.readEnvironment("--allow-env", &reader)
            case .option(let option) where permissionOptions.contains(option):
                let name = option == "--deny-env" ? "NAME" : "PATH"
                let value = try reader.value(of: option, named: name, about: .test, isRepeatable: true)
                _ = try permissions.read(option, value)
            case .option(let option): throw unknown(option, among: testOptions, about: .test)
            case .operand(let operand):
                guard !operand.isEmpty else {
                    throw UsageError("the name of a file or folder is empty", about: .test)
                }
                options.paths.append(operand)
            }
        }
        if options.paths.isEmpty { options.paths = ["."] }
        options.permissions = permissions.permissions
        return .test(options)
    }
}
