internal import BridgeValues

/// A rate limit for `console`.
///
/// Output over the limit is dropped and reported.
struct ConsoleMeter {
    private var windowStart: Duration?
    private var used = 0
    private var droppedLines = 0

    /// The decision for a line.
    enum Verdict: Equatable {
        case passes
        /// The line is dropped, as were others before.
        case drops
        /// The line is the first one that is dropped.
        case beginsToDrop
        /// The line passes, after the given number of dropped ones.
        case passesAgain(dropped: Int)
    }

    /// Returns the decision for a line of the given number of bytes.
    mutating func judge(_ bytes: Int, limit: Int, now: Duration) -> Verdict {
        if let start = windowStart, now - start < .seconds(1) {
        } else {
            windowStart = now
            used = 0
        }
        guard bytes <= limit - used else {
            droppedLines += 1
            return droppedLines == 1 ? .beginsToDrop : .drops
        }
        used += bytes
        defer { droppedLines = 0 }
        return droppedLines == 0 ? .passes : .passesAgain(dropped: droppedLines)
    }
}
