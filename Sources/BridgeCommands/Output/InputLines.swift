internal import Foundation

/// The lines of standard input.
enum InputLines {
    /// Returns the lines of bytes that have been read.
    static func of(_ bytes: [UInt8]) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        let text = String(decoding: bytes, as: UTF8.self)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            continuation.yield(String(line))
        }
        continuation.finish()
        return lines
    }

    /// Returns the lines, each when it has arrived.
    ///
    /// A thread reads them, which waits for a terminal or a pipe.
    /// Bytes that are not UTF-8 become U+FFFD.
    static func ofStandardInput() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }
}
