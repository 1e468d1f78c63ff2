internal import BridgeValues
internal import Foundation
internal import Stores
internal import StoresSQLite
internal import TerminalViews

/// The table that `jsbridge browse` or `serve` shows: standard input, or a file, whose first bytes say what it is.
struct BrowsedFile {
    private let options: BrowseOptions
    private let system: CommandSystem

    init(_ options: BrowseOptions, _ system: CommandSystem) {
        self.options = options
        self.system = system
    }

    /// Opens the table.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be read, or the file has no such table.
    func source() throws -> any TableSource {
        do {
            return options.isStandardInput
                ? try InputTable(system, delimiter: options.delimiter).source() : try fileSource()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(status: ExitStatus.noInput, reason: error)
        }
    }

    private func fileSource() throws -> any TableSource {
        let (path, entity) = options.location
        try Self.requireRegular(path)
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

    /// Checks that a path does not lead to a pipe, a socket or a device.
    ///
    /// Such a file has no rows that can be read again, and opening a pipe would wait for its writer.
    ///
    /// - Throws: ``StoreError`` with the path.
    private static func requireRegular(_ path: String) throws {
        var status = stat()
        // The reader of the table describes other problems.
        guard stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
        throw StoreError(
            .cannotOpen,
            "\(path) is a pipe, a socket or a device, not a regular file: write its content to a file first"
        )
    }

    private static func isDatabase(_ path: String) -> Bool {
        // Opening it does not wait, also if the path has become that of a pipe.
        guard let file = try? RegularFile(path: path) else { return false }
        let magic = Array("SQLite format 3".utf8)
        var bytes = [UInt8](repeating: 0, count: magic.count)
        let count = try? bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return count == magic.count && bytes == magic
    }
}
