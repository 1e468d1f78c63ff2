internal import Foundation

/// Consecutive rows of an order, in one immutable block of memory.
///
/// The block contains a header, the common prefix of all keys, the rests of the keys, padding to eight bytes, the row
/// identities, and the ends of the rests. It contains no pointers, so it can be written to a file and read back
/// unchanged.
final class OrderLeaf: ManagedBuffer<Int, UInt64> {
    /// Creates a leaf with uninitialized memory.
    static func make(size: Int) -> OrderLeaf {
        let leaf = create(minimumCapacity: (size + 7) / 8) { _ in size }
        return unsafeDowncast(leaf, to: OrderLeaf.self)
    }

    /// The number of bytes of the leaf.
    var size: Int { header }

    /// The start of the memory; valid while the leaf exists.
    var base: UnsafeMutableRawPointer { withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) } }

    var view: LeafView { LeafView(base) }
}

/// A search argument: a key, and an identity for rows with equal keys.
struct OrderProbe {
    let key: UnsafeRawBufferPointer
    let id: RowID
}

/// A view of a leaf's memory.
///
/// Valid while the leaf exists.
// @unchecked Sendable because the memory is never written after the leaf was created.
struct LeafView: @unchecked Sendable {
    struct Header {
        var count: UInt32
        var prefixCount: UInt32
        /// The number of bytes of all rests together.
        var restCount: UInt32
        /// The number of bytes of the first rest, so that a search can compare the first key without reading `ends`.
        var firstCount: UInt32
    }

    static let headerSize = MemoryLayout<Header>.size

    let base: UnsafeRawPointer

    init(_ base: UnsafeRawPointer) { self.base = base }

    /// Returns the number of bytes that a leaf needs.
    static func size(count: Int, prefixCount: Int, restCount: Int) -> Int {
        idsOffset(prefixCount + restCount) + count * 12
    }

    static func idsOffset(_ byteCount: Int) -> Int { (headerSize + byteCount + 7) & ~7 }

    var header: Header { base.load(as: Header.self) }
    var count: Int { Int(base.load(as: UInt32.self)) }
    var prefixCount: Int { Int(base.load(fromByteOffset: 4, as: UInt32.self)) }
    var restCount: Int { Int(base.load(fromByteOffset: 8, as: UInt32.self)) }
    var prefix: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + Self.headerSize, count: prefixCount)
    }
    var rests: UnsafeRawPointer { base + Self.headerSize + prefixCount }
    var ids: UnsafePointer<RowID> {
        (base + Self.idsOffset(prefixCount + restCount)).assumingMemoryBound(to: RowID.self)
    }
    var ends: UnsafePointer<UInt32> {
        UnsafeRawPointer(ids + count).assumingMemoryBound(to: UInt32.self)
    }

    /// Returns the range of a row's rest among the rests.
    func restRange(_ slot: Int) -> Range<Int> {
        let ends = ends
        return (slot == 0 ? 0 : Int(ends[slot - 1]))..<Int(ends[slot])
    }

    /// Returns the complete key of a row as a new array.
    func key(_ slot: Int) -> [UInt8] {
        let range = restRange(slot)
        let rest = UnsafeRawBufferPointer(start: rests + range.lowerBound, count: range.count)
        var key: [UInt8] = []
        key.reserveCapacity(prefixCount + range.count)
        key.append(contentsOf: prefix)
        key.append(contentsOf: rest)
        return key
    }

    // MARK: - Order

    /// Returns a negative number if the first row is before the probe, 0 if they are equal, and a positive one
    /// otherwise.
    func compareFirst(_ probe: OrderProbe) -> Int {
        let header = header
        let order = comparePrefix(probe, Int(header.prefixCount))
        if order != 0 { return order }
        let rest = compareRest(0..<Int(header.firstCount), probe, Int(header.prefixCount))
        if rest != 0 { return rest }
        let id = ids[0]
        return id < probe.id ? -1 : (id > probe.id ? 1 : 0)
    }

    /// Returns the first row that is not before the probe, and whether it equals the probe.
    func lowerBound(_ probe: OrderProbe) -> (slot: Int, isFound: Bool) {
        let count = count
        let prefixCount = prefixCount
        let order = comparePrefix(probe, prefixCount)
        guard order == 0 else { return (order < 0 ? count : 0, false) }
        let ids = ids
        var low = 0
        var high = count
        var isFound = false
        while low < high {
            let middle = (low + high) / 2
            var order = compareRest(restRange(middle), probe, prefixCount)
            if order == 0 {
                order = ids[middle] < probe.id ? -1 : (ids[middle] > probe.id ? 1 : 0)
                if order == 0 { isFound = true }
            }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, isFound)
    }

    /// Returns whether the common prefix sorts before a key, after it, or is a prefix of the key (0).
    private func comparePrefix(_ probe: OrderProbe, _ prefixCount: Int) -> Int {
        let key = probe.key.baseAddress
        return Self.compare(base + Self.headerSize, prefixCount, key, min(prefixCount, probe.key.count))
    }

    private func compareRest(_ range: Range<Int>, _ probe: OrderProbe, _ prefixCount: Int) -> Int {
        Self.compare(
            rests + range.lowerBound,
            range.count,
            probe.key.baseAddress.map { $0 + prefixCount },
            probe.key.count - prefixCount
        )
    }

    /// Compares two blocks of memory; a prefix comes first.
    private static func compare(
        _ left: UnsafeRawPointer,
        _ leftCount: Int,
        _ right: UnsafeRawPointer?,
        _ rightCount: Int
    ) -> Int {
        guard let right, rightCount > 0 else { return leftCount }
        let order = memcmp(left, right, min(leftCount, rightCount))
        return order == 0 ? leftCount - rightCount : Int(order)
    }
}
