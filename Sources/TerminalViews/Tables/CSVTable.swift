package import BridgeValues
internal import CollectionViews
internal import Foundation
internal import Stores
internal import Synchronization

/// The rows of a CSV file, of which only the positions of every 64th row are kept in memory.
///
/// The first record has the names of the columns. Records may have more or fewer fields. Malformed records are shown as
/// they are: quotes inside of a field and text after a closing quote are part of the field, an unclosed quote ends with
/// the file, and bytes that are not UTF-8 become U+FFFD. The load reports how many there are. A record beyond the
/// limits of ``CSVReader`` ends the table there; the error names file and line. A file in UTF-16 that begins with a byte
/// order mark is converted while it is read.
public final class CSVTable: TableSource {
    /// The name of the file without its folders.
    public let name: String
    /// The columns that the first record names.
    public let columns: [TableColumn]
    /// The number of rows in the first block.
    public let firstRowCount: Int

    // nonisolated(unsafe) because an open file only has members that never change.
    nonisolated(unsafe) private let file: TextFile
    private let delimiter: Character

    private struct State {
        var starts: [Int]
        var count: Int
        var blocks = RowBlocks()
    }
    private let state: Mutex<State>

    /// Opens a file, and reads its first rows.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - delimiter: The separator of fields; `nil` chooses the tab for a name that ends with `.tsv`, otherwise the comma,
    ///     the semicolon, the tab or the bar that is most frequent in the first line.
    /// - Throws: ``StoreError`` if the file cannot be read, has no first record, or is not text.
    public convenience init(path: String, delimiter: Character? = nil) throws {
        let file: RegularFile
        do {
            file = try RegularFile(path: path)
        } catch {
            throw StoreError(.cannotOpen, "\(path) cannot be read: \(error.reason)")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        try self.init(file, name: name, path: path, delimiter: delimiter)
    }

    /// Reads the first rows of an open file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The name of the table.
    ///   - path: The name of the file in errors.
    ///   - delimiter: The separator of fields; `nil` chooses one.
    /// - Throws: ``StoreError`` if the file has no first record, or is not text.
    package init(_ file: RegularFile, name: String, path: String, delimiter: Character?) throws {
        let file = TextFile(file)
        self.file = file
        self.name = name
        let beginning = Self.beginning(of: file)
        if let reason = Self.refusal(of: beginning) {
            throw StoreError(.cannotOpen, "\(path) is not a table: \(reason)")
        }
        self.delimiter =
            delimiter ?? (name.hasSuffix(".tsv") ? "\t" : Self.mostFrequentDelimiter(beginning))
        let reader = Self.reader(file, name, self.delimiter, from: 0)
        guard try Self.readNames(reader) else {
            throw StoreError(.cannotOpen, "\(path) is empty: it has no column names")
        }
        columns = (0..<reader.count).map { TableColumn(reader[$0]) }
        var starts: [Int] = []
        var count = 0
        while count < RowBlocks.length, (try? reader.next()) == true {
            if reader.isBlank { continue }
            if count == 0 { starts.append(file.position(of: reader)) }
            count += 1
        }
        firstRowCount = count
        state = Mutex(State(starts: starts, count: count))
    }

    /// Returns the first bytes of a file.
    private static func beginning(of file: TextFile) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let source = file.source(from: 0)
        let count = (try? bytes.withUnsafeMutableBytes { try source($0) }) ?? 0
        return bytes[..<count]
    }

    /// Reads the record with the names of the columns, after empty lines, and returns whether there is one.
    private static func readNames(_ reader: CSVReader) throws -> Bool {
        while try reader.next() {
            if !reader.isBlank { return true }
        }
        return false
    }

    /// Returns the reason why bytes are not the beginning of a table; `nil` if they may be.
    private static func refusal(of bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(0) else { return nil }
        return "it has bytes of value 0, like a binary file, UTF-32, or UTF-16 without a byte order mark"
    }

    private static func mostFrequentDelimiter(_ beginning: ArraySlice<UInt8>) -> Character {
        let lineEnds = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = beginning.starts(with: mark) ? beginning.dropFirst(mark.count) : beginning
        let line = text.drop(while: lineEnds.contains).prefix { !lineEnds.contains($0) }
        let counts = [",", ";", "\t", "|"].map { (separator: Character) in
            (separator, line.count { $0 == separator.asciiValue })
        }
        return counts.reduce(counts[0]) { $1.1 > $0.1 ? $1 : $0 }.0
    }

