internal import BridgeProtocol
internal import BridgeValues
internal import Foundation

/// A file of a result that is written when the script has ended, opened before it begins.
struct RecordingFile: Sendable {
    /// The option that asks for the file.
    let option: String
    let path: String
    private let descriptor: Int32

    /// Opens the file and truncates it.
    ///
    /// - Throws: ``CommandFailure`` with the path and the reason why the file cannot be written.
    init(_ option: String, _ path: String) throws(CommandFailure) {
        self.option = option
        self.path = path
        do throws(FileWriting.Problem) {
            descriptor = try FileWriting.openEmpty(path, mode: 0o600)
        } catch {
            throw Self.failure(option, path, error.reason)
        }
    }

    /// Opens a file in a folder, which is created if it does not exist.
    init(_ option: String, folder: String, name: String) throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            // The same call of the system, for its reason in plain words.
            guard mkdir(folder, 0o777) == 0 else {
                throw Self.failure(option, folder, String(cString: strerror(errno)))
            }
        }
        try self.init(option, folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)")
    }

    private static func failure(_ option: String, _ path: String, _ reason: String) -> CommandFailure {
        let text = "\(option): \(Printable.text(path)) cannot be written: \(reason)"
        return CommandFailure(status: ExitStatus.cannotWrite, reason: CommandError(text))
    }

    /// Writes the content and closes the file.
    ///
    /// - Parameter content: Passes the content on in chunks.
    /// - Throws: ``CommandFailure`` with the option, the path and the reason.
    func write(_ content: (_ sink: @escaping ([UInt8]) throws -> Void) throws -> Void) throws(CommandFailure)
    {
        defer { close() }
        let output = FileOutput(descriptor: descriptor)
        do {
            try content { try output.write(bytes: $0) }
        } catch OutputError.failed(let reason) {
            throw Self.failure(option, path, reason)
        } catch {
            throw Self.failure(option, path, ErrorText.plain(error))
        }
    }

    /// Closes the file without writing to it.
    func close() { _ = Foundation.close(descriptor) }
}
