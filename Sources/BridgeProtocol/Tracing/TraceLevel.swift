/// How much a bridge tells of its traffic; each level includes those before it.
public enum TraceLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing. One branch is what is left of tracing.
    case off
    /// Counts and latencies for each handler (``TraceStatistics``), and no events.
    case statistics
    /// An event for each step of a call, without its data.
    case calls
    /// The text of each message too, with `[secret]` in the place of secrets (R38).
    case messages

    /// Whether a level tells less than another.
    public static func < (left: TraceLevel, right: TraceLevel) -> Bool { left.rawValue < right.rawValue }
}
