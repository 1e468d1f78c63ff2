internal import BridgeValues
internal import DataSources
internal import Synchronization

/// The change set of a query that waits for its listener, and the versions and the time that it began at.
struct QueryDelivery {
    /// The time of the first commit that was not yet delivered.
    let arrival: Arrival
    /// A change set that is being delivered; it stays if a limit stops the delivery.
    private(set) var pending: ChangeHandle?
    /// The version at which the last change set ended.
    private var lastVersion: Int?

    init(clock: any MonotonicClock) { arrival = Arrival(clock: clock) }

    /// Adds the change set of a difference, which begins where the last one ended.
    ///
    /// - Parameters:
    ///   - difference: The difference.
    ///   - time: The time since the first of its commits, if it is known.
    mutating func add(_ difference: Difference, after time: Duration?) {
        var changes = difference
        // A script's change set lives until the engine collects it, and scripts cannot read values from it. With the
        // values each commit made the heap grow by a page, whose first touch costs more than the delivery.
        changes.rows?.values = []
        changes.rows?.duration = time
        // Commits since the last change set changed nothing that the script may see.
        if let last = lastVersion, let versions = changes.rows?.oldVersions {
            changes.rows?.oldVersions = min(last, versions.lowerBound)...versions.upperBound
        }
        pending = ChangeHandle(changes)
        lastVersion = changes.newVersion
    }

    /// Removes a change set that was delivered, unless the listener was replaced meanwhile.
    mutating func finish(_ changes: ChangeHandle) { if pending === changes { pending = nil } }

    /// Removes the change set, and forgets where it ended, because the listener is removed.
    mutating func removeAll() {
        pending = nil
        lastVersion = nil
    }
}

/// The time of the first commit that was not yet delivered, which any committing thread notes.
final class Arrival: Sendable {
    private let clock: any MonotonicClock
    private let time = Mutex<Duration?>(nil)

    init(clock: any MonotonicClock) { self.clock = clock }

    /// Notes a commit.
    func note() { time.withLock { $0 = $0 ?? clock.now } }

    /// Returns the time since the first commit, and forgets it; `nil` if there was none.
    func take() -> Duration? {
        let first = time.withLock { time in
            defer { time = nil }
            return time
        }
        return first.map { clock.now - $0 }
    }
}
