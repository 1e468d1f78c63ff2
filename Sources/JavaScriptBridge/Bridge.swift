public import BridgeProtocol
internal import Synchronization

/// A JavaScript context and the message protocol that connects it with Swift in both directions.
///
/// ```swift
/// let bridge = try Bridge()
/// try bridge.registerHandler("user") { (query: UserQuery) in try await people.find(query.id) }
/// try await bridge.load(.file("plugin.js"))
/// let total = try await bridge.callHandler("total", with: [1, 2, 3], returning: Total.self)
/// ```
///
/// A bridge may be used from any thread. Its guarantees:
/// - Messages of one direction arrive in the order in which they were sent.
/// - Every call settles exactly once: with its reply, an error, at its deadline, by cancellation, or with
///   `disconnected`.
/// - Handlers written in Swift that are not `async` run on the engine's actor, one after another, between
///   scripts; each call of an `async` handler gets its own task.
/// - Calls made before the first script is loaded wait for it; calls to a page wait until the page has handlers.
public final class Bridge: Sendable {
    /// The runtime in which the bridge's scripts run.
    public let runtime: JavaScriptRuntime
    @usableFromInline let session: BridgeSession
    /// The function that prepares each context of this bridge.
    let contextPreparation: @Sendable (JSContext) throws -> Void

    /// Creates a bridge with its own context.
    ///
    /// - Throws: ``ExecutionLimitsError`` or ``BridgeGrantsError`` for a configuration that weakens its tier,
    ///   ``JSException`` if the package's own script does not run, which is a bug of this package.
    public convenience init(configuration: BridgeConfiguration = BridgeConfiguration()) throws {
        try self.init(configuration: configuration, prepare: { _ in })
    }

    /// Creates a bridge; higher layers add to its contexts before anything else runs in them.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the bridge.
    ///   - prepare: Called for the first context and for each later one after ``reload(rerunningScripts:)``,
    ///     where the runtime's turns run.
    /// - Throws: ``JSException`` if the package's own script does not run; any error that `prepare` throws.
    package init(
        configuration: BridgeConfiguration,
        prepare: @escaping @Sendable (JSContext) throws -> Void
    ) throws {
        var configuration = configuration
        configuration.limits.maximumPendingCalls = min(
            configuration.limits.maximumPendingCalls,
            configuration.executionLimits.maximumPendingPromises
        )
        configuration.limits = configuration.limits.withinBounds
        configuration.recording?.begin(configuration.journalHeader)
        let session = BridgeSession(configuration: configuration)
        self.session = session
        session.state.withLock { $0.content.start.waitsForReady = configuration.waitsForReady }
        try session.setGrants(configuration.grants)
        session.answerDescribe()
        session.references.answerCalls(in: session)
        // In-process payloads are checked against the engine's limits only, so the bridge's own limits are merged into
        // them.
        var executionLimits = configuration.executionLimits
        executionLimits.maximumDepth = min(executionLimits.maximumDepth, configuration.limits.maximumDepth)
        executionLimits.maximumNodes = min(executionLimits.maximumNodes, configuration.limits.maximumNodes)
        // With the text transport a message has its own length limit, and other values that cross are not messages.
        if session.isDirect {
            executionLimits.maximumPayloadBytes = min(
                executionLimits.maximumPayloadBytes,
                configuration.limits.maximumPayloadBytes
            )
        }
        let prepareContext = { @Sendable [configuration] (context: JSContext) in
            context.uncaughtErrorHandler = configuration.uncaughtErrorHandler
            context.consoleStyle = configuration.consoleStyle
            if let modules = configuration.modules, configuration.recording == nil {
                context.moduleConfiguration = session.builtInModules.adding(to: modules, of: session)
            }
            let transport = try session.install(in: context)
            try prepare(context)
            try session.start(transport, in: context)
        }
        contextPreparation = prepareContext
        runtime = try JavaScriptRuntime(
            isolation: configuration.isolation,
            limits: executionLimits,
            clock: configuration.clock,
            globals: configuration.globals,
            consoleSink: configuration.consoleSink,
            inspector: configuration.inspector,
            prepare: prepareContext
        )
        session.connect(to: runtime)
        configuration.recording?.connect(self)
        if !configuration.expectsOwnScript { session.update { $0.machine.injected() } }
    }

    deinit { session.close() }

