public import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// How much the bridge tells of its traffic, now.
    ///
    /// It may be changed at any time, while calls are under way too: those are not known to a trace that begins after
    /// them. Times and figures begin anew when tracing is switched on.
    public var traceLevel: TraceLevel {
        get { session.state.withLock { $0.trace?.level ?? .off } }
        set { session.setTraceLevel(newValue) }
    }

    /// What the bridge counted since tracing was switched on; `nil` while it is off.
    ///
    /// - Complexity: Linear in the number of handlers that were called.
    public var traceStatistics: TraceStatistics? {
        session.state.withLock { $0.trace?.level == .off ? nil : $0.trace?.statistics }
    }
}
