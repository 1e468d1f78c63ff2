internal import CTerminal
public import Foundation

/// A way to wake the loop of a terminal from any thread.
///
/// A content that receives answers on other threads calls ``wake()`` when one has arrived.
public final class TerminalWaking: Sendable {
    // A pipe, whose ends belong to this object.
    let readEnd: Int32
    let writeEnd: Int32

    /// Creates a way to wake a loop.
    ///
    /// - Throws: ``TerminalError`` if the process has no free descriptors.
    public init() throws(TerminalError) {
        var ends: [Int32] = [0, 0]
        let code = CTerminal_pipe(&ends)
        guard code == 0 else {
            throw TerminalError("a pipe cannot be created: \(String(cString: strerror(code)))")
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the loop, or lets its next wait end immediately.
    public func wake() { send(UInt8(ascii: "m")) }

    /// Ends the loop as if the user had quit.
    ///
    /// A program that a signal ends calls it, and waits a moment for the end of ``TerminalSession/run(_:waking:options:)``.
    public func requestEnd() { send(UInt8(ascii: "e")) }

    private func send(_ byte: UInt8) {
        var byte = byte
        _ = write(writeEnd, &byte, 1)
    }

    /// Returns the bytes that were written since the last call.
    func drain() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 256)
        var all: [UInt8] = []
        while true {
            let count = read(readEnd, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }
}

/// The reason why a terminal cannot be used.
public struct TerminalError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong.
    public let description: String

    /// The description.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
