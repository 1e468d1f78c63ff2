import Foundation
import Stores
import StoresSQLite

/// A store whose writes are made by another store object on the same file, so that its observers receive them like
/// those of another process.
final class RemoteWrites: Store {
    private let store: SQLiteStore
    private let other: SQLiteStore

    init(_ path: String) throws {
        let history = HistoryOptions(followsOtherProcesses: false)
        store = try SQLiteStore(location: .file(path), history: history)
        other = try SQLiteStore(location: .file(path), history: history)
    }

    var identifier: UUID { store.identifier }
    var entities: [String: EntityDescription] { store.entities }

    func createEntity(_ entity: EntityDescription) throws {
        try other.createEntity(entity)
        try store.mergeRemoteChanges()
    }

    func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
        try store.read(body)
    }

    func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result {
        defer { _ = try? store.mergeRemoteChanges() }
        return try other.write(body)
    }

    func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation {
        store.observe(observer)
    }
}
