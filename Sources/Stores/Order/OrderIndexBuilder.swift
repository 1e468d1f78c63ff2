internal import BridgeValues
internal import Foundation

/// A builder of an order from sorted rows.
///
/// Each leaf is written once, when it is full.
package struct OrderIndexBuilder: ~Copyable {
    private var leaves: ContiguousArray<OrderLeaf> = []
    private var keys = OrderKeyBuffer()
    // The ends of the keys of the leaf in progress.
    private var ends: ContiguousArray<Int> = []
    private var ids: ContiguousArray<RowID> = []
    /// The sections of the rows so far.
    private var sections = OrderSections.Builder()
    private var meter = WorkMeter()

    /// Creates a builder without rows.
    package init() {
        ends.reserveCapacity(OrderIndex.leafCount)
        ids.reserveCapacity(OrderIndex.leafCount)
    }

    /// Adds the next row.
    ///
    /// - Parameters:
    ///   - id: The identity of the row.
    ///   - write: A closure that appends the key to a buffer, and returns the number of its bytes that belong to the
    ///     section.
    /// - Throws: ``StoreError`` `failed` if the row does not sort after the previous one; the error of the thread's
    ///   work limit.
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

    /// Completes the order.
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
                "the store returned row \(nextID) after row \(lastID), against the order of the sort keys"
            )
        }
    }
}

extension OrderLeaf {
    /// Creates a leaf from complete consecutive keys.
    static func make(
        keys: UnsafeRawBufferPointer,
        ends: UnsafeBufferPointer<Int>,
        ids: UnsafeBufferPointer<RowID>
    ) -> OrderLeaf {
        let firstCount = ends[0]
        let lastStart = ends.count > 1 ? ends[ends.count - 2] : 0
        // The keys are sorted, so the common prefix of the first and the last key is common to all.
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
