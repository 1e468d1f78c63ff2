internal import Foundation

/// Some neighbouring rows of an order, in one piece of memory that never changes once it is made.
///
/// The piece is: a header; what all keys begin with, once; the rest of each key, one behind the other; padding
/// to eight bytes; the row ids; where each rest ends. It has no pointers, so that it can be written to a file
/// and read back as it is.
final class OrderLeaf: ManagedBuffer<Int, UInt64> {
    /// Makes a leaf whose memory is yet to be written.
    static func make(size: Int) -> OrderLeaf {
        let leaf = create(minimumCapacity: (size + 7) / 8) { _ in size }
        return unsafeDowncast(leaf, to: OrderLeaf.self)
    }

    /// How many bytes the leaf takes.
    var size: Int { header }

    /// Where the memory begins; valid while the leaf lives.
    var base: UnsafeMutableRawPointer { withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) } }

    var view: LeafView { LeafView(base) }
}

/// What a row is looked up by: its key, and its id where keys are equal.
struct OrderProbe {
    let key: UnsafeRawBufferPointer
    let id: RowID
}

/// Reads the memory of a leaf.
///
/// Valid while the leaf lives.
// @unchecked Sendable because the memory is never written after the leaf was made.
struct LeafView: @unchecked Sendable {
    struct Header {
        var count: UInt32
        var prefixCount: UInt32
        /// The rests of all keys together.
        var restCount: UInt32
        /// The rest of the first key, so that one look at the head of a leaf decides a search.
        var firstCount: UInt32
    }

    static let headerSize = MemoryLayout<Header>.size

    let base: UnsafeRawPointer

    init(_ base: UnsafeRawPointer) { self.base = base }

    /// How much memory a leaf needs.
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

    /// Where the rest of a row's key is, among the rests.
    func restRange(_ slot: Int) -> Range<Int> {
        let ends = ends
        return (slot == 0 ? 0 : Int(ends[slot - 1]))..<Int(ends[slot])
    }

    /// The key of a row, put together anew.
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

    /// Whether the first row stands before what is looked for (negative), is it (0), or stands behind it.
    func compareFirst(_ probe: OrderProbe) -> Int {
        let header = header
        let order = comparePrefix(probe, Int(header.prefixCount))
        if order != 0 { return order }
        let rest = compareRest(0..<Int(header.firstCount), probe, Int(header.prefixCount))
        if rest != 0 { return rest }
        let id = ids[0]
        return id < probe.id ? -1 : (id > probe.id ? 1 : 0)
    }

    /// The first row that does not stand before what is looked for, and whether it is that.
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

    /// Whether what all keys begin with stands before a key, after it, or is what the key begins with.
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

    /// The order of two pieces of memory: the shorter one first where one begins the other.
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
