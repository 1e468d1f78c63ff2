internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores
internal import Synchronization

/// A fetch request of a script that is kept right: the controller, and the script's listener while it has
/// one.
final class LiveQuery {
    let controller: FetchedResultsController
    private let arrival = Arrival()
    /// What the script has told to be called with changes.
    var listener: JSHandle?
    /// A change set that a limit has stopped on its way to the listener.
    private var unfinished: DeliveredChanges?
    /// Whether the listener keeps a run from ending.
    var isReferenced = false

    init(_ request: FetchRequest, store: any Store, clock: any MonotonicClock, connection: DataConnection)
        throws
    {
        controller = try FetchedResultsController(fetchRequest: request, store: store)
        // Before the fetch: a controller follows its store only for somebody who hears of changes.
        controller.changesPending = { [arrival] in
            arrival.note(clock.now)
            connection.changesPending()
        }
        try controller.performFetch()
    }

    /// Takes in what was committed, where nobody listens: who listens is told first.
    func refresh() {
        guard listener == nil else { return }
        controller.processPendingChanges()
    }

    /// Forgets the listener, and what it was not told.
    func unlisten() {
        listener = nil
        unfinished = nil
    }

    /// Takes in what was committed and gives it to the listener, which returns whether it came to its end;
    /// what did not is given again the next time, before what is new.
    ///
    /// Returns whether there was anything.
    func deliver(clock: any MonotonicClock, to listener: (DeliveredChanges) -> Bool) -> Bool {
        let rest = unfinished
        if let rest {
            unfinished = nil
            give(rest, to: listener)
            // Stopped again, or nobody listens any more.
            guard unfinished == nil, self.listener != nil else { return true }
        }
        var delivered: DeliveredChanges?
        let old = controller.sections
        controller.onChange = { [unowned controller, arrival] changes in
            delivered = DeliveredChanges(
                changes,
                old: old,
                new: controller.sections,
                duration: arrival.take().map { clock.now - $0 }
            )
        }
        controller.processPendingChanges()
        controller.onChange = nil
        guard let delivered else { return rest != nil }
        give(delivered, to: listener)
        return true
    }

    private func give(_ changes: DeliveredChanges, to listener: (DeliveredChanges) -> Bool) {
        let isDone = listener(changes)
        // The listener may have ended the listening itself.
        if !isDone, self.listener != nil { unfinished = changes }
    }
}

/// When the first commit came that was not delivered yet.
private final class Arrival: Sendable {
    private let time = Mutex<Duration?>(nil)

    func note(_ now: Duration) { time.withLock { $0 = $0 ?? now } }

    func take() -> Duration? {
        time.withLock { time in
            defer { time = nil }
            return time
        }
    }
}
