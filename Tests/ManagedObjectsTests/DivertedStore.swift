import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import Synchronization

/// A store whose commits can be hidden from observers, whose reads can fail, and whose migrations can be overtaken.
final class DivertedStore: ModelStore {
    private struct State {
        var observers: [@Sendable (TransactionChanges) -> Void] = []
        var isSilent = false
        /// The number of successful reads before a failure; `nil` disables failures.
        var readsToFailure: Int?
        var beforeMigration: (@Sendable () throws -> Void)?
    }

    /// A closure that is called before a migration begins.
    var beforeMigration: (@Sendable () throws -> Void)? {
        get { state.withLock(\.beforeMigration) }
        set { state.withLock { $0.beforeMigration = newValue } }
    }

    private let store: any ModelStore
    private let state = Mutex(State())

    init(_ store: any ModelStore) { self.store = store }

    /// Runs a body whose commits are not delivered to observers.
    func silently(_ body: () throws -> Void) rethrows {
        state.withLock { $0.isSilent = true }
        defer { state.withLock { $0.isSilent = false } }
        try body()
    }

    /// Notifies all observers of changes.
    func tell(_ changes: TransactionChanges) {
        for observer in state.withLock(\.observers) { observer(changes) }
    }

    /// Makes one read fail after a number of successful ones.
    func failRead(after count: Int) { state.withLock { $0.readsToFailure = count } }

    // MARK: - Store

    var identifier: UUID { store.identifier }
    var entities: [String: EntityDescription] { store.entities }

    func createEntity(_ entity: EntityDescription) throws { try store.createEntity(entity) }

    func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
        let fails = state.withLock { state in
            defer { state.readsToFailure = state.readsToFailure.flatMap { $0 == 0 ? nil : $0 - 1 } }
            return state.readsToFailure == 0
        }
        if fails { throw Stop() }
        return try store.read(body)
    }

    func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result {
        try store.write(body)
    }

    func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation {
        state.withLock { $0.observers.append(observer) }
        return store.observe { [weak self] changes in
            if self?.state.withLock(\.isSilent) == false { observer(changes) }
        }
    }

    func storedModel() throws -> StoredModel? { try store.storedModel() }

    func migrate(to model: StoredModel, by steps: [MigrationStep]) throws {
        try beforeMigration?()
        try store.migrate(to: model, by: steps)
    }
}
