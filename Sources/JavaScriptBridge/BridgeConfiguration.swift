public import BridgeProtocol
internal import BridgeValues

/// What a ``Bridge`` is made with.
public struct BridgeConfiguration: Sendable {
    /// How messages cross.
    public enum Transport: Sendable, Hashable {
        /// As values, within the process. The default.
        case direct
        /// As text of the ancestor's wire, through `_fetchQueue` and `_handleMessageFromObjC`: for scripts
        /// that bring their own side of the protocol, and to test it.
        case text
    }

    /// How bytes are written for a side that knows JSON alone.
    ///
    /// The ancestor's own functions in a script (`WebViewJavascriptBridge`) write what `JSON.stringify` does in any case
    /// (P64).
    public enum BinaryPolicy: String, Sendable, Hashable {
        /// As text in base64. The default.
        case base64
        /// As a list of numbers.
        case numbers
        /// Not at all: the call fails with `encodeFailed`.
        case fail
    }

    /// How messages cross.
    public var transport = Transport.direct
    /// Whether the bridge puts its own side of the protocol into the context.
    ///
    /// Without it, and with the text transport, a script brings its own, such as the ancestor's: the bridge
    /// then finds `WebViewJavascriptBridge` by its name, and `window` and `document` are as much as such
    /// scripts ask for.
    public var injectsScript = true
    /// How the text transport spells the protocol.
    ///
    /// With ``injectsScript`` a script finds the global, the set-up list and the functions of that dialect;
    /// without it the bridge speaks to a page that brings a script of that dialect. In process messages are
    /// values, and scripts find the names of WebViewJavascriptBridge.
    public var dialect = BridgeDialect.wvjb6
    /// Whether calls wait until the program says that all scripts are loaded (``Bridge/ready()``).
    ///
    /// Without it they wait for the first script, or with the text transport for the first that uses its side of the
    /// protocol, which may not be the last that registers a handler.
    public var waitsForReady = false
    /// How bytes go by the text transport to a side that did not say that it takes them (`bin`).
    public var binaryPolicy = BinaryPolicy.base64
    /// Where scripts run: on the threads that all actors share, or on one of their own.
    public var isolation = JavaScriptRuntime.Isolation.default
    /// How much scripts may use before they are stopped.
    public var executionLimits = ExecutionLimits()
    /// How many messages, calls and bytes the bridge takes.
    public var limits = BridgeLimits()
    /// What scripts may reach (handlers, topics, data and files): in the trusted tier everything unless said otherwise, in
    /// the constrained tier nothing unless said otherwise.
    ///
    /// Grants that weaken the tier of ``executionLimits`` are refused where the bridge is made.
    public var grants = BridgeGrants()
    /// Called with what was denied to a script, for an audit: each time, but at most 1,000 times in a second; what comes
    /// faster is counted in the next (``BridgeDenial/omittedCount``).
    ///
    /// It is called on the thread that brings the request: keep it short.
    public var denialSink: (@Sendable (BridgeDenial) -> Void)?
    /// How long a call waits for its reply unless it says otherwise; `nil` means for ever.
    ///
    /// Both ways.
    public var defaultTimeout: Duration? = .seconds(30)
    /// Whether calls that are made for one another are joined by a trace (``BridgeCall/trace``).
    ///
    /// A trace that comes with a call of the other side goes on in any case. In process all messages go by the bridge's
    /// queue while this is on, as they do while traffic is logged: a call is some times slower.
    public var tracesCalls = false
    /// Whether `bridge.describe()` tells scripts what handlers take and give, as JSON Schema.
    ///
    /// Types are asked for that once, when a handler of them is registered: their `init(from:)` runs with values that mean
    /// nothing, so one that traps on an empty text or a 0 traps there. Hence it is off unless the program says so; names, kinds
    /// and descriptions of handlers are told in any case.
    public var describesTypes = false
    /// What timers and deadlines go by.
    public var clock: any MonotonicClock = SystemClock()
    /// Where `console` writes.
    public var consoleSink: (@Sendable (ConsoleMessage) -> Void)?
    /// How `console` lays its output out.
    public var consoleStyle = ConsoleStyle()
    /// Called with every error that no script and no caller catches, once each.
    public var uncaughtErrorHandler: (@Sendable (JSException) -> Void)?
    /// Where the bridge writes its own lines: warnings always, traffic while ``Bridge/enableLogging()`` is
    /// on.
    public var logSink: (@Sendable (BridgeLogLine) -> Void)?
    /// How much the bridge tells of its traffic from the start; ``Bridge/traceLevel`` changes it.
    public var traceLevel = TraceLevel.off
    /// Called with each event of a trace, in order, one at a time.
    ///
    /// It is called on the thread that causes the event, or one that causes another: keep it short. A call that it makes
    /// on the bridge is traced too.
    public var traceSink: (@Sendable (TraceEvent) -> Void)?

    /// What writes down all that crosses, to run scripts again without the program; `nil` for nothing.
    ///
    /// While a bridge has one, all messages go by the bridge's queue, as data.
    public var journal: BridgeJournal? {
        get { crossings?.journal }
        set { crossings = newValue }
    }
    /// Who stands at the border of the bridge's contexts.
    package var crossings: (any CrossingPort)?

    /// Makes the defaults: the direct transport, a trusted script's limits, 30 seconds for a call.
    public init() {}
}

/// One line of a bridge's own log.
public struct BridgeLogLine: Sendable, Hashable {
    /// How much a line matters.
    public enum Level: String, Sendable, Hashable {
        /// Traffic, and what helps when looking for something.
        case debug
        /// Something is not as it should be; the bridge goes on.
        case warning
        /// Something was lost.
        case error
    }

    /// How much the line matters.
    public let level: Level
    /// The line.
    public let text: String
}

extension BridgeLogLine: CustomStringConvertible {
    /// The line as `level: text`, with what a terminal would take for a command made visible.
    public var description: String { "\(level.rawValue): \(Printable.lines(text))" }
}
