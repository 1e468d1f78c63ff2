/// What the command line asks for.
public struct Options: Sendable, Hashable {
    /// What to do.
    public enum Action: Sendable, Hashable {
        /// Measure.
        case measure
        /// Print the names of the cases.
        case list
        /// Print how to use the command.
        case help
    }

    /// What to do.
    public private(set) var action = Action.measure
    /// What the names of the cases begin with that are measured.
    public private(set) var filter = ""
    /// How long and how often.
    public private(set) var schedule = Schedule.full

    /// How to use the command.
    public static let usage = """
        usage: Benchmarks [--filter PREFIX] [--quick | --alone] | --list | --help
          --filter PREFIX  only the cases whose names begin with it
          --quick          a few short rounds, to see that every case runs; its figures mean little
          --alone          only our side, for a profiler: no ratios
          --list           print the names of the cases and what each is measured against
        The environment variable BENCH_OUTPUT names a file that the figures are written to as JSON.
        """

    /// Reads a command line.
    ///
    /// - Parameter arguments: The words after the command's own name.
    /// - Throws: ``UsageError`` for a word that is none of the above.
    public init(_ arguments: some Sequence<String>) throws(UsageError) {
        var words = arguments.makeIterator()
        while let word = words.next() {
            switch word {
            case "--filter":
                guard let prefix = words.next() else {
                    throw UsageError("--filter needs the beginning of a name")
                }
                filter = prefix
            case "--quick": schedule = .quick
            case "--alone": schedule = .alone
            case "--list": action = .list
            case "--help", "-h": action = .help
            default: throw UsageError("unknown option '\(word)'")
            }
        }
    }
}

/// Says what is wrong with a command line.
public struct UsageError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, in words.
    public let description: String

    /// Makes an error.
    public init(_ description: String) { self.description = description }
}
