/// An observation of a side under test.
public enum ConformanceObservation: Sendable, Hashable {
    /// A line about an event: a handler that ran, a message that was sent, an error that was not caught.
    case line(String)
    /// A line of the log or of the console.
    case log(String)
    /// A signal of the script side that its queue has messages.
    case queueSignal
    /// A request of the page for the bridge.
    case loadSignal
}

extension [ConformanceObservation] {
    /// The lines about events.
    public var lines: [String] {
        compactMap { if case .line(let text) = $0 { text } else { nil } }
    }

    /// The lines of the log.
    public var log: [String] {
        compactMap { if case .log(let text) = $0 { text } else { nil } }
    }

    /// The number of queue signals.
    public var signals: Int { count { $0 == .queueSignal } }

    /// The observations of a page as those of the native side whose page it is.
    ///
    /// A line of `console.debug` is a line of the side. URLs that do not belong to the bridge are left out (P75).
    package var ofNativeSide: [ConformanceObservation] {
        compactMap { observation in
            switch observation {
            case .log(let text) where text.hasPrefix("debug "): .line(String(text.dropFirst(6)))
            case .line(let text) where text.hasPrefix("loads "): nil
            default: observation
            }
        }
    }
}
