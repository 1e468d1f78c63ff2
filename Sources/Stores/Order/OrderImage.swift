package import Foundation

/// A serialization of an order and its sections, for files of the same machine.
///
/// The format is: 64-bit numbers (the number of leaves and sections, and their sizes), then sections and leaves as in
/// memory. Only sizes are validated on reading. The caller must therefore store a ``checksum(_:)`` as well.
package enum OrderImage {
    /// Appends an order and its sections.
    package static func append(_ order: OrderIndex, _ sections: OrderSections, to data: inout Data) {
        let sectionCounts = (0..<sections.count).map { sections.range(of: $0).count }
        data.reserveCapacity(data.count + order.memory + sections.memory)
        append([order.owners.count, sections.count, sections.keys.count], to: &data)
        append(order.owners.map(\.size), to: &data)
        append(sectionCounts, to: &data)
        append(Array(sections.ends), to: &data)
        data.append(contentsOf: sections.keys)
        pad(&data, sections.keys.count)
        for leaf in order.owners {
            data.append(UnsafeRawBufferPointer(start: leaf.base, count: leaf.size).bindMemory(to: UInt8.self))
            pad(&data, leaf.size)
        }
    }

    private static func append(_ numbers: [Int], to data: inout Data) {
        numbers.withUnsafeBytes { data.append($0.bindMemory(to: UInt8.self)) }
    }

    private static func pad(_ data: inout Data, _ count: Int) {
        data.append(contentsOf: repeatElement(0, count: -count & 7))
    }

    /// Reads an order, or returns `nil` if the sizes are inconsistent.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> (order: OrderIndex, sections: OrderSections)?
    {
        var reader = Reader(bytes: bytes)
        guard let head = reader.numbers(3), let sizes = reader.numbers(head[0]),
            let counts = reader.numbers(head[1]), let ends = reader.numbers(head[1]),
            let keys = reader.take(head[2]), ends.last ?? 0 == keys.count
        else { return nil }
        var leaves: ContiguousArray<OrderLeaf> = []
        leaves.reserveCapacity(sizes.count)
        for size in sizes {
            guard size > LeafView.headerSize, let source = reader.take(size), let start = source.baseAddress,
                LeafView(start).isWhole(size)
            else { return nil }
            let leaf = OrderLeaf.make(size: size)
            leaf.base.copyMemory(from: start, byteCount: size)
            leaves.append(leaf)
        }
        let order = OrderIndex(leaves)
        guard reader.isAtEnd, counts.reduce(0, +) == order.count else { return nil }
        let sections = OrderSections(
            keys: ContiguousArray(keys),
            ends: ContiguousArray(ends),
            counts: ContiguousArray(counts)
        )
        return (order, sections)
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var place = 0

        var isAtEnd: Bool { place == bytes.count }

        /// Consumes the next bytes and the padding after them.
        mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
            guard count >= 0, count <= bytes.count - place else { return nil }
            let start = place
            place = min(start + ((count + 7) & ~7), bytes.count)
            return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        }

        mutating func numbers(_ count: Int) -> [Int]? {
            guard count >= 0, count <= bytes.count / 8, let taken = take(8 * count) else { return nil }
            return (0..<count).map { taken.loadUnaligned(fromByteOffset: 8 * $0, as: Int.self) }
        }
    }

    /// Computes a checksum for detecting accidental damage; it does not protect against deliberate changes.
    package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        // Four independent sums, so that multiplications can run in parallel.
        var lanes: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
        let prime: UInt64 = 0x9E37_79B9_7F4A_7C15
        let words = bytes.count / 8
        var word = 0
        func next(_ lane: UInt64, _ index: Int) -> UInt64 {
            let value = bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
            let mixed = (lane ^ value) &* prime
            return mixed ^ (mixed >> 32)
        }
        while word + 4 <= words {
            lanes.0 = next(lanes.0, word)
            lanes.1 = next(lanes.1, word + 1)
            lanes.2 = next(lanes.2, word + 2)
            lanes.3 = next(lanes.3, word + 3)
            word += 4
        }
        var sum = UInt64(bytes.count)
        while word < words {
            sum = next(sum, word)
            word += 1
        }
        for byte in bytes[(8 * words)...] { sum = (sum ^ UInt64(byte)) &* prime }
        for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
            sum = (sum ^ lane) &* prime
            sum ^= sum >> 29
        }
        return sum
    }
}

extension LeafView {
    /// Returns whether the leaf's counts are consistent with its size.
    func isWhole(_ size: Int) -> Bool {
        let header = header
        guard header.count > 0, header.firstCount <= header.restCount else { return false }
        return size
            == Self.size(
                count: Int(header.count),
                prefixCount: Int(header.prefixCount),
                restCount: Int(header.restCount)
            )
    }
}
