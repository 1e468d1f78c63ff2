internal import BridgeProtocol
internal import BridgeValues
internal import CollectionViews
internal import Dispatch
internal import Foundation
internal import Stores
internal import Synchronization

/// The file of `--state`, which has the position, marks and order of a view between two runs.
///
/// A state replaces only a state of the same rows. Any other content of the file is kept, also if it was written after
/// the file was read.
final class StateFile: Sendable {
    /// The maximum size of a file that is read.
    private static let maximumByteCount = 4 << 20
    /// The longest wait for a file system at the end of the process, in seconds.
    private static let patience = 2.0

    private struct Newest {
        var state: ViewState?
        /// A Boolean value that indicates whether a write of the newest state is scheduled.
        var isScheduled = false
        var hasFailed = false
    }

    private let path: String
    private let newest: Mutex<Newest>
    // Writes one after another, and not on the thread of a view.
    private let queue = DispatchQueue(label: "jsbridge.state")

    /// Reads the file; a file that does not exist, or is empty, has no state yet.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read or is not a state, because saving would overwrite it.
    init(_ path: String) throws {
        self.path = path
        newest = Mutex(Newest(state: try CommandFailure.with(ExitStatus.noInput) { try Self.read(path) }))
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
    var state: ViewState? { newest.withLock { $0.state } }

    /// A sentence about a state that was read and could not be used.
    var refusal: String { "\(MessageText.quoted(path)) is kept: its state is not of these rows" }

    /// Writes a state in place of the one before, as a whole.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written, or has something else than a state of the same rows.
    func save(_ state: ViewState) throws {
        newest.withLock { $0.state = state }
        try queue.sync { try write(state) }
    }

    private func write(_ state: ViewState) throws {
        try CommandFailure.with(ExitStatus.cannotWrite) {
            if let present = try Self.read(path), !present.isReplaceable(by: state) {
                throw CommandError("\(MessageText.quoted(path)) is kept: it has the state of other rows")
            }
            do throws(FileWriting.Problem) {
                try FileReplacement.write([UInt8](state.json), to: path)
            } catch {
                throw CommandError("\(MessageText.quoted(path)) cannot be written: \(error.reason)")
            }
        }
    }

    /// Writes a state soon on another thread, and reports the first failure only.
    ///
    /// States that arrive before it is written take its place.
    func saveSoon(_ state: ViewState, reportingTo output: CommandOutput) {
        let isFirst = newest.withLock { newest in
            newest.state = state
            defer { newest.isScheduled = true }
            return !newest.isScheduled
        }
        if isFirst { queue.async { self.writeNewest(reportingTo: output) } }
    }

    private func writeNewest(reportingTo output: CommandOutput) {
        let state = newest.withLock { newest in
            newest.isScheduled = false
            return newest.state
        }
        guard let state else { return }
        do {
            try write(state)
        } catch {
            let isFirst = newest.withLock { newest in
                defer { newest.hasFailed = true }
                return !newest.hasFailed
            }
            let reason = (error as? CommandFailure)?.reason ?? error
            if isFirst { output.printError("jsbridge: \(ErrorText.plain(reason))") }
        }
    }

    /// Waits until the states of ``saveSoon(_:reportingTo:)`` are written, but not forever for a file system that hangs.
    func finish() {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + Self.patience)
    }
}
