internal import Foundation

/// The beginnings of all leaves in one array, so that a search looks at one leaf instead of at one for each of
/// its steps.
///
/// What the first keys of all leaves begin with is kept once; of the rest each has eight bytes as a number.
/// Numbers that are equal say nothing, and the leaves themselves decide.
struct LeafHeads: Sendable {
    private var prefix: [UInt8] = []
    private var heads: ContiguousArray<UInt64> = []

    init(_ views: ContiguousArray<LeafView>) {
        guard let first = views.first?.key(0), let last = views.last?.key(0) else { return }
        // In order, what the first and the last begin with is what all begin with.
        prefix = Array(zip(first, last).prefix { $0 == $1 }.map(\.0))
        heads.reserveCapacity(views.count)
        for view in views { heads.append(head(of: view) ?? 0) }
    }

    /// Notes another leaf in the place of one; gives whether it begins as all do.
    ///
    /// If it does not, all must be made anew.
    mutating func replace(_ index: Int, _ view: LeafView) -> Bool {
        guard let head = head(of: view) else { return false }
        heads[index] = head
        return true
    }

    /// Notes other leaves in the place of some; gives whether they begin as all do.
    mutating func replace(_ old: Range<Int>, _ new: [LeafView]) -> Bool {
        var found: [UInt64] = []
        for view in new { if let head = head(of: view) { found.append(head) } }
        let isWhole = found.count == new.count && !heads.isEmpty
        // The numbers have to stay in step with the leaves in any case.
        heads.replaceSubrange(old, with: isWhole ? found : Array(repeating: 0, count: new.count))
        return isWhole
    }

    /// The leaves that may be the last one that begins before a key or with it: one more than have the same
    /// number, since the leaf before them may be it.
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
                // Many equal ones are passed by search, few by steps.
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
        // Without an array for the key: the leaf's own common beginning is mostly enough.
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

    /// The first eight bytes as a number in their order; missing ones are zero.
    private static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
        var number: UInt64 = 0
        for index in 0..<8 { number = number << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        return number
    }
}
