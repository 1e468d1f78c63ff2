internal import BridgeValues
public import Foundation

/// A recording of the frames of a session, in version 2 of the format of asciinema: a header, then an array in each
/// line.
final class TerminalRecording {
    private let path: String
    private let handle: FileHandle
    private var start: Duration?
    private var failure: RecordingError?

    /// Creates the file, or empties it.
    init(path: String) throws(RecordingError) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw RecordingError("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes the header when the screen is entered for the first time, and the size afterwards.
    func begin(size: TerminalSize, at now: Duration) {
        guard start == nil else { return resize(size, at: now) }
        start = now
        put(
            "{\"version\":2,\"width\":\(size.columns),\"height\":\(size.rows),\"title\":\"jsbridge browse\"}\n"
        )
        // A player's cursor would be drawn over the rows.
        put(Self.event(at: 0, "o", Array("\u{1B}[?25l\u{1B}[2J".utf8)))
    }

    /// Writes the bytes of a frame.
    func write(_ bytes: [UInt8], at now: Duration) { put(Self.event(at: seconds(now), "o", bytes)) }

    /// Writes a new size.
    func resize(_ size: TerminalSize, at now: Duration) {
        put(Self.event(at: seconds(now), "r", Array("\(size.columns)x\(size.rows)".utf8)))
    }

    /// Closes the file.
    ///
    /// - Throws: ``RecordingError`` if a write has failed.
    func close() throws(RecordingError) {
        try? handle.close()
        if let failure { throw failure }
    }

    private func seconds(_ now: Duration) -> Double {
        (now - (start ?? now)).seconds
    }

    static func event(at seconds: Double, _ kind: String, _ bytes: [UInt8]) -> String {
        let micros = Int((seconds * 1_000_000).rounded())
        let fraction = String(micros % 1_000_000 + 1_000_000).dropFirst()
        return
            "[\(micros / 1_000_000).\(fraction),\"\(kind)\",\(quoted(String(decoding: bytes, as: UTF8.self)))]\n"
    }

    private static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                result += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private func put(_ line: String) {
        guard failure == nil else { return }
        do {
            try handle.write(contentsOf: Data(line.utf8))
        } catch {
            failure = RecordingError("\(path) cannot be written: \(error.localizedDescription)")
        }
    }
}

/// The reason why a recording cannot be written.
public struct RecordingError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong.
    public let description: String

    /// The description.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
