internal import Foundation

/// A reader of CSV records according to RFC 4180, in constant memory.
///
/// A quoted field may contain delimiters, line ends and doubled quotes. Lines end with CR LF, LF or CR. A byte order
/// mark and a line end after the last record are ignored. The encoding must be UTF-8. Input that the RFC does not allow
/// is an error that names file, line and column; the reader never guesses.
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
        /// The place of a closing quote with text after it; `nil` for a field that the grammar allows.
        var closingQuote: Int?
    }

    /// The maximum number of bytes in a record.
    ///
    /// Without this limit, a file without line ends or with an unclosed quote could exhaust memory.
    public static let maximumRecordBytes = 16 << 20

    /// The maximum number of fields in a record.
    public static let maximumFields = 32_768

    /// The name of the source in errors.
    public var name: String { sourceName.name }
    /// The total number of bytes of the source, if it is known.
    public let totalBytes: Int?
    /// The number of bytes read so far.
    public private(set) var bytesRead = 0
    /// The line number, from 1, at which the current record begins.
    public private(set) var line = 0
    /// A Boolean value that indicates whether the RFC does not allow the current record, or it is not UTF-8.
    ///
    /// Only a lenient reader has such a record.
    package private(set) var isMalformed = false
    /// A Boolean value that indicates whether the current record is UTF-8, which only that of a lenient reader may not
    /// be.
    package private(set) var isUTF8 = true
    /// The position of the current record in a source that was converted from UTF-16, in units of two bytes.
    package private(set) var recordUnits = 0

    private let source: (UnsafeMutableRawBufferPointer) throws -> Int
    private let chunkBytes: Int
    private let sourceName: SourceName
    /// The scanner for each record, which takes a copy.
    private let scanner: CSVRecordScanner
    private let countsUnits: Bool
    private var buffer: UnsafeMutableBufferPointer<UInt8>
    // The buffer contains the bytes read, up to `filled`. The current record begins at `recordStart`, the next one at
    // `position`.
    private var filled = 0
    private var recordStart = 0
    private var position = 0
    private var isAtEnd = false
    private var nextLine = 1
    private var nextUnits = 0
    var fields: [Field] = []

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - delimiter: The separator of fields: one ASCII character other than a quote or a line end, such as `;` or a
    ///     tab.
    /// - Throws: ``StoreError`` with the path and the system's reason; `invalidRequest` for an invalid delimiter.
    public convenience init(path: String, delimiter: Character = ",") throws {
        let separator = try Self.delimiterByte(delimiter)
        let file = try SequentialFile(path: path)
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

    /// Creates a reader of a source.
    ///
    /// - Parameters:
    ///   - name: The name of the source in errors.
    ///   - nameForScripts: The name of the source in errors for scripts; `nil` if scripts must not see the name.
    ///   - totalBytes: The total number of bytes, if it is known.
    ///   - chunkBytes: The number of bytes to read at a time.
    ///   - delimiter: The separator of fields.
    ///   - isLenient: A Boolean value that indicates whether a record that the RFC does not allow is read as it is,
    ///     instead of an error: quotes inside of a field and text after a closing quote are part of the field, an
    ///     unclosed quote ends with the source, and strings have U+FFFD for bytes that are not UTF-8.
    ///   - countsUnits: A Boolean value that indicates whether ``recordUnits`` is known.
    ///   - source: A closure that reads the next bytes and returns their number; 0 at the end.
    package init(
        name: String,
        nameForScripts: String? = nil,
        totalBytes: Int?,
        chunkBytes: Int,
        delimiter: UInt8 = UInt8(ascii: ","),
        isLenient: Bool = false,
        countsUnits: Bool = false,
        source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        sourceName = SourceName(name: name, nameForScripts: nameForScripts)
        self.totalBytes = totalBytes
        self.chunkBytes = max(chunkBytes, 4)
        scanner = CSVRecordScanner(delimiter: delimiter, isLenient: isLenient)
        self.countsUnits = countsUnits
        self.source = source
        buffer = .allocate(capacity: self.chunkBytes)
    }

    deinit { buffer.deallocate() }

    /// The number of fields in the current record.
    public var count: Int { fields.count }

    /// A Boolean value that indicates whether the current record is an empty line.
    public var isBlank: Bool {
        // A quoted empty field is not blank: it begins one byte after the record.
        fields.count == 1 && fields[0].start == recordStart && fields[0].end == recordStart
    }

    /// Returns a field of the current record as a string.
    public subscript(_ index: Int) -> String { withBytes(of: index) { String(decoding: $0, as: UTF8.self) } }

    /// The position of the current record in the source, in bytes.
    package var recordPosition: Int { bytesRead - filled + recordStart }

    /// Calls a closure with the UTF-8 bytes of a field of the current record.
    package func withBytes<Result>(
        of index: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        let field = fields[index]
        return try body(UnsafeBufferPointer(rebasing: buffer[field.start..<field.end]))
    }

    /// Advances to the next record; returns false if there are no more records.
    public func next() throws -> Bool {
        if nextLine == 1, bytesRead == 0 { try skipByteOrderMark() }
        recordStart = position
        line = nextLine
        recordUnits = nextUnits
        if recordStart == filled { try fill() }
        if recordStart == filled { return false }
        var scanner = scanner
        while true {
            let bytes = UnsafeBufferPointer(rebasing: buffer[recordStart..<filled])
            switch scanner.scan(bytes, isLast: isAtEnd, into: &fields) {
            case .record(let length):
                isMalformed = scanner.isMalformed
                try finish(length)
                return true
            case .incomplete:
                guard bytes.count < Self.maximumRecordBytes else {
                    throw excess(
                        "the record has more than \(bytes.count) bytes (limit \(Self.maximumRecordBytes))"
                    )
                }
                try fill()
            case .tooManyFields:
                throw excess(
                    "the record has more than \(fields.count) fields (limit \(Self.maximumFields))"
                )
            case .malformed(let offset, let problem): throw error(at: recordStart + offset, problem)
            }
        }
    }

    /// Creates the error for the current record: `FILE:LINE: message`.
    ///
    /// - Parameters:
    ///   - message: A description of the problem.
    ///   - messageForScripts: A description without content of the file; `nil` if `message` contains none.
    /// - Returns: The error to throw.
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
        sourceName.failure(code, at: place, message, forScripts: messageForScripts)
    }

    // MARK: - Bytes

    private func finish(_ length: Int) throws {
        let end = recordStart + length
        for index in fields.indices {
            fields[index].start += recordStart
            fields[index].end += recordStart
            fields[index].closingQuote? += recordStart
        }
        let record = UnsafeBufferPointer(rebasing: buffer[recordStart..<end])
        let invalid = UTF8Check.firstInvalidByte(in: record)
        isUTF8 = invalid == nil
        if let invalid {
            guard scanner.isLenient else {
                throw error(at: recordStart + invalid, "the text is not valid UTF-8")
            }
            isMalformed = true
        }
        nextLine += Self.lineEnds(in: record)
        if countsUnits { nextUnits += Self.units(in: record) }
        position = end
        for index in fields.indices {
            if fields[index].hasDoubledQuotes || fields[index].closingQuote != nil { unquote(&fields[index]) }
        }
    }

    /// Moves the incomplete record to the front of the buffer and reads more; sets `isAtEnd` at the end of the source.
    private func fill() throws {
        if recordStart > 0 {
            let rest = filled - recordStart
            if rest > 0, let base = buffer.baseAddress { memmove(base, base + recordStart, rest) }
            (filled, position, recordStart) = (rest, 0, 0)
        }
        if buffer.count - filled < chunkBytes {
            // Capacity at least doubles, so that a long record is not copied again for every chunk.
            let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: buffer.count * 2 + chunkBytes)
            _ = larger.update(fromContentsOf: buffer[..<filled])
            buffer.deallocate()
            buffer = larger
        }
        let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        // Reads as much as is already buffered, so that a long record is not scanned from its start for every chunk.
        let wanted = max(chunkBytes, min(filled, Self.maximumRecordBytes - filled))
        let count = try source(UnsafeMutableRawBufferPointer(rebasing: room.prefix(wanted)))
        filled += count
        bytesRead += count
        isAtEnd = count == 0
    }

    private func skipByteOrderMark() throws {
        while filled < 3, !isAtEnd { try fill() }
        if buffer[..<filled].starts(with: [0xEF, 0xBB, 0xBF]) { (position, nextUnits) = (3, 1) }
    }

    /// Makes one quote of each doubled one, and removes a closing quote with text after it.
    private func unquote(_ field: inout Field) {
        let quotedEnd = field.closingQuote ?? field.end
        var target = field.start
        var index = field.start
        while index < quotedEnd {
            buffer[target] = buffer[index]
            index += buffer[index] == UInt8(ascii: "\"") ? 2 : 1
            target += 1
        }
        if field.closingQuote != nil {
            for byte in quotedEnd + 1..<field.end {
                buffer[target] = buffer[byte]
                target += 1
            }
        }
        field.end = target
    }

    // MARK: - Places

    private func error(at offset: Int, _ problem: String) -> StoreError {
        let before = buffer[recordStart..<offset]
        let lastLine = before.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let lineStart = lastLine.map { $0 + 1 } ?? recordStart
        // Counts characters, not bytes, by skipping continuation bytes.
        let column = buffer[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1
        let errorLine = line + Self.lineEnds(in: UnsafeBufferPointer(rebasing: before))
        return failure(at: "\(errorLine):\(column)", problem, forScripts: problem)
    }

    private static func lineEnds(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let newline = UInt8(ascii: "\n")
        var count = 0
        forEach(newline, in: bytes) { _ in count += 1 }
        forEach(UInt8(ascii: "\r"), in: bytes) { index in
            if index + 1 == bytes.count || bytes[index + 1] != newline { count += 1 }
        }
        return count
    }

    /// Calls a closure with the index of each byte of a value.
    private static func forEach(
        _ byte: UInt8,
        in bytes: UnsafeBufferPointer<UInt8>,
        _ body: (Int) -> Void
    ) {
        var start = 0
        while let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        {
            let index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            body(index)
            start = index + 1
        }
    }

    /// Returns the number of units of UTF-16 from which bytes were converted.
    private static func units(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = 0
        for byte in bytes where byte & 0xC0 != 0x80 { count += byte < 0xF0 ? 1 : 2 }
        return count
    }
}
