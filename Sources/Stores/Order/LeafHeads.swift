internal import Foundation

/// The first keys of all leaves in one array, so that a search accesses one leaf instead of one per step.
///
/// The common prefix of all first keys is stored once, and the next eight bytes of each key as a number. Equal numbers
/// are inconclusive; then the search compares the leaves themselves.
struct LeafHeads: Sendable {
    private var prefix: [UInt8] = []
    private var heads: ContiguousArray<UInt64> = []

    init(_ views: ContiguousArray<LeafView>) {
        guard let first = views.first?.key(0), let last = views.last?.key(0) else { return }
        // The keys are sorted, so the common prefix of the first and the last key is common to all.
        prefix = Array(zip(first, last).prefix { $0 == $1 }.map(\.0))
        heads.reserveCapacity(views.count)
        for view in views { heads.append(head(of: view) ?? 0) }
    }

    /// Replaces the entry of a leaf; returns whether the new leaf's key has the common prefix.
    ///
    /// If it does not, the caller must rebuild all entries.
    mutating func replace(_ index: Int, _ view: LeafView) -> Bool {
        guard let head = head(of: view) else { return false }
        heads[index] = head
        return true
    }

    /// Replaces the entries of several leaves; returns whether all new keys have the common prefix.
    mutating func replace(_ old: Range<Int>, _ new: [LeafView]) -> Bool {
        var found: [UInt64] = []
        for view in new { if let head = head(of: view) { found.append(head) } }
        let isWhole = found.count == new.count && !heads.isEmpty
        // The number of entries must always equal the number of leaves.
        heads.replaceSubrange(old, with: isWhole ? found : Array(repeating: 0, count: new.count))
        return isWhole
    }

    /// Returns the leaves that may be the last one whose first key is at or before a key: all with an equal number.
    ///
    /// The leaf before the range is also a candidate.
    func candidates(_ key: UnsafeRawBufferPointer) -> Range<Int> {
        let order = prefix.withUnsafeBytes { prefix in
            guard let left = prefix.baseAddress, let right = key.baseAddress else { return 0 }
            return Int(memcmp(left, right, min(prefix.count, key.count)))
        }
        guard order == 0, key.count >= prefix.count else {
            return order < 0 ? heads.count..<heads.count : 0..<0
        }
        let wanted = Self.number(UnsafeRawBufferPointer(rebasing: key[prefix.count...]))
        return heads.withUnsafeBufferPointer { heads in
            let low = Self.firstIndex(in: heads, from: 0) { $0 >= wanted }
            var high = low
            while high < heads.count, heads[high] == wanted {
                // Skips a long run of equal numbers by binary search, a short one by steps.
                guard high - low < 4 else {
                    high = Self.firstIndex(in: heads, from: high) { $0 > wanted }
                    break
                }
                high += 1
            }
            return low..<high
        }
    }

    @inline(__always)
    private static func firstIndex(
        in heads: UnsafeBufferPointer<UInt64>,
        from start: Int,
        where isBehind: (UInt64) -> Bool
    ) -> Int {
        var low = start
        var count = heads.count - start
        while count > 0 {
            let half = count / 2
            if isBehind(heads[low + half]) {
                count = half
            } else {
                low += half + 1
                count -= half + 1
            }
        }
        return low
    }

    private func head(of view: LeafView) -> UInt64? {
        // Builds no array for the key, because the leaf's own prefix is usually sufficient.
        let range = view.restRange(0)
        let rest = UnsafeRawBufferPointer(start: view.rests, count: range.count)
        let own = view.prefix
        guard own.count + rest.count >= prefix.count else { return nil }
        var number: UInt64 = 0
        for index in 0..<prefix.count {
            guard (index < own.count ? own[index] : rest[index - own.count]) == prefix[index] else {
                return nil
            }
        }
        for index in prefix.count..<prefix.count + 8 {
            let byte =
                index < own.count
                ? own[index] : index - own.count < rest.count ? rest[index - own.count] : 0
            number = number << 8 | UInt64(byte)
        }
        return number
    }

    /// Returns the first eight bytes as a big-endian number; missing bytes are zero.
    private static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
        var number: UInt64 = 0
        for index in 0..<8 { number = number << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        return number
    }
}
