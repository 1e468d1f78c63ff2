internal import Foundation
public import Stores

/// The rows of fetched results as an array that reads its elements on access, batch by batch.
///
/// The identities are those at the time of creation. The rows are the store's current ones, and `nil` for a row that is
/// deleted or cannot be read. The last batches stay in memory. The array is used on the controller's isolation.
public struct FetchedObjects: RandomAccessCollection {
    private let ids: FetchedRowIDs
    private let batches: RowBatches

    init(_ content: FetchedContent, batchSize: Int, read: @escaping ([RowID]) -> [Row?]) {
        ids = FetchedRowIDs(content.order, content.window)
        batches = RowBatches(size: batchSize > 0 ? batchSize : Swift.max(1, ids.count), read: read)
    }

    /// Zero, the index of the first row.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { ids.count }

    /// Accesses the row at an index.
    public subscript(index: Int) -> Row? {
        precondition((0..<endIndex).contains(index), "row \(index) of \(endIndex) fetched rows")
        return batches.row(index, of: ids)
    }

    /// The number of batches read from the store.
    public var batchesRead: Int { batches.readCount }
}

/// A cache of recently read batches.
private final class RowBatches {
    /// Two screens and the batches between them, whatever the size of a batch.
    private static let keptBatches = 8

    private let size: Int
    private let read: ([RowID]) -> [Row?]
    private var kept: [(number: Int, rows: [Row?])] = []
    private(set) var readCount = 0

    init(size: Int, read: @escaping ([RowID]) -> [Row?]) {
        self.size = size
        self.read = read
    }

    func row(_ index: Int, of ids: FetchedRowIDs) -> Row? {
        let number = index / size
        if let place = kept.lastIndex(where: { $0.number == number }) {
            return kept[place].rows[index - number * size]
        }
        let start = number * size
        let rows = read(Array(ids[start..<min(start + size, ids.count)]))
        readCount += 1
        // The batch farthest from the requested one is evicted first.
        if kept.count == Self.keptBatches,
            let farthest = kept.indices.max(by: {
                abs(kept[$0].number - number) < abs(kept[$1].number - number)
            })
        {
            kept.remove(at: farthest)
        }
        kept.append((number, rows))
        return rows[index - start]
    }
}
