/// An edit of an order: a row that leaves or arrives.
package struct OrderEdit {
    /// The range of the row's key in the bytes that are passed with the edits.
    package let key: Range<Int>
    /// The identity of the row.
    package let id: RowID
    /// The row's place, or its future place among the rows before the edits.
    package let place: OrderPlace

    /// Creates an edit.
    package init(key: Range<Int>, id: RowID, place: OrderPlace) {
        self.key = key
        self.id = id
        self.place = place
    }
}

extension OrderIndex {
    /// Removes and inserts rows in one step.
    ///
    /// - Parameters:
    ///   - leaving: The rows to remove, in the order of their positions. Each must have been found.
    ///   - arriving: The rows to insert, in order.
    ///   - keys: The bytes that the edits' key ranges refer to.
    /// - Complexity: O(k) in the edits, each with a copy of a leaf. Splitting or joining leaves costs O(n / 32) once
    ///   for all of them.
    package mutating func apply(
        leaving: [OrderEdit],
        arriving: [OrderEdit],
        keys: UnsafeRawBufferPointer
    ) {
        // `singles` are leaves that stay one leaf; `others` become none or several, or are joined.
        var singles: [(leaf: Int, new: OrderLeaf)] = []
        var others: [(leaves: Range<Int>, new: [OrderLeaf])] = []
        singles.reserveCapacity(leaving.count + arriving.count)
        var edits = EditCursor(leaving: leaving, arriving: arriving)
        var rebuild = LeafRebuild(keys: keys)
        while let first = edits.nextLeaf {
            rebuild.removeAll()
            guard !views.isEmpty else {
                rebuild.append(first, nil, &edits)
                others.append((0..<0, rebuild.leaves()))
                continue
            }
            var last = first
            rebuild.append(first, views[first], &edits)
            while rebuild.count < Self.smallestLeafCount, last + 1 < views.count {
                last += 1
                rebuild.append(last, views[last], &edits)
            }
            if first == last, let leaf = rebuild.onlyLeaf() {
                singles.append((first, leaf))
            } else {
                others.append((first..<last + 1, rebuild.leaves()))
            }
        }
        guard others.isEmpty else { return splice(singles.map { ($0..<$0 + 1, [$1]) } + others) }
        for (leaf, new) in singles { replace(leaf, by: new) }
    }

    private mutating func replace(_ index: Int, by leaf: OrderLeaf) {
        let delta = leaf.view.count - views[index].count
        if delta != 0 { counts.add(delta, at: index) }
        owners[index] = leaf
        views[index] = leaf.view
        if !heads.replace(index, leaf.view) { heads = LeafHeads(views) }
    }

    private mutating func splice(_ replacements: [(leaves: Range<Int>, new: [OrderLeaf])]) {
        let sorted = replacements.sorted { $0.leaves.lowerBound < $1.leaves.lowerBound }
        guard sorted.count > Self.fewReplacements else { return spliceInPlace(sorted) }
        var leaves: ContiguousArray<OrderLeaf> = []
        leaves.reserveCapacity(owners.count + sorted.count)
        var next = 0
        for (old, new) in sorted {
            leaves.append(contentsOf: owners[next..<old.lowerBound])
            leaves.append(contentsOf: new)
            next = old.upperBound
        }
        leaves.append(contentsOf: owners[next...])
        self = OrderIndex(leaves)
    }

    /// The maximum number of replacements for which moving array elements is cheaper than rebuilding the arrays.
    private static let fewReplacements = 4

    private mutating func spliceInPlace(_ replacements: [(leaves: Range<Int>, new: [OrderLeaf])]) {
        var begins = true
        // From the end, so that the earlier indices stay valid.
        for (old, new) in replacements.reversed() {
            let newViews = new.map(\.view)
            owners.replaceSubrange(old, with: new)
            views.replaceSubrange(old, with: newViews)
            begins = heads.replace(old, newViews) && begins
        }
        counts = PrefixSums(views.lazy.map(\.count))
        if !begins { heads = LeafHeads(views) }
    }
}

/// A cursor that visits the edits leaf by leaf.
struct EditCursor {
    private let leaving: [OrderEdit]
    private let arriving: [OrderEdit]
    private var nextLeaving = 0
    private var nextArriving = 0

    init(leaving: [OrderEdit], arriving: [OrderEdit]) {
        self.leaving = leaving
        self.arriving = arriving
    }

    /// The leaf of the next edit; `nil` if there are no more edits.
    var nextLeaf: Int? {
        let first = nextLeaving < leaving.count ? leaving[nextLeaving].place.leaf : nil
        let second = nextArriving < arriving.count ? arriving[nextArriving].place.leaf : nil
        guard let first else { return second }
        return second.map { min($0, first) } ?? first
    }

    /// Consumes the next row that leaves a leaf.
    mutating func takeLeaving(of leaf: Int, before slot: Int) -> OrderEdit? {
        guard nextLeaving < leaving.count else { return nil }
        let edit = leaving[nextLeaving]
        guard edit.place.leaf == leaf, edit.place.slot < slot else { return nil }
        nextLeaving += 1
        return edit
    }

    /// Consumes the next row that arrives in a leaf.
    mutating func takeArriving(in leaf: Int) -> OrderEdit? {
        guard nextArriving < arriving.count, arriving[nextArriving].place.leaf == leaf else { return nil }
        nextArriving += 1
        return arriving[nextArriving - 1]
    }
}
