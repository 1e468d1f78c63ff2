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
/// - Calls that are made before the first script was loaded wait for it (P25).
public final class Bridge: Sendable {
    /// The engine that the bridge's scripts run in.
    public let runtime: JavaScriptRuntime
    let session: BridgeSession

    /// Makes a bridge with a context of its own.
    ///
    /// - Throws: ``ExecutionLimitsError`` or ``BridgeGrantsError`` for a configuration that weakens its tier,
    ///   ``JSException`` if the package's own script does not run, which is a mistake of this package.
    public convenience init(configuration: BridgeConfiguration = BridgeConfiguration()) throws {
        try self.init(configuration: configuration, prepare: { _ in })
    }

    /// Makes a bridge whose context the rooms above add to before anything else runs in it.
    package init(configuration: BridgeConfiguration, prepare: sending (JSContext) throws -> Void) throws {
        var configuration = configuration
        configuration.limits.maximumPendingCalls = min(
            configuration.limits.maximumPendingCalls,
            configuration.executionLimits.maximumPendingPromises
        )
        let session = BridgeSession(configuration: configuration)
        self.session = session
        try session.setGrants(configuration.grants)
        session.answerDescribe()
        // A payload in process meets the engine's limits only, so the bridge's own count there.
        var executionLimits = configuration.executionLimits
        executionLimits.maximumDepth = min(executionLimits.maximumDepth, configuration.limits.maximumDepth)
        executionLimits.maximumNodes = min(executionLimits.maximumNodes, configuration.limits.maximumNodes)
        runtime = try JavaScriptRuntime(
            isolation: configuration.isolation,
            limits: executionLimits,
            clock: configuration.clock,
            consoleSink: configuration.consoleSink
        ) { context in
            context.uncaughtErrorHandler = configuration.uncaughtErrorHandler
            let transport = try session.install(in: context)
            try prepare(context)
            try session.start(transport, in: context)
        }
        session.connect(to: runtime)
    }

    deinit { session.close() }

    /// Ends the bridge: every pending call settles with `disconnected`, and no more is taken.
    ///
    /// Harmless when done twice. It happens by itself when the bridge goes away.
    public func close() { session.close() }

    /// How many calls of this side wait for their reply.
    public var pendingCallCount: Int { session.pendingCallCount }
}
