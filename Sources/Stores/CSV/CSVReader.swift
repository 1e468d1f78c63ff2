internal import Foundation

/// Reads comma-separated text record by record, by RFC 4180, in constant memory.
///
/// A field may be quoted; then it may hold delimiters, line ends and doubled quotes. Lines end with CR LF, LF or
/// CR. A byte order mark is left out, and so is a line end after the last record. Text must be UTF-8. What
/// the RFC does not allow is an error that names file, line and column, never a guess.
///
/// ```swift
/// let reader = try CSVReader(path: "airports.csv")
/// while try reader.next() { print(reader.line, reader[0]) }
/// ```
public final class CSVReader {
    struct Field {
        var start: Int
        var end: Int
        var hasDoubledQuotes = false
    }

    /// How many bytes a record may have.
    ///
    /// Stops a file without line ends, or with a quote that is never closed, from filling the memory.
    public static let maximumRecordBytes = 16 << 20

    /// How many fields a record may have.
    public static let maximumFields = 32_768

    /// The source as errors name it.
    public let name: String
    /// The source as errors name it to scripts; `nil` where its name is not theirs to know.
    let nameForScripts: String?
    /// How many bytes the source has, if it is known.
    public let totalBytes: Int?
    /// How many bytes have been read so far.
    public private(set) var bytesRead = 0
    /// The line, from 1, in which the current record begins.
    public private(set) var line = 0

    private let source: (UnsafeMutableRawBufferPointer) throws -> Int
    private let chunkBytes: Int
    private let delimiter: UInt8
    private var buffer: UnsafeMutableBufferPointer<UInt8>
    // The buffer holds read bytes up to `filled`; the current record is at `recordStart`, the next at
    // `position`.
    private var filled = 0
    private var recordStart = 0
    private var position = 0
    private var isAtEnd = false
    private var nextLine = 1
    var fields: [Field] = []

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - delimiter: What stands between fields: one ASCII character other than a quote and a line end, such as `;` or a
    ///     tab.
    /// - Throws: ``StoreError`` with the path and the system's reason; `invalidRequest` for another delimiter.
    public convenience init(path: String, delimiter: Character = ",") throws {
        let separator = try Self.delimiterByte(delimiter)
        let file = try CSVFile(path: path)
        self.init(name: path, totalBytes: file.size, chunkBytes: 1 << 17, delimiter: separator) {
            try file.read(into: $0)
        }
    }

    static func delimiterByte(_ delimiter: Character) throws -> UInt8 {
        guard let byte = delimiter.asciiValue, byte != 0, !["\"", "\n", "\r", "\r\n"].contains(delimiter)
        else {
            throw StoreError(
                .invalidRequest,
                "a delimiter is one ASCII character other than a quote or a line end, "
                    + "not \(MessageText.quoted(String(delimiter)))"
            )
        }
        return byte
    }

    package init(
        name: String,
        nameForScripts: String? = nil,
        totalBytes: Int?,
        chunkBytes: Int,
        delimiter: UInt8 = UInt8(ascii: ","),
        source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.name = name
        self.nameForScripts = nameForScripts
        self.totalBytes = totalBytes
        self.chunkBytes = max(chunkBytes, 4)
        self.delimiter = delimiter
        self.source = source
        buffer = .allocate(capacity: self.chunkBytes)
    }

    deinit { buffer.deallocate() }

    /// How many fields the current record has.
    public var count: Int { fields.count }

    /// Whether the current record is a line with nothing in it.
    public var isBlank: Bool {
        // Not so with quotes: they begin one byte after the record.
        fields.count == 1 && fields[0].start == recordStart && fields[0].end == recordStart
    }

    /// A field of the current record, as text.
    public subscript(_ index: Int) -> String { withBytes(of: index) { String(decoding: $0, as: UTF8.self) } }

    /// Gives the UTF-8 bytes of a field of the current record to a closure.
    func withBytes<Result>(
        of index: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        let field = fields[index]
        return try body(UnsafeBufferPointer(rebasing: buffer[field.start..<field.end]))
    }

