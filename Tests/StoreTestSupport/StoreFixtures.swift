import Foundation
package import Stores
package import StoresSQLite
import Synchronization
package import Testing

/// A directory that is deleted when it is released.
package final class TemporaryDirectory {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/stores-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}

/// The kinds of store that a test runs with.
package enum StoreKind: CaseIterable {
    case file
    case memory

    /// Opens a store of this kind with the entity `person`.
    package func open(in directory: TemporaryDirectory) throws -> SQLiteStore {
        let store = try SQLiteStore(location: self == .memory ? .memory : .file(directory.file("store.db")))
        try store.createEntity(.person)
        return store
    }
}

extension EntityDescription {
    package static let person = EntityDescription(
        name: "person",
        attributes: [
            .init("name", .string, isOptional: false, isUnique: true), .init("age", .integer),
            .init("city", .string),
        ]
    )
}

/// The change sets that a store delivered, in order.
package final class DeliveryLog: Sendable {
    private let entries = Mutex<[TransactionChanges]>([])

    package init() {}

    package var all: [TransactionChanges] { entries.withLock { $0 } }
    package var versions: [Int] { all.map(\.version) }

    package func add(_ changes: TransactionChanges) { entries.withLock { $0.append(changes) } }

    /// Returns the last change set's rows of an entity, and clears the log.
    package func take(_ entity: String = "person") -> [TransactionChanges.RowChange]? {
        entries.withLock { entries in
            defer { entries = [] }
            return entries.last?.changes[entity]
        }
    }
}

/// An error that a test throws to end a transaction.
package struct Stop: Error {
    package init() {}
}

/// Returns the store error that a body throws; records an issue if it throws none.
package func storeError<Result>(
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
    package func names() throws -> [String] {
        try fetch(FetchRequest(entityName: "person")).map { $0["name"]?.description ?? "" }
    }
}

/// Strings that would cause damage if a name or a value became SQL.
package let hostileStrings: [String] = {
    let openings = [
        "", "x", "\"", "'", "`", "]", ")", "\"\"", "''", "x\" ", "x' ", "x) ", "\u{301}\"", "\u{FF02}",
    ]
    let bodies = [
        "; DROP TABLE bystander; --", " OR 1=1 --", " UNION SELECT * FROM bystander", "/*", "*/", "--\n",
        " IS NOT NULL OR ('a'='a", "\\", "%", "_", "?", "?1", ":name", "@x", "$id", "$store", "rowid",
        "_rowid_",
        "sqlite_schema", "SQLITE_x", "select", "\t", "\r\n", " ", "\u{1F600}", "\u{202E}",
    ]
    return openings.flatMap { opening in bodies.map { opening + $0 } }
}()
