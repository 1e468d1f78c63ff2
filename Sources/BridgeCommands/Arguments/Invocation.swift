internal import BridgeProtocol
internal import BridgeValues
internal import JavaScriptBridge
internal import JavaScriptEngine

/// A command with its options, parsed from the arguments.
enum Invocation: Hashable {
    case help(HelpTopic)
    case version(isVerbose: Bool)
    case run(RunOptions)
    case test(TestOptions)
    case check(CheckOptions)
    case types(TypesOptions)
    case replay(ReplayOptions)
    case engineProbe(EngineProbeOptions)
    case browse(BrowseOptions)
    case serve(ServeOptions)
    case initialize(InitOptions)
    case repl(REPLOptions)
    case profile(ProfileOptions)
    case heap(HeapOptions)
}

/// A topic of the help.
enum HelpTopic: Hashable, CaseIterable {
    case overview
    case run
    case test
    case check
    case types
    case replay
    case engineProbe
    case browse
    case serve
    case initialize
    case repl
    case profile
    case heap
}

/// The options of `jsbridge run`.
struct RunOptions: Hashable {
    /// The source of the script.
    enum Script: Hashable {
        case file(String)
        case standardInput
        /// The code itself, from the command line.
        case code(String)

        /// A Boolean value that indicates whether the script is a page.
        var isPage: Bool {
            guard case .file(let path) = self else { return false }
            return ScriptSource.namesPage(path)
        }

        /// A Boolean value that indicates whether the script is a module by its name.
        var isModule: Bool {
            guard case .file(let path) = self else { return false }
            return path.lowercased().hasSuffix(".mjs") || isTypeScript
        }

        /// A Boolean value that indicates whether the script is TypeScript by its name.
        var isTypeScript: Bool {
            guard case .file(let path) = self else { return false }
            return path.hasSuffix(".ts") || path.hasSuffix(".mts")
        }
    }

    /// The location of the store.
    enum Store: Hashable {
        /// A new file that is removed when the run ends.
        case temporary
        case file(String)
        case memory
    }

    /// The content and the target of a trace.
    struct Trace: Hashable {
        /// The target of a trace.
        enum Target: Hashable {
            case file(String)
            /// Standard error, between the script's own lines.
            case errorOutput
        }

        var target: Target
        var format = TraceFormat.json
        /// The amount of detail; if `nil`, the default of the format.
        var level: TraceLevel?
    }

    /// The modules that the script can import.
    struct Modules: Hashable {
        /// A Boolean value that indicates whether the script is a module itself, whatever its name is.
        var includesScript = false
        /// The folder of the modules; if `nil`, the nearest one with a `package.json`, or else the script's folder.
        var root: String?
        /// The file of the import map; `nil` means none.
        var importMap: String?

        /// Returns the modules of a file that is a module if its name says so.
        static func ofFile(_ path: String) -> Modules { Modules(includesScript: Script.file(path).isModule) }
    }

    /// The debugger of a run.
    struct Inspection: Hashable {
        /// The default port, which is the one of other script runtimes.
        static let defaultPort = 9229

        var port = Inspection.defaultPort
        /// A Boolean value that indicates whether the script waits for a client, and stops at its first statement.
        var waits = false
    }

    /// The default time limit of a turn, the same as the engine's own for trusted scripts.
    static let defaultTimeLimit = Duration.seconds(30)

    /// The default limit of the script's heap in bytes.
    static let defaultMemoryLimit = 2 << 30

    var script: Script
    /// The arguments after the script's name, which are for the script.
    var arguments: [String] = []
    var store = Store.temporary
    /// A Boolean value that indicates whether other processes open the store too, so that each observes the others'
    /// changes row by row.
    var isShared = false
    /// The maximum processor time of a turn; `nil` means no limit.
    var timeLimit: Duration? = RunOptions.defaultTimeLimit
    /// The maximum size of the script's heap in bytes; `nil` means no limit.
    var memoryLimit: Int? = RunOptions.defaultMemoryLimit
    /// The trace of the bridge's traffic; `nil` means none.
    var trace: Trace?
    /// The debugger of the run; `nil` means none.
    var inspection: Inspection?
    /// The files of recordings of the run.
    var recordings = Recordings()
    /// The file for a journal of the run; `nil` means none.
    var journal: String?
    /// The dialect of a script that was written for a web view; `nil` means direct transport within the process.
    var dialect: BridgeDialect?
    /// The threads that the script runs on.
    var isolation = JavaScriptRuntime.Isolation.default
    /// The execution tier of the script.
    var tier = ExecutionTier.trusted
    /// The grants of the script.
    var grants = BridgeGrants()
    /// The files and environment variables that the script may use.
    var permissions = ScriptPermissions()
    /// The target for denials; `nil` means none.
    var audit: Trace.Target?
    /// The modules that the script can import.
    var modules = Modules()
    /// A Boolean value that indicates whether the script is loaded again when its files change.
    var isWatching = false
    /// A Boolean value that indicates whether a person at the terminal is asked for permissions that are missing.
    var isPrompting = true
}

/// An error in the arguments, with a message that says what is valid.
struct UsageError: Error, Hashable {
    let message: String
    let topic: HelpTopic

    init(_ message: String, about topic: HelpTopic) {
        self.message = message
        self.topic = topic
    }
}
