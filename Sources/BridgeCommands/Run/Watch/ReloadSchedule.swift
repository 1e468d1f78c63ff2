internal import BridgeValues

/// The moments at which changes of files are applied: after a short time without another one, and never while a reload
/// runs.
@MainActor
final class ReloadSchedule {
    /// The time without another change after which a change is applied, as an editor writes several files.
    static let quiet = Duration.milliseconds(10)
    /// The same for a change that comes within this time after one that has been applied, as a version control system
    /// writes many files.
    static let quietInBurst = Duration.milliseconds(100)
    /// The longest time from the first change of a burst to its reload.
    static let longest = Duration.milliseconds(500)

    private let clock: any MonotonicClock
    private let apply: (_ start: Duration) -> Void
    /// The time of the first change that no reload applies.
    private var start: Duration?
    private var lastChange: Duration?
    private var isInBurst = false
    private var wakeUp: (any ScheduledWakeUp)?
    private var wakeUpNumber = 0
    private var isDue = false
    private(set) var isRunning = false

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - clock: The clock.
    ///   - apply: Begins a reload, with the time of the first change. No other one begins before ``end()``.
    init(_ clock: any MonotonicClock, apply: @escaping (_ start: Duration) -> Void) {
        self.clock = clock
        self.apply = apply
    }

    /// Waits again for a time without changes.
    func noteChange() {
        let now = clock.now
        let first = start ?? now
        if start == nil { isInBurst = lastChange.map { now - $0 < Self.quietInBurst } ?? false }
        (start, lastChange, isDue) = (first, now, false)
        let quiet = isInBurst ? Self.quietInBurst : Self.quiet
        wakeUp?.cancel()
        wakeUpNumber += 1
        let number = wakeUpNumber
        wakeUp = clock.schedule(at: min(now + quiet, first + Self.longest)) { [weak self] in
            Task { @MainActor in self?.burstEnded(number) }
        }
    }

    /// Ends the reload that runs; the changes since it began are applied now, unless more may follow.
    func end() {
        isRunning = false
        beginIfPossible()
    }

    private func burstEnded(_ number: Int) {
        guard number == wakeUpNumber else { return }
        isDue = true
        beginIfPossible()
    }

    private func beginIfPossible() {
        guard isDue, !isRunning, let first = start else { return }
        (isDue, isRunning, start) = (false, true, nil)
        apply(first)
    }
}
