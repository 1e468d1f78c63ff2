internal import Foundation

/// A writer for the memory of a new leaf, row by row or in runs of rows of another leaf.
struct LeafWriter {
    private let leaf: OrderLeaf
    private let base: UnsafeMutableRawPointer
    private let prefixCount: Int
    private let rests: UnsafeMutableRawPointer
    private let ids: UnsafeMutablePointer<RowID>
    private let ends: UnsafeMutablePointer<UInt32>
    private var written = 0
    private var count = 0

    init(count: Int, prefixCount: Int, restCount: Int) {
        let size = LeafView.size(count: count, prefixCount: prefixCount, restCount: restCount)
        leaf = .make(size: size)
        base = leaf.base
        self.prefixCount = prefixCount
        let header = LeafView.Header(
            count: UInt32(count),
            prefixCount: UInt32(prefixCount),
            restCount: UInt32(restCount),
            firstCount: 0
        )
        base.storeBytes(of: header, as: LeafView.Header.self)
        rests = base + LeafView.headerSize + prefixCount
        let offset = LeafView.idsOffset(prefixCount + restCount)
        // The padding is cleared because it is written to files, which must not contain uninitialized memory.
        memset(rests + restCount, 0, offset - LeafView.headerSize - prefixCount - restCount)
        ids = (base + offset).bindMemory(to: RowID.self, capacity: count)
        ends = (base + offset + 8 * count).bindMemory(to: UInt32.self, capacity: count)
    }

    /// Writes the common prefix of all keys.
    func writePrefix(_ prefix: UnsafeRawBufferPointer) {
        if let source = prefix.baseAddress { memcpy(base + LeafView.headerSize, source, prefixCount) }
    }

    /// Appends a row by the rest of its key after the common prefix.
    @inline(__always)
    mutating func append(_ rest: UnsafeRawBufferPointer, _ id: RowID) {
        if let source = rest.baseAddress { memcpy(rests + written, source, rest.count) }
        written += rest.count
        ids[count] = id
        ends[count] = UInt32(truncatingIfNeeded: written)
        count += 1
    }

    /// Appends rows of a leaf with the same common prefix.
    mutating func append(_ slots: Range<Int>, of source: LeafView) {
        guard !slots.isEmpty else { return }
        let start = source.restRange(slots.lowerBound).lowerBound
        let end = source.restRange(slots.upperBound - 1).upperBound
        memcpy(rests + written, source.rests + start, end - start)
        (ids + count).update(from: source.ids + slots.lowerBound, count: slots.count)
        // The shift may wrap below zero; the resulting sums do not.
        let shift = UInt32(truncatingIfNeeded: written) &- UInt32(truncatingIfNeeded: start)
        let from = source.ends + slots.lowerBound
        let to = ends + count
        for slot in 0..<slots.count { to[slot] = from[slot] &+ shift }
        written += end - start
        count += slots.count
    }

    /// Completes the leaf.
    func finish() -> OrderLeaf {
        base.storeBytes(
            of: ends[0],
            toByteOffset: MemoryLayout<LeafView.Header>.offset(of: \.firstCount) ?? 12,
            as: UInt32.self
        )
        return leaf
    }
}
