internal import Foundation
internal import Synchronization

/// A splitter of bytes into lines of UTF-8, which end with LF or CR LF, and need no end at the end of the input.
struct LineSplitter: Sendable {
    /// The name of the input, for messages.
    let name: String
    /// The maximum number of bytes of a line.
    let maximumBytes: Int
    private var rest = Data()

    init(name: String, maximumBytes: Int) {
        self.name = name
        self.maximumBytes = maximumBytes
    }

    /// Adds bytes and returns the lines that are complete.
    mutating func add(_ bytes: Data) throws(BridgeError) -> [String] {
        var lines: [String] = []
        var bytes = bytes[...]
        while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            rest += bytes[..<end]
            if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
            lines.append(try takeLine())
            bytes = bytes[(end + 1)...]
        }
        rest += bytes
        if rest.count > maximumBytes { throw tooLong }
        return lines
    }

    /// Ends the input and returns its last line; `nil` if it ended with the end of a line.
    mutating func finish() throws(BridgeError) -> String? { rest.isEmpty ? nil : try takeLine() }

    private mutating func takeLine() throws(BridgeError) -> String {
        guard rest.count <= maximumBytes else { throw tooLong }
        guard let line = String(validating: rest, as: UTF8.self) else {
            throw BridgeError("fs.malformedText", "\(name) is not UTF-8 text")
        }
        rest = Data()
        return line
    }

    private var tooLong: BridgeError {
        BridgeError(.limitExceeded, "\(name) has a line that is longer than \(maximumBytes) bytes")
    }

    /// Returns batches of the lines of an input.
    ///
    /// - Parameters:
    ///   - name: The name of the input, for messages.
    ///   - maximumBytes: The maximum number of bytes of a line.
    ///   - read: Returns the next bytes; none at the end.
    /// - Returns: The batches, which are read as they are asked for.
    static func batches(
        name: String,
        maximumBytes: Int,
        _ read: @escaping @Sendable () async throws -> Data
    ) -> AsyncThrowingStream<[String], any Error> {
        let splitter = Mutex(LineSplitter(name: name, maximumBytes: maximumBytes))
        return AsyncThrowingStream {
            while true {
                let bytes = try await read()
                let lines = try splitter.withLock { splitter throws(BridgeError) in
                    try bytes.isEmpty ? splitter.finish().map { [$0] } ?? [] : splitter.add(bytes)
                }
                if !lines.isEmpty { return lines }
                if bytes.isEmpty { return nil }
            }
        }
    }
}
