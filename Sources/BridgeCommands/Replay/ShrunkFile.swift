internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import Synchronization

/// The file of `--shrink`: open from the beginning, written at the end, and gone again if it was made for nothing.
struct ShrunkFile {
    private let path: String
    private let opened: FileWriting.Opened
    private let isWritten = IsWritten()
    private let cleanUps: CleanUps
    private let removal: CleanUps.Token

    /// What a signal's clean-up asks, on any thread.
    private final class IsWritten: Sendable {
        let value = Atomic(false)
    }

    /// Opens the file, and leaves what is in it.
    ///
    /// It has scripts and payloads, as every journal: one that is made is for its user alone.
    ///
    /// - Throws: ``CommandFailure`` with 74 that names the file and says why it cannot be written.
    init(_ path: String, cleanUps: CleanUps) throws {
        self.path = path
        self.cleanUps = cleanUps
        do throws(FileWriting.Problem) {
            opened = try FileWriting.open(path, mode: 0o600)
        } catch {
            throw Self.cannotWrite(path, error.reason)
        }
        removal = cleanUps.add { [opened, isWritten] in
            guard let path = opened.madePath, !isWritten.value.load(ordering: .acquiring) else { return }
            unlink(path)
        }
    }

    /// Writes the journal in the place of what was there.
    ///
    /// - Throws: As ``init(_:cleanUps:)``.
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

    /// Closes the file, and removes one that was made and not written.
    func close() {
        cleanUps.run(removal)
        Foundation.close(opened.descriptor)
    }

    private static func cannotWrite(_ path: String, _ reason: String) -> CommandFailure {
        let error = BridgeError(.invalidArgument, "\(path) cannot be written: \(reason)")
        return CommandFailure(status: ExitStatus.cannotWrite, reason: error)
    }
}
