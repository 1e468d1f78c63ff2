internal import BridgeValues

/// Keeps `console` under its limit: what is over is dropped, and said to be.
struct ConsoleMeter {
    private var windowStart: Duration?
    private var used = 0
    private var droppedLines = 0

    /// What happens to a line.
    enum Verdict: Equatable {
        case passes
        /// It is dropped, as were others before.
        case drops
        /// It is the first that is dropped.
        case beginsToDrop
        /// It passes, after so many that were dropped.
        case passesAgain(dropped: Int)
    }

    /// Judges a line of so many bytes.
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
