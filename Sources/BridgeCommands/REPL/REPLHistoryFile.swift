internal import Foundation

/// The file with the inputs of earlier sessions: one in a line, with backslashes and line ends escaped.
///
/// Sessions at the same time append to it, so that none loses the inputs of another.
struct REPLHistoryFile: Sendable {
    /// The number of inputs that are kept.
    private static let maximumInputs = 1_000
    /// The size from which the file is written again with the last inputs only.
    private static let maximumBytes = 1 << 20
    /// The largest input that is kept.
    private static let maximumInputBytes = 1 << 16

    let path: String

    /// Finds the place of the file: `jsbridge/repl_history` in the user's folder for states; `nil` without a home.
    init?(environment: [String: String]) {
        // As the XDG Base Directory Specification has it, a relative path does not count.
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            path = "\(folder)/jsbridge/repl_history"
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            path = "\(home)/.local/state/jsbridge/repl_history"
        } else {
            return nil
        }
    }

    /// Returns the inputs, the oldest first; none if the file cannot be read.
    func inputs() -> [String] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let inputs = lines.suffix(Self.maximumInputs).map { Self.unescaped($0) }
        if data.count > Self.maximumBytes { try? rewrite(inputs) }
        return inputs
    }

    /// Appends an input.
    ///
    /// - Throws: An error of the system for a file that cannot be written.
    func append(_ input: String) throws {
        guard input.utf8.count <= Self.maximumInputBytes else { return }
        let folder = (path as NSString).deletingLastPathComponent
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // Inputs may contain secrets.
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandError("\(path): \(String(cString: strerror(errno)))") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data((Self.escaped(input) + "\n").utf8))
    }

    private func rewrite(_ inputs: [String]) throws {
        let text = inputs.map { Self.escaped($0) + "\n" }.joined()
        try FileReplacement.write(Array(text.utf8), to: path, mode: 0o600)
    }

    private static func escaped(_ input: String) -> String {
        input.replacing("\\", with: "\\\\").replacing("\r", with: "").replacing("\n", with: "\\n")
    }

    private static func unescaped(_ line: Substring) -> String {
        var input = ""
        var isEscape = false
        for character in line {
            if isEscape {
                input.append(character == "n" ? "\n" : character)
                isEscape = false
            } else if character == "\\" {
                isEscape = true
            } else {
                input.append(character)
            }
        }
        return input
    }
}
