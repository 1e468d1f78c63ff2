import Foundation
import Stores
import StoresSQLite
import Synchronization
import Testing

/// A directory that is deleted when it is released.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/stores-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}

/// The kinds of store that a test runs with.
enum StoreKind: CaseIterable {
    case file
    case memory

    /// Opens a store of this kind with the entity `person`.
    func open(in directory: TemporaryDirectory) throws -> SQLiteStore {
        let store = try SQLiteStore(location: self == .memory ? .memory : .file(directory.file("store.db")))
        try store.createEntity(.person)
        return store
    }
}

extension EntityDescription {
    static let person = EntityDescription(
        name: "person",
        attributes: [
            .init("name", .string, isOptional: false, isUnique: true), .init("age", .integer),
            .init("city", .string),
        ]
    )
}

/// The change sets that a store delivered, in order.
final class DeliveryLog: Sendable {
    private let entries = Mutex<[TransactionChanges]>([])

    var all: [TransactionChanges] { entries.withLock { $0 } }
    var versions: [Int] { all.map(\.version) }

    func add(_ changes: TransactionChanges) { entries.withLock { $0.append(changes) } }

    /// Returns the last change set's rows of an entity, and clears the log.
    func take(_ entity: String = "person") -> [TransactionChanges.RowChange]? {
        entries.withLock { entries in
            defer { entries = [] }
            return entries.last?.changes[entity]
        }
    }
}

struct Stop: Error {}

/// Returns the store error that a body throws; records an issue if it throws none.
func storeError<Result>(
    _ location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) -> StoreError? {
    do {
        _ = try body()
        Issue.record("nothing was thrown", sourceLocation: location)
    } catch let error as StoreError {
        return error
    } catch {
        Issue.record("not a store's error: \(error)", sourceLocation: location)
    }
    return nil
}

extension ReadTransaction {
    func names() throws -> [String] {
        try fetch(FetchRequest(entityName: "person")).map { $0["name"]?.description ?? "" }
    }
}
