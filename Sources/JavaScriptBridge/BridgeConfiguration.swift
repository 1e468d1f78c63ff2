public import BridgeProtocol
internal import BridgeValues

/// The configuration of a ``Bridge``.
public struct BridgeConfiguration: Sendable {
    /// The form in which messages cross.
    public enum Transport: Sendable, Hashable {
        /// Values within the process.
        ///
        /// The default.
        case direct
        /// Text in the wire format of WebViewJavascriptBridge, through `_fetchQueue` and `_handleMessageFromObjC`: for
        /// scripts that bring their own side of the protocol, and for tests of that side.
        case text
    }

    /// The encoding of bytes for a peer that only supports JSON.
    ///
    /// The functions of `WebViewJavascriptBridge` in a script always write what `JSON.stringify` does.
    public enum BinaryPolicy: String, Sendable, Hashable {
        /// A base64 string.
        ///
        /// The default.
        case base64
        /// An array of numbers.
        case numbers
        /// None: the call fails with `encodeFailed`.
        case fail
    }

    /// The form in which messages cross.
    public var transport = Transport.direct
    /// A Boolean value that indicates whether the bridge installs its own side of the protocol in the context.
    ///
    /// If it is `false` with the text transport, a script brings its own side, such as the one of
    /// WebViewJavascriptBridge. The bridge then finds `WebViewJavascriptBridge` by its name; `window` and `document`
    /// have the members that such scripts use.
    public var injectsScript = true
    /// The spelling of the protocol in the text transport.
    ///
    /// With ``injectsScript`` a script finds the global, the setup array and the functions of that dialect; without it
    /// the bridge talks to a page that brings a script of that dialect. With the direct transport messages are values,
    /// and scripts find the names of WebViewJavascriptBridge.
    public var dialect = BridgeDialect.wvjb6
    /// A Boolean value that indicates whether calls wait until the program declares that all scripts are loaded
    /// (``Bridge/ready()``).
    ///
    /// If it is `false`, calls wait for the first script. With the text transport they wait for the first script that
    /// uses its side of the protocol. That script may not be the last one that registers a handler.
    public var waitsForReady = false
    /// The encoding of bytes in the text transport for a peer that did not announce support for bytes (`bin`).
    public var binaryPolicy = BinaryPolicy.base64
    /// The threads on which scripts run: those that all actors share, or a dedicated one.
    public var isolation = JavaScriptRuntime.Isolation.default
    /// The modules that scripts can import; if `nil`, a module that is loaded can import files in its own folder.
    ///
    /// The built-in modules of the bridge are added: `bridge:core`, `bridge:data`, `bridge:views`, `bridge:fs`,
    /// `bridge:process` and `bridge:handlers/GROUP`. Modules cannot be imported while messages are recorded.
    public var modules: ModuleConfiguration?
    /// The limits at which scripts are stopped.
    public var executionLimits = ExecutionLimits()
    /// The maximum number of messages, calls and bytes that the bridge accepts.
    public var limits = BridgeLimits()
    /// The handlers, topics, data and files that scripts may use: by default everything in the trusted tier, nothing in
    /// the constrained tier.
    ///
    /// Creating a bridge fails if its grants weaken the tier of ``executionLimits``.
    public var grants = BridgeGrants()
    /// The files and environment variables that scripts may use through `bridge:fs` and `bridge:process`: none by default.
    public var permissions = ScriptPermissions()
    /// A function that decides about a permission that a trusted script requests and ``permissions`` does not have;
    /// `nil` denies it.
    ///
    /// It is called for one request at a time, off the thread of the engine. Requests of a script of the constrained tier
    /// are denied without a call. A script that reads an environment variable blocks the thread of the engine until the
    /// function returns, so that it must not wait for this bridge.
    public var permissionHandler: (@Sendable (ScriptPermissions.Request) async -> ScriptPermissions.Decision)?
    /// The process that scripts see as `bridge:process`; `nil` for none, so that the module does not exist.
    public var process: ScriptProcess?
    /// A function that receives each denial of a script's request, for an audit.
    ///
    /// It is called at most 1,000 times a second; the next call counts the denials left out
    /// (``BridgeDenial/omittedCount``).
    ///
    /// It runs on the thread that received the request: keep it short.
    public var denialSink: (@Sendable (BridgeDenial) -> Void)?
    /// The time that a call waits for its reply unless the call sets its own; `nil` waits forever.
    ///
    /// It applies to calls in both directions.
    public var defaultTimeout: Duration? = .seconds(30)
    /// A Boolean value that indicates whether a trace connects calls that are made for one another
    /// (``BridgeCall/trace``).
    ///
    /// A trace that arrives with a call of the other side is continued in any case. While this is on, the direct
    /// transport queues all messages, as it does while traffic is logged: a call is several times slower.
    public var tracesCalls = false
    /// A Boolean value that indicates whether `bridge.describe()` returns the types of handlers' requests and responses
    /// to scripts, as JSON Schema.
    ///
    /// The bridge inspects each type once, when a handler of it is registered: it runs the type's `init(from:)` with
    /// placeholder values, so an initializer that traps on an empty string or 0 traps there. Hence it is off by
    /// default. Names, kinds and descriptions of handlers are returned in any case.
    public var describesTypes = false
    /// The names that scripts find beside those of the language and of the bridge.
    public var globals = GlobalSet.web
    /// The clock for timers and deadlines.
    public var clock: any MonotonicClock = SystemClock()
    /// A function that receives the output of `console`.
    public var consoleSink: (@Sendable (ConsoleMessage) -> Void)?
    /// The debugger of the bridge's scripts, such as a `DebugServer`; `nil` by default.
    ///
    /// Creating a bridge with one fails if the engine's library cannot be debugged. The client can read and change all
    /// that scripts can, and runs code with their rights.
    public var inspector: (any InspectorClient)?
    /// The layout of the output of `console`.
    public var consoleStyle = ConsoleStyle()
    /// A function that receives every error that no script and no caller catches, once each.
    public var uncaughtErrorHandler: (@Sendable (JSException) -> Void)?
    /// A function that receives the bridge's own log lines: warnings always, traffic while ``Bridge/enableLogging()``
    /// is on.
    public var logSink: (@Sendable (BridgeLogLine) -> Void)?
    /// The initial level of detail of traces; ``Bridge/traceLevel`` changes it.
    public var traceLevel = TraceLevel.off
    /// A function that receives each event of a trace, in order, one at a time.
    ///
    /// It runs on the thread that causes the event, or on one that causes another: keep it short. A call that it makes
    /// on the bridge is traced too.
    public var traceSink: (@Sendable (TraceEvent) -> Void)?

