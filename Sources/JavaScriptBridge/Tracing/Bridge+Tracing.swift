public import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// How much the bridge tells of its traffic, now.
    ///
    /// It may be changed at any time, while calls are under way too: those are not known to a trace that begins after
    /// them. Times and figures begin anew when tracing is switched on.
    public var traceLevel: TraceLevel {
        get { session.state.withLock { $0.traceLevels.standard } }
        set { session.changeTraceLevels { $0.standard = newValue } }
    }

    /// Sets how much the bridge tells of some handlers and topics, whatever ``traceLevel`` is: more, or less.
    ///
    /// ```swift
    /// bridge.setTraceLevel(.messages, for: "user")       // what one handler gets and gives, nothing else
    /// bridge.setTraceLevel(.off, for: "mouse.*")
    /// ```
    ///
    /// It may be changed at any time. Of two patterns that mean a name the one counts that was set last. Streams have the
    /// level of the handler that they come from. Figures are kept of all handlers while anything is traced.
    ///
    /// - Parameters:
    ///   - level: How much; `nil` takes back what was set for this very pattern.
    ///   - pattern: Whose names: `"user"` is one, `"user.*"` all that begin so.
    public func setTraceLevel(_ level: TraceLevel?, for pattern: NamePattern) {
        session.changeTraceLevels { $0.set(level, for: pattern) }
    }

    /// What the bridge counted since tracing was switched on; `nil` while it is off.
    ///
    /// - Complexity: Linear in the number of handlers that were called.
    public var traceStatistics: TraceStatistics? {
        session.state.withLock { $0.traceLevels.maximum == .off ? nil : $0.trace?.statistics }
    }
}
