/// The amount of tracing of a bridge; each level includes those before it.
public enum TraceLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// No tracing, which costs one branch.
    case off
    /// Counts and latencies of each handler (``TraceStatistics``), and no events.
    case statistics
    /// An event for each step of a call, without its data.
    case calls
    /// The text of each message too, with secrets replaced by `[secret]` (R38).
    case messages

    /// Returns whether a level traces less than another.
    public static func < (left: TraceLevel, right: TraceLevel) -> Bool { left.rawValue < right.rawValue }
}
