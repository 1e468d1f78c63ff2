/// Something that was seen of a side under test.
public enum ConformanceObservation: Sendable, Hashable {
    /// A line of what happened: a handler that ran, a message that was sent, an error that escaped.
    case line(String)
    /// A line of the log or of the console.
    case log(String)
    /// The script's side said that its queue holds something.
    case queueSignal
    /// The page asked for the bridge.
    case loadSignal
}

extension [ConformanceObservation] {
    /// The lines of what happened.
    public var lines: [String] {
        compactMap { if case .line(let text) = $0 { text } else { nil } }
    }

    /// The lines of the log.
    public var log: [String] {
        compactMap { if case .log(let text) = $0 { text } else { nil } }
    }

    /// How often the queue was signalled.
    public var signals: Int { count { $0 == .queueSignal } }
}
