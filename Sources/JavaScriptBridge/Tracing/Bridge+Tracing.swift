public import BridgeProtocol
internal import Synchronization

extension Bridge {
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
