internal import BridgeProtocol
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
                context.moduleConfiguration = session.addingBuiltIns(to: modules)
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
