internal import BridgeProtocol
internal import Synchronization

/// A JavaScript context and the message protocol that joins it with Swift, both ways.
///
/// ```swift
/// let bridge = try Bridge()
/// try bridge.registerHandler("user") { (query: UserQuery) in try await people.find(query.id) }
/// try await bridge.load(.file("plugin.js"))
/// let total = try await bridge.callHandler("total", with: [1, 2, 3], returning: Total.self)
/// ```
///
/// A bridge may be used from any thread. What it guarantees:
/// - Messages of one direction arrive in the order in which they were sent (P39).
/// - Every call settles once: with its reply, an error, at its deadline, by cancellation, or with
///   `disconnected`.
/// - Handlers written in Swift that are not `async` run on the engine's actor, one after another, between
///   scripts; `async` ones each get a task.
/// - Calls that are made before the first script was loaded wait for it (P25); those to a page, until it has handlers.
public final class Bridge: Sendable {
    /// The engine that the bridge's scripts run in.
    public let runtime: JavaScriptRuntime
    @usableFromInline let session: BridgeSession
    /// Puts into a context what every context of this bridge has.
    let contextPreparation: @Sendable (JSContext) throws -> Void

    /// Makes a bridge with a context of its own.
    ///
    /// - Throws: ``ExecutionLimitsError`` or ``BridgeGrantsError`` for a configuration that weakens its tier,
    ///   ``JSException`` if the package's own script does not run, which is a mistake of this package.
    public convenience init(configuration: BridgeConfiguration = BridgeConfiguration()) throws {
        try self.init(configuration: configuration, prepare: { _ in })
    }

    /// Makes a bridge whose contexts the rooms above add to before anything else runs in them.
    ///
    /// - Parameters:
    ///   - configuration: What the bridge is made with.
    ///   - prepare: Called for the first context and for each that follows after ``reload(rerunningScripts:)``,
    ///     where the runtime's turns run.
    /// - Throws: ``JSException`` if the package's own script does not run; what `prepare` throws.
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
        configuration.crossings?.begin(configuration.journalHeader)
        let session = BridgeSession(configuration: configuration)
        self.session = session
        session.state.withLock { $0.start.waitsForReady = configuration.waitsForReady }
        try session.setGrants(configuration.grants)
        session.answerDescribe()
        session.answerCalls()
        // A payload in process meets the engine's limits only, so the bridge's own count there.
        var executionLimits = configuration.executionLimits
        executionLimits.maximumDepth = min(executionLimits.maximumDepth, configuration.limits.maximumDepth)
        executionLimits.maximumNodes = min(executionLimits.maximumNodes, configuration.limits.maximumNodes)
        // By text a message has its own length, and what else crosses is no message.
        if session.isDirect {
            executionLimits.maximumPayloadBytes = min(
                executionLimits.maximumPayloadBytes,
                configuration.limits.maximumPayloadBytes
            )
        }
        let prepareContext = { @Sendable [configuration] (context: JSContext) in
            context.uncaughtErrorHandler = configuration.uncaughtErrorHandler
            context.consoleStyle = configuration.consoleStyle
            let transport = try session.install(in: context)
            try prepare(context)
            try session.start(transport, in: context)
        }
        contextPreparation = prepareContext
        runtime = try JavaScriptRuntime(
            isolation: configuration.isolation,
            limits: executionLimits,
            clock: configuration.clock,
            consoleSink: configuration.consoleSink,
            prepare: prepareContext
        )
        session.connect(to: runtime)
        configuration.crossings?.connect(self)
        if !configuration.expectsOwnScript { session.update { $0.machine.injected() } }
    }

    deinit { session.close() }

    /// Ends the bridge: every pending call settles with `disconnected`, and no more is taken.
    ///
    /// Scripts whose calls end so are notified in one more turn; then the runtime is closed, and nothing of the
    /// context runs any more. A script that runs meanwhile continues to its end or to its limit. To stop it
    /// immediately, close ``runtime`` (``JavaScriptRuntime/close()``): that ends the bridge as well, and
    /// everything that waits settles with `disconnected`, but scripts are not notified.
    ///
    /// Harmless when done twice. It happens by itself when the bridge goes away.
    public func close() { session.close() }

    /// How many calls of this side wait for their reply.
    public var pendingCallCount: Int { session.pendingCallCount }

    /// How many functions and objects of Swift scripts hold by reference.
    public var exportedReferenceCount: Int { session.references.counts.exported }

    /// How many functions and objects of scripts Swift holds by reference.
    public var heldReferenceCount: Int { session.references.counts.held }
}
