internal import BridgeValues
internal import Foundation

/// Makes an order out of rows that come in order: each leaf is written once, when it is full.
package struct OrderIndexBuilder: ~Copyable {
    private var leaves: ContiguousArray<OrderLeaf> = []
    private var keys = OrderKeyBuffer()
    // Where the keys of the leaf that is being filled end.
    private var ends: ContiguousArray<Int> = []
    private var ids: ContiguousArray<RowID> = []
    /// The sections of the rows so far.
    private var sections = OrderSections.Builder()
    private var meter = WorkMeter()

    /// Makes a builder without rows.
    package init() {
        ends.reserveCapacity(OrderIndex.leafCount)
        ids.reserveCapacity(OrderIndex.leafCount)
    }

    /// Adds the next row.
    ///
    /// - Parameters:
    ///   - id: The row's id.
    ///   - write: Appends the key to a buffer, and says how many of its bytes are the section's.
    /// - Throws: ``StoreError`` `failed` where the row does not stand behind the one before it; what ends work of the
    ///   thread that made the builder.
    package mutating func append(
        id: RowID,
        _ write: (inout OrderKeyBuffer) throws -> Int
    ) throws {
        try meter.step()
        let start = ends.last ?? 0
        if start == 0 { keys.removeAll() }
        let sectionCount = try write(&keys)
        let count = keys.count - start
        let key = UnsafeRawBufferPointer(rebasing: keys.bytes[start...])
        if let last = ids.last {
            let before = ends.count > 1 ? ends[ends.count - 2] : 0
            try Self.requireOrder(keys.bytes, before..<start, start..<start + count, last, id)
        }
        sections.count(UnsafeRawBufferPointer(rebasing: key.prefix(sectionCount)))
        ends.append(start + count)
        ids.append(id)
        if ids.count == OrderIndex.leafCount || keys.count > OrderIndex.largestLeafBytes { close() }
    }

    /// Ends the order.
    package consuming func finish() -> (order: OrderIndex, sections: OrderSections) {
        close()
        return (OrderIndex(leaves), sections.finish())
    }

    private mutating func close() {
        guard !ids.isEmpty else { return }
        leaves.append(
            ids.withUnsafeBufferPointer { ids in
                ends.withUnsafeBufferPointer { ends in .make(keys: keys.bytes, ends: ends, ids: ids) }
            }
        )
        ends.removeAll(keepingCapacity: true)
        ids.removeAll(keepingCapacity: true)
    }

    private static func requireOrder(
        _ keys: UnsafeRawBufferPointer,
        _ last: Range<Int>,
        _ next: Range<Int>,
        _ lastID: RowID,
        _ nextID: RowID
    ) throws {
        guard let base = keys.baseAddress else { return }
        let order = memcmp(base + last.lowerBound, base + next.lowerBound, min(last.count, next.count))
        let isAscending =
            order != 0 ? order < 0 : last.count != next.count ? last.count < next.count : lastID < nextID
        guard isAscending else {
            throw StoreError(
                .failed,
                "the store gave row \(nextID) behind row \(lastID), against the order of its sort keys"
            )
        }
    }
}

extension OrderLeaf {
    /// Makes a leaf of whole keys that stand one behind the other.
    static func make(
        keys: UnsafeRawBufferPointer,
        ends: UnsafeBufferPointer<Int>,
        ids: UnsafeBufferPointer<RowID>
    ) -> OrderLeaf {
        let firstCount = ends[0]
        let lastStart = ends.count > 1 ? ends[ends.count - 2] : 0
        // In order, what the first and the last key begin with is what all begin with.
        var prefixCount = 0
        let shortest = min(firstCount, ends[ends.count - 1] - lastStart)
        if ends.count > 1 {
            while prefixCount < shortest, keys[prefixCount] == keys[lastStart + prefixCount] {
                prefixCount += 1
            }
        }
        let restCount = ends[ends.count - 1] - prefixCount * ends.count
        var writer = LeafWriter(count: ids.count, prefixCount: prefixCount, restCount: restCount)
        writer.writePrefix(UnsafeRawBufferPointer(rebasing: keys[..<prefixCount]))
        var start = 0
        for (slot, end) in ends.enumerated() {
            writer.append(UnsafeRawBufferPointer(rebasing: keys[start + prefixCount..<end]), ids[slot])
            start = end
        }
        return writer.finish()
    }
}
