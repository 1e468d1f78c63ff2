internal import BridgeProtocol
internal import BridgeValues
internal import JavaScriptBridge
internal import JavaScriptEngine

/// What a user asked for, read from the arguments.
enum Invocation: Hashable {
    case help(HelpTopic)
    case version(isVerbose: Bool)
    case run(RunOptions)
    case check(CheckOptions)
    case types(TypesOptions)
    case replay(ReplayOptions)
    case engineProbe(EngineProbeOptions)
}

/// What there is help about.
enum HelpTopic: Hashable {
    case overview
    case run
    case check
    case types
    case replay
    case engineProbe
}

/// What `jsbridge run` was given.
struct RunOptions: Hashable {
    /// Where the script comes from.
    enum Script: Hashable {
        case file(String)
        case standardInput
        /// The text itself, from the command line.
        case code(String)

        /// Whether it is a page.
        var isPage: Bool {
            guard case .file(let path) = self else { return false }
            return ScriptSource.namesPage(path)
        }
    }

    /// Where the store is kept.
    enum Store: Hashable {
        /// A fresh file that is removed when the run ends.
        case temporary
        case file(String)
        case memory
    }

    /// What is traced, and where to.
    struct Trace: Hashable {
        /// Where a trace is written.
        enum Target: Hashable {
            case file(String)
            /// Between the script's own lines there.
            case errorOutput
        }

        var target: Target
        var format = TraceFormat.json
        /// How much is told; what the format needs where it is `nil`.
        var level: TraceLevel?
    }

    /// The longest turn unless the user says otherwise, as the engine's own default for trusted scripts.
    static let defaultTimeLimit = Duration.seconds(30)

    /// How many bytes the script's heap may hold unless the user says otherwise.
    static let defaultMemoryLimit = 2 << 30

    var script: Script
    /// What follows the script's name: the script's own business.
    var arguments: [String] = []
    var store = Store.temporary
    /// Whether other processes open the store too, so that each hears of the others' changes row by row.
    var isShared = false
    /// How much processor time one turn may take; `nil` means no limit.
    var timeLimit: Duration? = RunOptions.defaultTimeLimit
    /// How many bytes the script's heap may hold; `nil` means no limit.
    var memoryLimit: Int? = RunOptions.defaultMemoryLimit
    /// Whether the traffic of the bridge is written down.
    var trace: Trace?
    /// The file that a journal of the run is written to; none where it is `nil`.
    var journal: String?
    /// How the script's messages are spelled, of those written for a web view; values in process where it is `nil`.
    var dialect: BridgeDialect?
    /// Where the script runs.
    var isolation = JavaScriptRuntime.Isolation.default
    /// How far the script is trusted.
    var tier = ExecutionTier.trusted
    /// What the script may reach.
    var grants = BridgeGrants()
    /// Where denials are written; nowhere where it is `nil`.
    var audit: Trace.Target?
}

/// Arguments that make no sense, and what would.
struct UsageError: Error, Hashable {
    let message: String
    let topic: HelpTopic

    init(_ message: String, about topic: HelpTopic) {
        self.message = message
        self.topic = topic
    }
}