    /// Goes to the next record; false when there is none.
    public func next() throws -> Bool {
        if nextLine == 1, bytesRead == 0 { try skipByteOrderMark() }
        recordStart = position
        line = nextLine
        if recordStart == filled { try fill() }
        if recordStart == filled { return false }
        var scanner = CSVRecordScanner(delimiter: delimiter)
        while true {
            let bytes = UnsafeBufferPointer(rebasing: buffer[recordStart..<filled])
            switch scanner.scan(bytes, isLast: isAtEnd, into: &fields) {
            case .record(let length):
                try finish(length)
                return true
            case .incomplete:
                guard bytes.count < Self.maximumRecordBytes else {
                    throw excess(
                        "the record has more than \(bytes.count) bytes; it may have \(Self.maximumRecordBytes)"
                    )
                }
                try fill()
            case .tooManyFields:
                throw excess(
                    "the record has more than \(fields.count) fields; it may have \(Self.maximumFields)"
                )
            case .malformed(let offset, let problem): throw error(at: recordStart + offset, problem)
            }
        }
    }

    /// The error for the current record: `FILE:LINE: what is wrong`.
    ///
    /// - Parameters:
    ///   - message: What is wrong.
    ///   - messageForScripts: The same without what the file holds; the message itself where it has nothing of that.
    /// - Returns: The error, to be thrown.
    public func failure(_ message: String, forScripts messageForScripts: String? = nil) -> StoreError {
        failure(at: "\(line)", message, forScripts: messageForScripts ?? message)
    }

    private func excess(_ problem: String) -> StoreError {
        failure(.limitExceeded, at: "\(line)", problem, forScripts: problem)
    }

    func failure(
        _ code: StoreError.Code = .importFailed,
        at place: String,
        _ message: String,
        forScripts messageForScripts: String
    ) -> StoreError {
        StoreError(
            code,
            "\(name):\(place): \(message)",
            forScripts: "\(nameForScripts.map { "\($0):" } ?? "line ")\(place): \(messageForScripts)"
        )
    }

    // MARK: - Bytes

    private func finish(_ length: Int) throws {
        let end = recordStart + length
        for index in fields.indices {
            fields[index].start += recordStart
            fields[index].end += recordStart
        }
        let record = UnsafeBufferPointer(rebasing: buffer[recordStart..<end])
        if let offset = UTF8Check.firstInvalidByte(in: record) {
            throw error(at: recordStart + offset, "the text is not valid UTF-8")
        }
        nextLine += Self.lineEnds(in: record)
        position = end
        for index in fields.indices where fields[index].hasDoubledQuotes { joinDoubledQuotes(&fields[index]) }
    }

    /// Moves the unfinished record to the front and reads on; sets `isAtEnd` when there is no more.
    private func fill() throws {
        if recordStart > 0 {
            let rest = filled - recordStart
            if rest > 0, let base = buffer.baseAddress { memmove(base, base + recordStart, rest) }
            (filled, position, recordStart) = (rest, 0, 0)
        }
        if buffer.count - filled < chunkBytes {
            // At least doubled, so that a long record is not copied over and over.
            let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: buffer.count * 2 + chunkBytes)
            _ = larger.update(fromContentsOf: buffer[..<filled])
            buffer.deallocate()
            buffer = larger
        }
        let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        // As much as is there already, so that a long record is not scanned from its start for each chunk.
        let wanted = max(chunkBytes, min(filled, Self.maximumRecordBytes - filled))
        let count = try source(UnsafeMutableRawBufferPointer(rebasing: room.prefix(wanted)))
        filled += count
        bytesRead += count
        isAtEnd = count == 0
    }

    private func skipByteOrderMark() throws {
        while filled < 3, !isAtEnd { try fill() }
        if buffer[..<filled].starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private func joinDoubledQuotes(_ field: inout Field) {
        var target = field.start
        var index = field.start
        while index < field.end {
            buffer[target] = buffer[index]
            index += buffer[index] == UInt8(ascii: "\"") ? 2 : 1
            target += 1
        }
        field.end = target
    }

    // MARK: - Places

    private func error(at offset: Int, _ problem: String) -> StoreError {
        let before = buffer[recordStart..<offset]
        let lastLine = before.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let lineStart = lastLine.map { $0 + 1 } ?? recordStart
        // Characters, not bytes: continuation bytes do not count.
        let column = buffer[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1
        let errorLine = line + Self.lineEnds(in: UnsafeBufferPointer(rebasing: before))
        return failure(at: "\(errorLine):\(column)", problem, forScripts: problem)
    }

    private static func lineEnds(in bytes: some Sequence<UInt8>) -> Int {
        var count = 0
        var last: UInt8 = 0
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if last != UInt8(ascii: "\r") { count += 1 }
            } else if byte == UInt8(ascii: "\r") {
                count += 1
            }
            last = byte
        }
        return count
    }
}
