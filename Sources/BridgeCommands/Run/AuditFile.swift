internal import BridgeProtocol
internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Synchronization

/// A file of a run's denials, with one JSON object per line.
final class AuditFile: Sendable {
    private let output: Mutex<any TextOutput>
    private let descriptor: Int32?

    /// Opens the file and truncates it.
    ///
    /// - Throws: ``BridgeError`` with the path and the reason why the file cannot be written.
    init(_ target: RunOptions.Trace.Target, system: CommandSystem) throws {
        switch target {
        case .errorOutput:
            descriptor = nil
            output = Mutex(system.errorOutput)
        case .file(let path):
            let opened: Int32
            do throws(FileWriting.Problem) {
                opened = try FileWriting.openEmpty(path, mode: 0o600)
            } catch {
                throw BridgeError(.invalidArgument, "the audit \(path) cannot be written: \(error.reason)")
            }
            descriptor = opened
            output = Mutex(FileOutput(descriptor: opened))
        }
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Writes a denial.
    func write(_ denial: BridgeDenial) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(denial) else { return }
        output.withLock { try? $0.write(String(decoding: line, as: UTF8.self) + "\n") }
    }
}
