internal import BridgeValues
internal import Foundation
internal import Stores
internal import Synchronization

/// The rows of a CSV file, of which only the positions of every 64th row are kept in memory.
///
/// The first record has the names of the columns. Records may have more or fewer fields. A record that the format does
/// not allow ends the table there; the error names file and line.
public final class CSVTable: TableSource {
    /// The name of the file without its folders.
    public let name: String
    /// The columns that the first record names.
    public let columns: [TableColumn]
    /// The number of rows in the first block.
    public let firstRowCount: Int

    // nonisolated(unsafe) because an open file only has members that never change.
    nonisolated(unsafe) private let file: RegularFile
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
    ///   - delimiter: The separator of fields; `nil` chooses the comma, the semicolon, the tab or the bar that is most
    ///     frequent in the first line.
    /// - Throws: ``StoreError`` if the file cannot be read, has no first record, or the record is invalid.
    public init(path: String, delimiter: Character? = nil) throws {
        do {
            file = try RegularFile(path: path)
        } catch {
            throw StoreError(.cannotOpen, "\(path) cannot be read: \(error.reason)")
        }
        name = path.split(separator: "/").last.map(String.init) ?? path
        self.delimiter = try delimiter ?? Self.mostFrequentDelimiter(file)
        let reader = try Self.reader(file, name, self.delimiter, from: 0)
        guard try reader.next() else {
            throw StoreError(.cannotOpen, "\(path) is empty: it has no column names")
        }
        columns = (0..<reader.count).map { TableColumn(reader[$0]) }
        var starts: [Int] = []
        var count = 0
        while count < RowBlocks.length, (try? reader.next()) == true {
            if reader.isBlank { continue }
            if count == 0 { starts.append(reader.recordPosition) }
            count += 1
        }
        firstRowCount = count
        state = Mutex(State(starts: starts, count: count))
    }

    private static func mostFrequentDelimiter(_ file: RegularFile) throws -> Character {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = (try? bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }) ?? 0
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
        let counts = [",", ";", "\t", "|"].map { (separator: Character) in
            (separator, line.count { $0 == separator.asciiValue })
        }
        return counts.reduce(counts[0]) { $1.1 > $0.1 ? $1 : $0 }.0
    }

    private static func reader(
        _ file: RegularFile,
        _ name: String,
        _ delimiter: Character,
        from start: Int,
        chunkBytes: Int = 1 << 14
    ) throws -> CSVReader {
        var position = start
        return CSVReader(
            name: name,
            totalBytes: file.size,
            chunkBytes: chunkBytes,
            delimiter: delimiter.asciiValue ?? UInt8(ascii: ",")
        ) { bytes in
            do throws(RegularFile.Problem) {
                let count = try file.read(into: bytes, at: position)
                position += count
                return count
            } catch {
                throw StoreError(.cannotOpen, "\(name) cannot be read: \(error.reason)")
            }
        }
    }

    /// Finds the positions of all records, by reading the file once.
    public func load(_ report: (TableLoad) -> Bool) throws {
        let reader = try Self.reader(file, name, delimiter, from: 0, chunkBytes: 1 << 17)
        guard try reader.next() else { return }
        var starts: [Int] = []
        var count = 0
        func publish() -> Bool {
            state.withLock { state in
                state.starts = starts
                state.count = count
                // A block that was read earlier may lack rows that were found since.
                state.blocks.removeAll()
            }
            let progress = file.size > 0 ? Double(reader.bytesRead) / Double(file.size) : nil
            return report(TableLoad(rowCount: count, progress: progress))
        }
        do {
            var next = TableLoad.nextReport(after: 0)
            while try reader.next() {
                if reader.isBlank { continue }
                if count % RowBlocks.length == 0 { starts.append(reader.recordPosition) }
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
        let reader = try Self.reader(file, name, delimiter, from: start)
        var rows: [[String]] = []
        while rows.count < end - block * RowBlocks.length, try reader.next() {
            if reader.isBlank { continue }
            rows.append((0..<reader.count).map { reader[$0] })
        }
        state.withLock { $0.blocks.insert(rows, block: block) }
        let offset = number % RowBlocks.length
        return offset < rows.count ? rows[offset] : []
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
        let reader = try Self.reader(file, name, delimiter, from: block.1, chunkBytes: 1 << 17)
        let fields = RecordFields(reader: reader)
        var number = block.0 * RowBlocks.length
        while number < end, try reader.next() {
            if reader.isBlank { continue }
            if number >= range.lowerBound, try !body(number, fields) { return }
            number += 1
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
