internal import BridgeValues
internal import Foundation
internal import Stores

/// Brings change sets to observers: in the order of commits, each on the thread that committed it.
///
/// A committing thread waits until the versions before its own are delivered. Nothing is locked while
/// observers run, so they may read and write. What they write is committed at once and kept until the current
/// delivery is over, so no observer is entered while it runs.
// @unchecked Sendable because its state is only touched under the condition's lock.
final class ChangeDelivery: @unchecked Sendable {
    private struct Observer {
        let since: Int
        let call: @Sendable (TransactionChanges) -> Void
    }

    private let condition = NSCondition()
    private var observers = RegistrationTable<Observer>()
    private var delivered = 0
    private var deliverer: ThreadID?
    private var deferred: [TransactionChanges] = []

    /// Adds an observer of the versions after one.
    func add(
        since version: Int,
        _ observer: @escaping @Sendable (TransactionChanges) -> Void
    ) -> StoreObservation {
        let id = condition.withLock { observers.add(Observer(since: version, call: observer)) }
        return StoreObservation { [weak self] in
            guard let self else { return }
            // The closure may own things whose end runs foreign code, so it is let go outside the lock.
            let removed = condition.withLock { observers.remove(id) }
            _ = removed
        }
    }

    /// Delivers a change set, or leaves it to the delivery that this thread is in the middle of.
    func deliver(_ changes: TransactionChanges) {
        let isNested = condition.withLock {
            if deliverer == .current { deferred.append(changes) }
            return deliverer == .current
        }
        if isNested { return }
        var waiting = [changes]
        while let next = waiting.first {
            waiting.removeFirst()
            waiting += deliverInTurn(next)
        }
    }

    /// Waits until a version is delivered; inside a delivery it does not, since that would be for ever.
    func wait(for version: Int) {
        condition.withLock {
            while delivered < version, deliverer != .current { condition.wait() }
        }
    }

    private func deliverInTurn(_ changes: TransactionChanges) -> [TransactionChanges] {
        let targets = condition.withLock {
            while delivered != changes.version - 1 { condition.wait() }
            deliverer = .current
            return observers.registrations.filter { $0.element.since < changes.version }
        }
        for target in targets where condition.withLock({ observers.contains(target.id) }) {
            target.element.call(changes)
        }
        return condition.withLock {
            delivered = changes.version
            deliverer = nil
            condition.broadcast()
            defer { deferred = [] }
            return deferred
        }
    }
}