    /// The journal that records all messages across the boundary, to replay scripts without the program; `nil` for
    /// none.
    ///
    /// While a bridge has one, all messages are queued, as data.
    public var journal: BridgeJournal? {
        get { recording?.journal }
        set { recording = newValue }
    }
    /// A Boolean value that indicates whether scripts can import `bridge:test`, whose tests the host runs.
    package var providesTests = false
    /// A Boolean value that indicates whether types are inspected when a script asks for them, and not when their
    /// handlers are registered: for programs all of whose types are known to be safe.
    package var inspectsTypesLate = false
    /// The recording hook at the boundary of the bridge's contexts.
    package var recording: (any RecordingHook)?
    /// The channel to the other side of the protocol if it is not in the bridge's context; otherwise `nil`.
    public internal(set) var peer: PeerChannel?

    /// Creates the default configuration: the direct transport, the limits of trusted scripts, 30 seconds for a call.
    public init() {}

    /// Creates the configuration of a bridge whose other side is at the other end of a channel.
    ///
    /// The bridge has the text transport and installs no script. Scripts that run in its context have no bridge. A journal
    /// is not supported.
    public init(peer: PeerChannel) {
        self.peer = peer
        transport = .text
        injectsScript = false
    }
}

/// A line of a bridge's own log.
public struct BridgeLogLine: Sendable, Hashable {
    /// The severity of a line.
    public enum Level: String, Sendable, Hashable {
        /// Traffic and other information for debugging.
        case debug
        /// A problem after which the bridge continues.
        case warning
        /// A loss of data.
        case error
    }

    /// The severity of the line.
    public let level: Level
    /// The text of the line.
    public let text: String
}

extension BridgeLogLine: CustomStringConvertible {
    /// The line as `level: text`, with control characters of terminals made visible.
    public var description: String { "\(level.rawValue): \(Printable.lines(text))" }
}
