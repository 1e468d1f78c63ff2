/// A sorted index of many rows: the row at a position, and the position of a row, both in O(log n).
///
/// Rows are sorted by their keys (see ``OrderKeyFormat``), then by identity. They are stored in leaves of about 32
/// rows. Each leaf is one block of memory that stores the common prefix of its keys once. A row takes 12 bytes plus the
/// rest of its key. Leaves are immutable, so copying an index is free and a copy never changes. A change rebuilds only
/// the few leaves that it affects.
// @unchecked Sendable because a leaf's memory is written before the leaf is shared, and never afterwards.
package struct OrderIndex: @unchecked Sendable {
    /// The number of rows per leaf when an index is built in order.
    static let leafCount = 32
    /// The maximum number of rows of a leaf; a larger leaf is split.
    static let largestLeafCount = 48
    /// The number of rows below which a changed leaf is joined with the next one.
    static let smallestLeafCount = 8
    /// The number of key bytes above which a leaf is split, or not filled further.
    static let largestLeafBytes = 32_768

    // Owners retain the memory that views read; searching by views needs no reference counting.
    var owners: ContiguousArray<OrderLeaf>
    var views: ContiguousArray<LeafView>
    var counts: PrefixSums
    var heads: LeafHeads

    /// Creates an empty order.
    package init() { self.init([]) }

    init(_ leaves: ContiguousArray<OrderLeaf>) {
        owners = leaves
        views = ContiguousArray(leaves.map(\.view))
        counts = PrefixSums(views.lazy.map(\.count))
        heads = LeafHeads(views)
    }

    /// The number of rows.
    package var count: Int { counts.total }

    /// The number of bytes that the order takes, including all its parts.
    package var memory: Int {
        // A leaf's object and block header, its two entries in the arrays, its sum and its head.
        owners.reduce(0) { $0 + $1.size } + owners.count * (24 + 16 + 16 + 8 + 8)
    }

    // MARK: - Rows by position

    /// Returns the identity of the row at a valid position.
    package func id(at position: Int) -> RowID {
        let place = counts.find(position)
        return views[place.index].ids[place.offset]
    }

    /// Returns the key of the row at a valid position.
    package func key(at position: Int) -> [UInt8] {
        let place = counts.find(position)
        return views[place.index].key(place.offset)
    }

    /// Calls a closure with consecutive runs of row identities that cover a range of positions.
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

    /// Returns the row identities in a range of positions.
    package func ids(in range: Range<Int>) -> [RowID] {
        var ids: [RowID] = []
        ids.reserveCapacity(range.count)
        forEachRun(in: range) { ids.append(contentsOf: $0) }
        return ids
    }

    /// Returns the position of a row by its identity alone, or `nil`.
    ///
    /// - Complexity: O(n), at about half a nanosecond per row; use it only without a key.
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

    /// Returns the place of a row, or the place where it would be inserted.
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

    /// Returns the last leaf whose first row is at or before a row, or the first leaf.
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

/// The place of a row in an order, or its insertion place; valid until the order changes.
package struct OrderPlace: Sendable, Hashable {
    let leaf: Int
    let slot: Int
    /// The row's position in the whole order.
    package let position: Int
    /// A Boolean value that indicates whether the order contains the row.
    package let isFound: Bool
}
