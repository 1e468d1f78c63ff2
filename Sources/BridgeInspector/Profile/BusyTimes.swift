/// The times in which scripts ran, in microseconds.
struct BusyTimes: Sendable {
    struct Interval: Sendable, Hashable {
        var start: Int
        var end: Int
    }

    private(set) var intervals: [Interval] = []

    // A shorter pause between two turns is not worth a sample, and a program may have millions of turns.
    private static let shortestPause = 1000
    private static let maximumCount = 100_000

    /// Adds a time that begins after all the others, or continues the last one.
    mutating func add(_ start: Int, _ end: Int) {
        if let last = intervals.last,
            start < last.end + Self.shortestPause || intervals.count >= Self.maximumCount
        {
            intervals[intervals.count - 1].end = max(last.end, end)
        } else {
            intervals.append(Interval(start: start, end: max(start, end)))
        }
    }

    /// The sum of the times.
    var total: Int { intervals.reduce(0) { $0 + $1.end - $1.start } }
}
