internal import BridgeValues
internal import Foundation
internal import Stores
internal import TerminalViews

/// The table of standard input, which is copied to a file, because rows are read again in any order.
struct InputTable {
    private static let name = "standard input"

    private let system: CommandSystem
    private let delimiter: Character?

    init(_ system: CommandSystem, delimiter: Character?) {
        self.system = system
        self.delimiter = delimiter
    }

    /// Reads all of standard input, and opens the table.
    ///
    /// The file is removed before this returns, and its content with the table.
    ///
    /// - Throws: ``CommandFailure`` if standard input is a terminal; ``StoreError`` if it cannot be copied or is not a
    ///   table; an error of reading it.
    func source() throws -> any TableSource {
        try Self.requirePipe(system, for: .table)
        let folder = system.environment["TMPDIR"] ?? NSTemporaryDirectory()
        var template = Array("\(folder)/jsbridge-input-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.notCopied(to: folder, String(cString: strerror(errno))) }
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        // Also if a signal ends the process.
        let token = system.exitHooks.add { unlink(path) }
        defer { system.exitHooks.run(token) }
        try copy(to: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), folder)
        let file: RegularFile
        do {
            file = try RegularFile(path: path)
        } catch {
            throw Self.notCopied(to: folder, error.reason)
        }
        return try CSVTable(file, name: Self.name, path: Self.name, delimiter: delimiter)
    }

    /// Checks that standard input is not the terminal, from which the keys come.
    ///
    /// - Throws: ``CommandFailure`` with a sentence.
    static func requirePipe(_ system: CommandSystem, for format: BrowseOptions.Format) throws {
        guard system.isInputTerminal else { return }
        let reason =
            "'-' reads a \(format.rawValue) from standard input, which is a terminal: pipe one into it"
        throw CommandFailure(status: ExitStatus.wrongUsage, reason: CommandError(reason))
    }

    /// The maximum number of bytes of standard input: a producer that never ends must not fill the disk.
    private static let maximumByteCount = 4 << 30

    private func copy(to file: FileHandle, _ folder: String) throws {
        var count = 0
        while true {
            let bytes = try system.readNextInput()
            if bytes.isEmpty { return }
            count += bytes.count
            guard count <= Self.maximumByteCount else {
                throw Self.notCopied(to: folder, "it has more than 4 GiB: write it to a file first")
            }
            do {
                try file.write(contentsOf: Data(bytes))
            } catch {
                throw Self.notCopied(to: folder, ErrorText.plain(error))
            }
        }
    }

    private static func notCopied(to folder: String, _ reason: String) -> StoreError {
        StoreError(.cannotOpen, "standard input cannot be copied to \(folder): \(reason)")
    }
}
