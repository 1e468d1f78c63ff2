internal import BridgeValues
internal import Foundation
internal import Stores

/// A delivery of change sets to observers in the order of commits, each on the thread that committed it.
///
/// A committing thread waits until all earlier versions are delivered. No lock is held while observers run, so they may
/// read and write. Their writes are committed immediately and delivered after the current delivery, so observers are
/// never reentered.
// @unchecked Sendable because its state is only accessed while the condition's lock is held.
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

    /// Adds an observer of all versions after the given one.
    func add(
        since version: Int,
        _ observer: @escaping @Sendable (TransactionChanges) -> Void
    ) -> StoreObservation {
        let id = condition.withLock { observers.add(Observer(since: version, call: observer)) }
        return StoreObservation { [weak self] in
            guard let self else { return }
            // The closure may own objects whose deinitializers run user code, so it is released outside the lock.
            let removed = condition.withLock { observers.remove(id) }
            _ = removed
        }
    }

    /// Delivers a change set, or enqueues it if this thread is inside a delivery.
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

    /// Waits until a version is delivered; returns immediately inside a delivery, which would otherwise wait for
    /// itself.
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
