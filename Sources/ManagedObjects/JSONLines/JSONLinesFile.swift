internal import Foundation
internal import Stores

/// A reader of a file's lines.
struct JSONLinesFile {
    private let file: SequentialFile
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of the last line read, from 1.
    private(set) var line = 0

    /// The maximum length of a line in bytes: enough for the largest value of SQLite, encoded as Base64.
    private static let maximumLength = 1 << 30

    init(path: String) throws { file = try SequentialFile(path: path) }

    /// Returns the next line without its line end; `nil` at the end of the file.
    mutating func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                line += 1
                return Array(buffer[start..<end])
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                line += 1
                return Array(buffer[start...])
            }
            guard buffer.count - start < Self.maximumLength else {
                throw JSONLineError(1, "the line has more than \(Self.maximumLength) bytes")
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            try fill()
        }
    }

    private mutating func fill() throws {
        let chunk = 1 << 17
        let file = file
        let bytes = try [UInt8](unsafeUninitializedCapacity: chunk) { target, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(target))
        }
        buffer += bytes
        isAtEnd = bytes.isEmpty
    }
}