    /// Closes the bridge: every pending call settles with `disconnected`, and the bridge accepts no further calls.
    ///
    /// One more turn notifies the scripts whose calls end this way. Then the runtime is closed, and nothing of the
    /// context runs any more. A script that is running continues to its end or its limit. To stop it immediately, close
    /// ``runtime`` (``JavaScriptRuntime/close()``): that also closes the bridge and settles everything pending with
    /// `disconnected`, but scripts are not notified.
    ///
    /// Calling it again has no effect, and so has a registration of a handler, a group or an interceptor after it. The
    /// bridge closes itself when it is deallocated.
    public func close() { session.close() }

    /// Drops the pending calls and the queued messages but keeps the handlers; a connected peer stays connected.
    public func reset() { session.update { $0.machine.reset() } }

    /// Logs every message of this bridge to ``BridgeConfiguration/logSink``, as lines `WVJB SEND` and `WVJB RCVD`.
    public func enableLogging() { session.enableLogging() }

    /// Sets the maximum number of UTF-16 units of a message in a line of the log; the default is 500.
    public func setLogMaxLength(_ length: Int) {
        session.update { $0.tracing.maximumLogLength = max(0, length) }
    }

    /// The number of calls from Swift that wait for their replies.
    public var pendingCallCount: Int { session.pendingCallCount }

    /// The number of Swift functions and objects that scripts hold by reference.
    public var exportedReferenceCount: Int { session.references.counts.exported }

    /// The number of script functions and objects that Swift holds by reference.
    public var heldReferenceCount: Int { session.references.counts.held }
}

extension Bridge {
    /// The current state in the life of the bridge.
    public var state: BridgeState { session.state.withLock { BridgeState($0.machine.state) } }

    /// The number of contexts that the bridge has lost, which is the number of the current one, counted from 0.
    ///
    /// ``reload(rerunningScripts:)`` increases it at the moment when it gives up the old context.
    public var epoch: UInt64 { session.state.withLock { $0.machine.epoch } }

    /// The states of the bridge: the current one, then each change, in order.
    ///
    /// The sequence ends when the bridge is closed, after ``BridgeState/dead``. It buffers the newest 64 states for a
    /// slower reader.
    public var states: AsyncStream<BridgeState> {
        let session = self.session
        return AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let subscription = session.observeState { continuation.yield($0) }
            let end = session.whenClosed { continuation.finish() }
            continuation.onTermination = { _ in
                subscription.cancel()
                end.cancel()
            }
        }
    }

    /// Declares that all scripts are loaded: calls that wait for a page's handlers are sent now.
    ///
    /// With the text transport, calls wait until a script has used its side of the protocol, or a page is loaded. With
    /// ``BridgeConfiguration/waitsForReady`` they wait for this call, with either transport. A page that brings its own
    /// side must have loaded it: calls wait until then.
    ///
    /// Calling it again has no effect. It applies to the scripts of the current context: after a
    /// ``reload(rerunningScripts:)`` that does not run them again, calls wait for another `ready()`.
    public func ready() async {
        session.state.withLock { $0.content.start.isDeclared = true }
        // A turn looks for the page, and handles the queued messages.
        try? await withContext { context in
            guard session.configuration.transport == .text, session.configuration.injectsScript else {
                return
            }
            _ = try context.internals.invokeMethod("noteUse")
        }
    }

    /// The current level of detail of the bridge's traces.
    ///
    /// It may be changed at any time, also while calls are pending: a trace that begins later does not contain them.
    /// Times and statistics restart when tracing is switched on.
    public var traceLevel: TraceLevel {
        get { session.state.withLock { $0.tracing.levels.standard } }
        set { session.changeTraceLevels { $0.standard = newValue } }
    }

    /// Sets the level of detail for some handlers and topics, higher or lower than ``traceLevel``.
    ///
    /// ```swift
    /// bridge.setTraceLevel(.messages, for: "user")       // the messages of one handler, nothing else
    /// bridge.setTraceLevel(.off, for: "mouse.*")
    /// ```
    ///
    /// It may be changed at any time. If two patterns match a name, the one set last applies. Streams have the level of
    /// their handler. Statistics cover all handlers while anything is traced.
    ///
    /// - Parameters:
    ///   - level: The level; `nil` removes the level of exactly this pattern.
    ///   - pattern: The names: `"user"` is one name, `"user.*"` matches all names with that prefix.
    public func setTraceLevel(_ level: TraceLevel?, for pattern: NamePattern) {
        session.changeTraceLevels { $0.set(level, for: pattern) }
    }

    /// The statistics since tracing was switched on; `nil` while it is off.
    ///
    /// - Complexity: Linear in the number of handlers that were called.
    public var traceStatistics: TraceStatistics? {
        session.state.withLock { $0.tracing.levels.maximum == .off ? nil : $0.tracing.recorder?.statistics }
    }
}
