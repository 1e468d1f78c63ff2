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
    /// Whether the listener keeps a run from ending.
    var isReferenced = false

    init(_ request: FetchRequest, store: any Store, clock: any MonotonicClock, connection: DataConnection)
        throws
    {
        controller = try FetchedResultsController(fetchRequest: request, store: store)
        try controller.performFetch()
        controller.changesPending = { [arrival] in
            arrival.note(clock.now)
            connection.changesPending()
        }
    }

    /// Takes in what was committed, where nobody listens: who listens is told first.
    func refresh() {
        guard listener == nil else { return }
        controller.processPendingChanges()
    }

    /// Takes in what was committed and gives it to the listener.
    ///
    /// Returns whether there was anything.
    func deliver(clock: any MonotonicClock, to listener: (DeliveredChanges) -> Void) -> Bool {
        var delivered: DeliveredChanges?
        let old = controller.sections ?? []
        controller.onChange = { [unowned controller, arrival] changes in
            delivered = DeliveredChanges(
                changes,
                old: old,
                new: controller.sections ?? [],
                duration: arrival.take().map { clock.now - $0 }
            )
        }
        controller.processPendingChanges()
        controller.onChange = nil
        guard let delivered else { return false }
        listener(delivered)
        return true
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
