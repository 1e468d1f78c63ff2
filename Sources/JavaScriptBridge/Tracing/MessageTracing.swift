internal import BridgeProtocol

/// The trace and the log of a session's messages.
struct MessageTracing {
    var logsTraffic = false
    var maximumLogLength = TrafficLine.defaultMaximumLength
    /// The level of detail of the trace, by handler.
    var levels = TraceLevels()
    /// The recorder of the trace, while tracing is on.
    var recorder: TraceRecorder?
    /// The number of recorders that were created.
    var recorderCount = 0
    var isDelivering = false
    /// The time at which a message is sent, while it is being recorded.
    var sendingTime: Duration?

    /// Removes the recorder's events, and replaces those of an array, whose memory the next events use.
    mutating func takeEvents(_ taken: inout [TraceEvent]) {
        if recorder == nil { taken = [] } else { recorder?.exchangeEvents(&taken) }
    }

    /// Returns whether the log or the trace shows the text of messages.
    func showsTraffic(hasSink: Bool) -> Bool { logsTraffic && hasSink || levels.maximum == .messages }
}
