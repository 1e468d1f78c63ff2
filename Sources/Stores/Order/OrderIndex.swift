/// The order of many rows: the row at a position, the position of a row, both in O(log n).
///
/// Rows stand by their keys (see ``OrderKeyFormat``) and then by their id. They are kept in leaves of about
/// 32, each one piece of memory in which the bytes that all its keys begin with stand once: 12 bytes a row
/// and what tells its key from its neighbours'. Leaves never change, so that a copy of an index costs nothing
/// and stays as it is; a change makes the few leaves anew that it touches.
// @unchecked Sendable because a leaf's memory is written before anybody else has the leaf, and never again.
package struct OrderIndex: @unchecked Sendable {
    /// How many rows a leaf gets when it is filled in order.
    static let leafCount = 32
    /// With more rows a leaf is split.
    static let largestLeafCount = 48
    /// With fewer rows a leaf is joined to the next one when it is changed.
    static let smallestLeafCount = 8
    /// With more bytes of keys a leaf is split too, or not filled further.
    static let largestLeafBytes = 32_768

    // Owners keep alive what views read; searching by views touches no reference counts.
    var owners: ContiguousArray<OrderLeaf>
    var views: ContiguousArray<LeafView>
    var counts: PrefixSums
    var heads: LeafHeads

    /// Makes an empty order.
    package init() { self.init([]) }

    init(_ leaves: ContiguousArray<OrderLeaf>) {
        owners = leaves
        views = ContiguousArray(leaves.map(\.view))
        counts = PrefixSums(views.lazy.map(\.count))
        heads = LeafHeads(views)
    }

    /// How many rows there are.
    package var count: Int { counts.total }

    /// How many bytes the order takes, with all that belongs to it.
    package var memory: Int {
        // A leaf's object and its block's head, its two places in the directory, its sum and its head.
        owners.reduce(0) { $0 + $1.size } + owners.count * (24 + 16 + 16 + 8 + 8)
    }

    // MARK: - Rows by position

    /// The id of the row at a position, which must be there.
    package func id(at position: Int) -> RowID {
        let place = counts.find(position)
        return views[place.index].ids[place.offset]
    }

    /// The key of the row at a position, which must be there.
    package func key(at position: Int) -> [UInt8] {
        let place = counts.find(position)
        return views[place.index].key(place.offset)
    }

    /// Calls a closure with runs of row ids that together are those of a range of positions, in order.
    package func forEachRun(in range: Range<Int>, _ body: (UnsafeBufferPointer<RowID>) throws -> Void)
        rethrows
    {
        guard !range.isEmpty else { return }
        var place = counts.find(range.lowerBound)
        var rest = range.count
        while rest > 0 {
            let view = views[place.index]
            let taken = min(rest, view.count - place.offset)
            try withExtendedLifetime(owners[place.index]) {
                try body(UnsafeBufferPointer(start: view.ids + place.offset, count: taken))
            }
            rest -= taken
            place = (place.index + 1, 0)
        }
    }

    /// The ids of a range of positions.
    package func ids(in range: Range<Int>) -> [RowID] {
        var ids: [RowID] = []
        ids.reserveCapacity(range.count)
        forEachRun(in: range) { ids.append(contentsOf: $0) }
        return ids
    }

    /// The position of a row by its id alone, or `nil`.
    ///
    /// - Complexity: O(n), at about half a nanosecond a row: for those who have no key.
    package func position(of id: RowID) -> Int? {
        var position = 0
        for (index, view) in views.enumerated() {
            let ids = UnsafeBufferPointer(start: view.ids, count: view.count)
            let slot = withExtendedLifetime(owners[index]) { ids.firstIndex(of: id) }
            if let slot { return position + slot }
            position += view.count
        }
        return nil
    }

    // MARK: - Rows by key

    /// Where a row is, or where it would stand.
    package func place(of key: UnsafeRawBufferPointer, id: RowID) -> OrderPlace {
        let probe = OrderProbe(key: key, id: id)
        let leaf = leaf(of: probe)
        guard leaf < views.count else { return OrderPlace(leaf: 0, slot: 0, position: 0, isFound: false) }
        let (slot, isFound) = views[leaf].lowerBound(probe)
        return OrderPlace(
            leaf: leaf,
            slot: slot,
            position: counts.sum(before: leaf) + slot,
            isFound: isFound
        )
    }

    /// The last leaf that begins before a row or with it, or the first one.
    private func leaf(of probe: OrderProbe) -> Int {
        let candidates = heads.candidates(probe.key)
        return views.withUnsafeBufferPointer { views in
            var low = candidates.lowerBound
            var high = candidates.upperBound
            while low < high {
                let middle = (low + high) / 2
                let order = views[middle].compareFirst(probe)
                if order == 0 { return middle }
                if order < 0 { low = middle + 1 } else { high = middle }
            }
            return max(low - 1, 0)
        }
    }
}

/// Where a row is in an order, or where it would stand; right until the order changes.
package struct OrderPlace: Sendable, Hashable {
    let leaf: Int
    let slot: Int
    /// The row's position in the whole order.
    package let position: Int
    /// Whether the row is there.
    package let isFound: Bool
}
