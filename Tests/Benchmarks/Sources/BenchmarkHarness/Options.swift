/// The options of the command line.
public struct Options: Sendable, Hashable {
    /// An action of the command.
    public enum Action: Sendable, Hashable {
        /// Measure.
        case measure
        /// Print the names of the cases.
        case list
        /// Print how to use the command.
        case help
    }

    /// The action.
    public private(set) var action = Action.measure
    /// The prefix of the names of the cases to measure.
    public private(set) var filter = ""
    /// The duration and number of rounds.
    public private(set) var schedule = Schedule.full

    /// The usage text.
    public static let usage = """
        usage: Benchmarks [--filter PREFIX] [--quick | --alone] | --list | --help
          --filter PREFIX  only the cases whose names begin with it
          --quick          a few short rounds, to see that every case runs; its figures mean little
          --alone          only our side, for a profiler: no ratios
          --list           print the names of the cases and what each is measured against
        The environment variable BENCH_OUTPUT names a file that the figures are written to as JSON.
        """

    /// Parses a command line.
    ///
    /// - Parameter arguments: The words after the command's own name.
    /// - Throws: ``UsageError`` for an unknown word.
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

/// An error about a wrong command line.
public struct UsageError: Error, Hashable, CustomStringConvertible {
    /// The problem, as a sentence.
    public let description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
}
