internal import BridgeJSON
internal import BridgeValues

/// An output format of a trace.
public enum TraceFormat: String, Sendable, Hashable, CaseIterable {
    /// The lines of WebViewJavascriptBridge: `WVJB SEND: ` or `WVJB RCVD: ` and the message (P71, P72); needs
    /// ``TraceLevel/messages``.
    case lines
    /// A JSON object on a line for each event.
    case json
    /// The trace events of Chrome, for Perfetto and `chrome://tracing`.
    case chrome
}

/// A writer that formats events as text, one after the other.
///
/// ```swift
/// var writer = TraceWriter(format: .chrome)
/// for event in events { file.write(writer.text(for: event)) }
/// file.write(writer.ending(bridge.traceStatistics))
/// ```
///
/// The output is useful without the ending too, as after a crash.
public struct TraceWriter: Sendable {
    /// The format.
    public let format: TraceFormat
    /// The maximum number of UTF-16 units of a message in the output.
    public var maximumTextLength: Int
    private var chrome = ChromeTrace()

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - maximumTextLength: The maximum number of UTF-16 units of a message in the output; by default as in the log.
    public init(format: TraceFormat, maximumTextLength: Int = 500) {
        self.format = format
        self.maximumTextLength = max(0, maximumTextLength)
    }

    /// Returns the text of an event, with a line break at its end; empty where the format has none for it.
    public mutating func text(for event: TraceEvent) -> String {
        var event = event
        switch format {
        case .lines: return line(event)
        case .json:
            event.text = event.text.map { TrafficLine.cut($0, to: maximumTextLength) }
            return JSONLine.text(event.members) + "\n"
        case .chrome:
            event.text = event.text.map { TrafficLine.cut($0, to: maximumTextLength) }
            return chrome.text(for: event)
        }
    }

    /// Returns the end of the output: a line with the statistics, if any, and the end of the document.
    public mutating func ending(_ statistics: TraceStatistics? = nil) -> String {
        switch format {
        case .lines: ""
        case .json: statistics.map { JSONLine.text($0.members) + "\n" } ?? ""
        case .chrome: chrome.ending()
        }
    }

    private func line(_ event: TraceEvent) -> String {
        guard event.kind == .message, let text = event.text else { return "" }
        let line =
            event.origin == .swift
            ? TrafficLine.sent(text, maximumLength: maximumTextLength)
            : TrafficLine.received(text, maximumLength: maximumTextLength)
        return line + "\n"
    }
}

/// A format of objects as lines of JSON.
enum JSONLine {
    /// Returns an object without its members that are `nil`.
    static func text(_ members: [(String, Value?)], limits: BridgeLimits = BridgeLimits()) -> String {
        let parts = members.map { (key: $0.0, part: $0.1.map(JSONPayload.Part.value)) }
        // Cannot fail within the default limits.
        let units = try? JSONPayload.units(ofObject: parts, limits: limits)
        return units.map { String(decoding: $0, as: UTF16.self) } ?? ""
    }
}

extension TraceEvent {
    /// The members of the event's object; times are in milliseconds.
    var members: [(String, Value?)] {
        [
            ("time", .milliseconds(time)), ("event", .string(kind.rawValue)),
            ("from", .string(origin.rawValue)), ("call", call.map { .integer(Int64($0)) }),
            ("handler", handler.map(Value.string)), ("id", id.map(Value.string)),
            ("duration", duration.map(Value.milliseconds)), ("code", code.map { .string($0.rawValue) }),
            ("text", text.map(Value.string)), ("queue", .integer(Int64(depths.queue))),
            ("outgoing", .integer(Int64(depths.outgoing))),
            ("incoming", .integer(Int64(depths.incoming))),
        ]
    }
}

extension TraceStatistics {
    var members: [(String, Value?)] {
        [
            ("event", "statistics"), ("maximumQueue", .integer(Int64(maximumDepths.queue))),
            ("maximumOutgoing", .integer(Int64(maximumDepths.outgoing))),
            ("maximumIncoming", .integer(Int64(maximumDepths.incoming))),
            ("handlers", .array(handlers.map(\.record))),
        ]
    }
}

extension TraceStatistics.Handler {
    fileprivate var record: Value {
        [
            "handler": .string(name), "from": .string(origin.rawValue), "calls": .integer(Int64(callCount)),
            "failures": .integer(Int64(failureCount)), "underWay": .integer(Int64(depth)),
            "maximumUnderWay": .integer(Int64(maximumDepth)), "queued": .integer(Int64(queueDepth)),
            "maximumQueued": .integer(Int64(maximumQueueDepth)), "latency": latency.record,
            "waiting": waiting.record,
        ]
    }
}

extension LatencyHistogram {
    fileprivate var record: Value {
        [
            "count": .integer(Int64(count)), "mean": .milliseconds(mean), "minimum": .milliseconds(minimum),
            "p50": .milliseconds(percentile(0.5)), "p90": .milliseconds(percentile(0.9)),
            "p99": .milliseconds(percentile(0.99)), "maximum": .milliseconds(maximum),
            // Pairs of a class's upper end and its number of durations.
            "histogram": .array(
                classes.map { .array([.milliseconds($0.upperEnd), .integer(Int64($0.count))]) }
            ),
        ]
    }
}

extension Value {
    /// Returns a duration in milliseconds, to the nanosecond.
    static func milliseconds(_ duration: Duration) -> Value {
        let (seconds, attoseconds) = duration.components
        return .number(Double(seconds) * 1_000 + Double(attoseconds / 1_000_000_000) / 1_000_000)
    }
}
