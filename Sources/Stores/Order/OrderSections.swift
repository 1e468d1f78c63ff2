internal import Foundation

/// The sections of an order: the part of the key that their rows share, and the number of rows of each.
///
/// Finding the section of a position, finding the position of a section, and counting a row in or out take O(log s) in
/// the sections. Inserting or removing a section takes O(s).
package struct OrderSections: Sendable {
    // The consecutive keys, and the end of each.
    private(set) var keys: ContiguousArray<UInt8>
    private(set) var ends: ContiguousArray<Int>
    private(set) var counts: PrefixSums

    /// Creates sections without rows.
    package init() { self.init(keys: [], ends: [], counts: []) }

    init(keys: ContiguousArray<UInt8>, ends: ContiguousArray<Int>, counts: ContiguousArray<Int>) {
        self.keys = keys
        self.ends = ends
        self.counts = PrefixSums(counts)
    }

    /// The number of sections.
    package var count: Int { ends.count }

    /// The number of bytes that the sections take.
    package var memory: Int { keys.count + (ends.count + counts.count) * MemoryLayout<Int>.stride }

    /// Returns the position of a section's first row; for the number of sections, the position after the last row.
    package func start(of section: Int) -> Int { counts.sum(before: section) }

    /// Returns the positions of a section's rows.
    package func range(of section: Int) -> Range<Int> { start(of: section)..<start(of: section + 1) }

    /// Returns the section that contains a valid position.
    package func section(at position: Int) -> Int { counts.find(position).index }

    /// Calls a closure with a section's key.
    package func withKey<Result>(of section: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        keys.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[keyRange(section)])) }
    }

    /// Returns a section's key.
    package func key(of section: Int) -> [UInt8] { Array(keys[keyRange(section)]) }

    private func keyRange(_ section: Int) -> Range<Int> {
        (section == 0 ? 0 : ends[section - 1])..<ends[section]
    }

    /// Returns the section with a key, or the index where it would be inserted.
    package func find(_ key: UnsafeRawBufferPointer) -> (section: Int, isFound: Bool) {
        keys.withUnsafeBytes { keys in
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                let order = Self.compare(UnsafeRawBufferPointer(rebasing: keys[keyRange(middle)]), key)
                if order == 0 { return (middle, true) }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return (low, false)
        }
    }

    /// Compares two keys bytewise.
    package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
            return left.count - right.count
        }
        let order = memcmp(leftBase, rightBase, min(left.count, right.count))
        return order == 0 ? left.count - right.count : Int(order)
    }

    // MARK: - Changes

    /// Adds to the row counts of sections.
    ///
    /// - Parameter changes: Unique section keys in ascending order, with the change of each row count.
    package mutating func apply(_ changes: [(key: UnsafeRawBufferPointer, delta: Int)]) {
        var coming: [(place: Int, key: UnsafeRawBufferPointer, count: Int)] = []
        var isAnyEmpty = false
        for change in changes where change.delta != 0 {
            let place = find(change.key)
            if place.isFound {
                counts.add(change.delta, at: place.section)
                if counts.sum(before: place.section) == counts.sum(before: place.section + 1) {
                    isAnyEmpty = true
                }
            } else {
                precondition(change.delta > 0, "rows left a section that does not exist")
                coming.append((place.section, change.key, change.delta))
            }
        }
        if isAnyEmpty || !coming.isEmpty { rebuild(with: coming) }
    }

    /// Rebuilds the table without empty sections and with new ones.
    private mutating func rebuild(with coming: [(place: Int, key: UnsafeRawBufferPointer, count: Int)]) {
        var builder = Builder()
        var next = coming.startIndex
        var sum = 0
        for section in 0...count {
            while next < coming.endIndex, coming[next].place == section {
                builder.append(coming[next].key, coming[next].count)
                next += 1
            }
            guard section < count else { break }
            let end = counts.sum(before: section + 1)
            if end > sum { withKey(of: section) { builder.append($0, end - sum) } }
            sum = end
        }
        self = builder.finish()
    }

    /// A builder of sections from sorted rows.
    struct Builder {
        private var keys: ContiguousArray<UInt8> = []
        private var ends: ContiguousArray<Int> = []
        private var counts: ContiguousArray<Int> = []

        /// Counts the next row.
        mutating func count(_ key: UnsafeRawBufferPointer) {
            let last = counts.count - 1
            if last >= 0 {
                let isSame = keys.withUnsafeBytes { keys in
                    let start = last == 0 ? 0 : ends[last - 1]
                    guard ends[last] - start == key.count else { return false }
                    guard let base = keys.baseAddress, let keyBase = key.baseAddress else { return true }
                    return memcmp(base + start, keyBase, key.count) == 0
                }
                if isSame {
                    counts[last] += 1
                    return
                }
            }
            append(key, 1)
        }

        mutating func append(_ key: UnsafeRawBufferPointer, _ count: Int) {
            keys.append(contentsOf: key)
            ends.append(keys.count)
            counts.append(count)
        }

        consuming func finish() -> OrderSections { OrderSections(keys: keys, ends: ends, counts: counts) }
    }
}
