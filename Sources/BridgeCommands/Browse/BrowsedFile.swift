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
            : try SQLiteStore(location: .file(path), configuration: Self.configuration(of: path))
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

    /// Returns how to open a store: for reading if it may not be written.
    private static func configuration(of path: String) -> SQLiteConfiguration {
        var configuration = SQLiteConfiguration()
        // The log is beside the file that a link refers to.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let folder = file.deletingLastPathComponent().path
        let hasLog = ["-wal", "-shm"].contains { access(file.path + $0, F_OK) == 0 }
        if access(file.path, W_OK) == 0, hasLog || access(folder, W_OK) == 0 { return configuration }
        // Without a log no process writes. SQLite would leave an empty log that its writers may not be able to use.
        configuration.access = hasLog ? .read : .readImmutable
        return configuration
    }

    private static func isDatabase(_ path: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8)
    }
}
