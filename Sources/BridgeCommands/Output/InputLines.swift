internal import Foundation

/// The lines of an input that is read in parts.
enum InputLines {
    /// Returns the lines, each when it has arrived.
    ///
    /// A thread reads them, because that waits for a terminal or a pipe. Bytes that are not UTF-8 become U+FFFD, and a
    /// line has any length: a person types them, whereas the lines that scripts read are errors in both cases.
    ///
    /// - Parameter next: Returns the next bytes; none at the end.
    /// - Returns: The lines without their ends.
    static func of(_ next: @escaping @Sendable () throws -> [UInt8]) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        Thread.detachNewThread {
            var line: [UInt8] = []
            func endLine() {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                continuation.yield(String(decoding: line, as: UTF8.self))
                line = []
            }
            while let bytes = try? next(), !bytes.isEmpty {
                var rest = bytes[...]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    line += rest[..<end]
                    endLine()
                    rest = rest[(end + 1)...]
                }
                line += rest
            }
            if !line.isEmpty { endLine() }
            continuation.finish()
        }
        return lines
    }
}
