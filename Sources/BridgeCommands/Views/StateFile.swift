internal import CollectionViews
internal import Foundation
internal import Stores
internal import Synchronization

/// The file of `--state`, which has the position, marks and order of a view between two runs.
final class StateFile: Sendable {
    /// The maximum size of a file that is read.
    private static let maximumByteCount = 4 << 20

    private let path: String
    private let newest: Mutex<ViewState?>
    private let hasFailed = Mutex(false)

    /// Reads the file; a file that does not exist, or is empty, has no state yet.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read or is not a state, because saving would overwrite it.
    init(_ path: String) throws {
        self.path = path
        newest = Mutex(try CommandFailure.with(ExitStatus.noInput) { try Self.read(path) })
    }

    private static func read(_ path: String) throws -> ViewState? {
        var status = stat()
        guard stat(path, &status) == 0 || errno != ENOENT else { return nil }
        do {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw StateFileError(description: "it is not a regular file")
            }
            guard status.st_size <= maximumByteCount else {
                throw StateFileError(
                    description: "it has \(status.st_size) bytes (limit \(maximumByteCount))"
                )
            }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return data.isEmpty ? nil : try ViewState(json: data)
        } catch {
            throw StateFileError(
                description: "\(MessageText.quoted(path)) is not a saved state: \(ErrorText.plain(error))"
            )
        }
    }

    /// The state that was read or saved last; `nil` if there is none.
    var state: ViewState? { newest.withLock { $0 } }

    /// Writes a state in place of the one before, as a whole.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    func save(_ json: Data) throws {
        try CommandFailure.with(ExitStatus.cannotWrite) {
            do {
                try json.write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                throw StateFileError(
                    description: "\(MessageText.quoted(path)) cannot be written: \(ErrorText.plain(error))"
                )
            }
        }
        newest.withLock { $0 = try? ViewState(json: json) }
    }

    /// Writes a state, and reports the first failure only.
    func save(_ json: String, reportingTo output: CommandOutput) {
        do {
            try save(Data(json.utf8))
        } catch {
            let isFirst = hasFailed.withLock { failed in
                defer { failed = true }
                return !failed
            }
            if isFirst { output.printError("jsbridge: \(ErrorText.plain(error))") }
        }
    }
}

/// The reason why the file of a state cannot be used.
private struct StateFileError: LocalizedError, CustomStringConvertible {
    let description: String
    var errorDescription: String? { description }
}