    private static func reader(
        _ file: TextFile,
        _ name: String,
        _ delimiter: Character,
        from start: Int,
        chunkBytes: Int = 1 << 14
    ) -> CSVReader {
        let source = file.source(from: start)
        return CSVReader(
            name: name,
            totalBytes: file.file.size,
            chunkBytes: chunkBytes,
            delimiter: delimiter.asciiValue ?? UInt8(ascii: ","),
            isLenient: true,
            countsUnits: file.byteOrder != nil
        ) { bytes in
            do {
                return try source(bytes)
            } catch let error as RegularFile.Problem {
                throw StoreError(.cannotOpen, "\(name) cannot be read: \(error.reason)")
            }
        }
    }

    /// Finds the positions of all records, by reading the file once.
    public func load(_ report: (TableLoad) -> Bool) throws {
        let reader = Self.reader(file, name, delimiter, from: 0, chunkBytes: 1 << 17)
        guard try Self.readNames(reader) else { return }
        var malformed = MalformedRecords(encoding: file.byteOrder == nil ? "UTF-8" : "UTF-16")
        malformed.count(reader)
        var starts: [Int] = []
        var count = 0
        func publish() -> Bool {
            state.withLock { state in
                state.starts = starts
                state.count = count
                // A block that was read earlier may lack rows that were found since.
                state.blocks.removeAll()
            }
            let size = file.file.size
            let progress = size > 0 ? Double(file.position(of: reader)) / Double(size) : nil
            return report(TableLoad(rowCount: count, progress: progress, notice: malformed.notice))
        }
        do {
            var next = TableLoad.nextReport(after: 0)
            while try reader.next() {
                if reader.isBlank { continue }
                malformed.count(reader)
                if count % RowBlocks.length == 0 { starts.append(file.position(of: reader)) }
                count += 1
                if count == next {
                    guard publish() else { return }
                    next = TableLoad.nextReport(after: count)
                }
            }
        } catch {
            _ = publish()
            throw error
        }
        _ = publish()
    }

    /// Returns the fields of a row.
    ///
    /// - Throws: ``StoreError`` if the file cannot be read, or has become shorter since it was opened.
    public func row(_ number: Int) throws -> [String] {
        let block = number / RowBlocks.length
        let (known, start, end) = state.withLock { state in
            guard number < state.count else { return ([] as [String]?, 0, 0) }
            return (
                state.blocks.row(number), state.starts[block],
                min(state.count, (block + 1) * RowBlocks.length)
            )
        }
        if let known { return known }
        let reader = Self.reader(file, name, delimiter, from: start)
        var rows: [[String]] = []
        let count = end - block * RowBlocks.length
        while rows.count < count, try reader.next() {
            if reader.isBlank { continue }
            rows.append((0..<reader.count).map { reader[$0] })
        }
        if rows.count == count { state.withLock { $0.blocks.insert(rows, block: block) } }
        let offset = number % RowBlocks.length
        guard offset < rows.count else {
            throw StoreError(.cannotOpen, "\(name) has become shorter since it was opened")
        }
        return rows[offset]
    }

    /// Calls a closure for the rows of a range.
    public func scan(_ range: Range<Int>, _ body: (Int, any TableFields) throws -> Bool) throws {
        let (block, end) = state.withLock { state in
            let first = range.lowerBound / RowBlocks.length
            return (
                first < state.starts.count ? (first, state.starts[first]) : nil,
                min(range.upperBound, state.count)
            )
        }
        guard let block else { return }
        let reader = Self.reader(file, name, delimiter, from: block.1, chunkBytes: 1 << 17)
        let fields = RecordFields(reader: reader)
        var number = block.0 * RowBlocks.length
        while number < end, try reader.next() {
            if reader.isBlank { continue }
            if number >= range.lowerBound, try !body(number, fields) { return }
            number += 1
        }
    }

    /// The number of records that the format does not allow, and the first of them.
    private struct MalformedRecords {
        /// The encoding of the file.
        let encoding: String
        private var count = 0
        private var firstLine = 0
        private var hasOtherText = false

        init(encoding: String) { self.encoding = encoding }

        mutating func count(_ reader: CSVReader) {
            guard reader.isMalformed else { return }
            if count == 0 { firstLine = reader.line }
            count += 1
            if !reader.isUTF8 { hasOtherText = true }
        }

        /// A sentence for people; `nil` without such records.
        var notice: String? {
            let reason = hasOtherText ? " (not \(encoding))" : ""
            return switch count {
            case 0: nil
            case 1: "1 malformed record, in line \(Grouped.text(firstLine))\(reason)"
            default:
                "\(Grouped.text(count)) malformed records, first in line \(Grouped.text(firstLine))\(reason)"
            }
        }
    }

    private struct RecordFields: TableFields {
        let reader: CSVReader
        var count: Int { reader.count }
        func string(_ index: Int) -> String { reader[index] }
        func withBytes(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
            reader.withBytes(of: index, body)
        }
    }
}
