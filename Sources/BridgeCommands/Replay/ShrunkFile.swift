internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import Synchronization

/// The file of `--shrink`: opened at the start, written at the end, and removed again if it was created but not
/// written.
struct ShrunkFile {
    private let path: String
    private let opened: FileWriting.Opened
    private let isWritten = IsWritten()
    private let exitHooks: ExitHooks
    private let removal: ExitHooks.Token

    /// A flag that the exit hook of a signal reads on any thread.
    private final class IsWritten: Sendable {
        let value = Atomic(false)
    }

    /// Opens the file without changing its content.
    ///
    /// A journal has scripts and payloads, so a new file is readable only by its user.
    ///
    /// - Throws: ``CommandFailure`` with 74, the path and the reason why the file cannot be written.
    init(_ path: String, exitHooks: ExitHooks) throws {
        self.path = path
        self.exitHooks = exitHooks
        do throws(FileWriting.Problem) {
            opened = try FileWriting.open(path, mode: 0o600)
        } catch {
            throw Self.cannotWrite(path, error.reason)
        }
        removal = exitHooks.add { [opened, isWritten] in
            guard let path = opened.madePath, !isWritten.value.load(ordering: .acquiring) else { return }
            unlink(path)
        }
    }

    /// Replaces the content of the file by the journal.
    ///
    /// - Throws: The same errors as ``init(_:exitHooks:)``.
    func write(_ text: String) throws {
        ftruncate(opened.descriptor, 0)
        do throws(OutputError) {
            try FileOutput(descriptor: opened.descriptor).write(text)
        } catch {
            switch error {
            case .closed: throw Self.cannotWrite(path, "its reader has gone")
            case .failed(let reason): throw Self.cannotWrite(path, reason)
            }
        }
        isWritten.value.store(true, ordering: .releasing)
    }

    /// Closes the file, and removes it if it was created but not written.
    func close() {
        exitHooks.run(removal)
        Foundation.close(opened.descriptor)
    }

    private static func cannotWrite(_ path: String, _ reason: String) -> CommandFailure {
        let error = BridgeError(.invalidArgument, "\(path) cannot be written: \(reason)")
        return CommandFailure(status: ExitStatus.cannotWrite, reason: error)
    }
}
