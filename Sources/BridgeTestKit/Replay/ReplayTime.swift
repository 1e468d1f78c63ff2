/// The time of a replay, which does not advance by itself, and the timers that it has passed.
struct ReplayTime {
    /// The last reading of the wall clock, in milliseconds.
    var date = 0.0
    /// The last reading of the monotonic clock, in milliseconds.
    var clock = 0.0
    /// The timers of the script that were pending at the end of the journal, and those that were fired since.
    private var passed: Set<Int>?

    /// Advances to the next timer that would not have been pending without faults.
    ///
    /// That is a deadline, a signal with a timeout, or a timer that the script started after the end of the journal.
    ///
    /// - Parameter waiting: The pending timers, in the order of their deadlines.
    /// - Returns: The timer's id; `nil` if there is none.
    mutating func advance(
        toNextOf waiting: [(id: Int, deadline: Duration, isScripts: Bool)]
    ) -> Int? {
        var passed = passed ?? Set(waiting.lazy.filter(\.isScripts).map(\.id))
        defer { self.passed = passed }
        guard let next = waiting.first(where: { !passed.contains($0.id) }) else { return nil }
        // A timer of the script fires once, as an interval has no end.
        if next.id > 0 { passed.insert(next.id) }
        // The clock does not advance by itself, so that a deadline is the delay of its timer.
        let milliseconds = next.deadline / .milliseconds(1) + 1
        clock += milliseconds
        date += milliseconds.rounded(.up)
        return next.id
    }
}
