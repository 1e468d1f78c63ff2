internal import BridgeValues
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
        func refusal(_ reason: String) -> CommandError {
            CommandError("\(MessageText.quoted(path)) is not a saved state: \(reason)")
        }
        let data: Data
        do throws(RegularFile.Problem) {
            data = Data(try RegularFile(path: path, maximumBytes: maximumByteCount).allBytes())
        } catch {
            if case .system(ENOENT) = error { return nil }
            throw refusal(error.reason)
        }
        do {
            return data.isEmpty ? nil : try ViewState(json: data)
        } catch {
            throw refusal(ErrorText.plain(error))
        }
    }

    /// The state that was read or saved last; `nil` if there is none.
    var state: ViewState? { newest.withLock { $0 } }

    /// Writes a state in place of the one before, as a whole.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    func save(_ state: ViewState) throws {
        try CommandFailure.with(ExitStatus.cannotWrite) {
            do {
                try state.json.write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                throw CommandError("\(MessageText.quoted(path)) cannot be written: \(ErrorText.plain(error))")
            }
        }
        newest.withLock { $0 = state }
    }

    /// Writes a state, and reports the first failure only.
    func save(_ state: ViewState, reportingTo output: CommandOutput) {
        do {
            try save(state)
        } catch {
            let isFirst = hasFailed.withLock { failed in
                defer { failed = true }
                return !failed
            }
            if isFirst { output.printError("jsbridge: \(ErrorText.plain(error))") }
        }
    }
}
