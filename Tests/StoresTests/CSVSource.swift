import Foundation
import Stores

extension CSVReader {
    /// Creates a reader of bytes in memory, which are read in chunks of one size.
    convenience init(
        _ bytes: [UInt8],
        piece: Int = 1 << 16,
        name: String = "test.csv",
        delimiter: UInt8 = 0x2C,
        isLenient: Bool = false
    ) {
        var position = 0
        self.init(
            name: name,
            totalBytes: bytes.count,
            chunkBytes: piece,
            delimiter: delimiter,
            isLenient: isLenient
        ) { room in
            let count = min(room.count, bytes.count - position)
            room.copyBytes(from: bytes[position..<(position + count)])
            position += count
            return count
        }
    }

    /// Returns all records as strings.
    func allRecords() throws -> [[String]] {
        var records: [[String]] = []
        while try next() { records.append((0..<count).map { self[$0] }) }
        return records
    }
}
