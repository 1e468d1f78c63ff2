internal import Foundation
internal import Stores
internal import StoresSQLite
internal import TerminalViews

/// The file that `jsbridge browse` shows, found by its name and its first bytes.
struct BrowsedFile {
    private let options: BrowseOptions

    init(_ options: BrowseOptions) { self.options = options }

    /// Opens the table.
    ///
    /// - Throws: ``StoreError`` if the file cannot be read, or has no such table.
    func source() throws -> any TableSource {
        let (path, entity) = options.location
        if Self.isDatabase(path) { return try table(of: path, entity: entity) }
        // Opening a file that is not a store would make it one if it is empty.
        if let entity {
            throw StoreError(.notADatabase, "\(path) is not a store: it has no entity '\(entity)'")
        }
        return try CSVTable(path: path, delimiter: options.delimiter)
    }

    private func table(of path: String, entity: String?) throws -> any TableSource {
        let store =
            options.follows
            ? try SQLiteStore(location: .file(path), history: HistoryOptions())
            : try SQLiteStore(location: .file(path))
        if let entity { return try StoreTable(store: store, entityName: entity) }
        let names = store.entities.keys.sorted()
        guard names.count == 1 else {
            throw StoreError(
                .invalidRequest,
                "\(path) has \(names.count) entities: name one, as in '\(path):\(names.first ?? "ENTITY")'"
                    + (names.isEmpty ? "" : "; it has \(names.joined(separator: ", "))")
            )
        }
        return try StoreTable(store: store, entityName: names[0])
    }

    private static func isDatabase(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8)
    }
}
