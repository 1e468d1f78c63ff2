/// A row that leaves an order, or one that arrives in it.
package struct OrderEdit {
    /// Where the row's key is, in the bytes that are given with the edits.
    package let key: Range<Int>
    /// The row's id.
    package let id: RowID
    /// Where the row is, or where it will stand among those that are there before the edits.
    package let place: OrderPlace

    /// Makes an edit.
    package init(key: Range<Int>, id: RowID, place: OrderPlace) {
        self.key = key
        self.id = id
        self.place = place
    }
}

extension OrderIndex {
    /// Takes rows out and puts rows in, in one step.
    ///
    /// - Parameters:
    ///   - leaving: The rows that leave, in the order of their positions, each of them found.
    ///   - arriving: The rows that arrive, in their order.
    ///   - keys: What the edits' keys are ranges of.
    /// - Complexity: O(k) in the edits, each with a copy of a leaf; where leaves are split or joined, O(n / 128)
    ///   once for all of them.
    package mutating func apply(
        leaving: [OrderEdit],
        arriving: [OrderEdit],
        keys: UnsafeRawBufferPointer
    ) {
        var replacements: [(leaves: Range<Int>, new: [OrderLeaf])] = []
        var hasNewShape = false
        var edits = EditCursor(leaving: leaving, arriving: arriving)
        while let first = edits.nextLeaf {
            var rebuild = LeafRebuild(keys: keys)
            var last = first
            rebuild.append(first, views.isEmpty ? nil : views[first], &edits)
            while rebuild.count < Self.smallestLeafCount, last + 1 < views.count {
                last += 1
                rebuild.append(last, views[last], &edits)
            }
            let old = views.isEmpty ? 0..<0 : first..<last + 1
            let new = rebuild.leaves()
            if new.count != 1 || old.count != 1 { hasNewShape = true }
            replacements.append((old, new))
        }
        if hasNewShape {
            splice(replacements)
        } else {
            for (leaves, new) in replacements { replace(leaves.lowerBound, by: new[0]) }
        }
    }

    private mutating func replace(_ index: Int, by leaf: OrderLeaf) {
        let delta = leaf.view.count - views[index].count
        if delta != 0 { counts.add(delta, at: index) }
        owners[index] = leaf
        views[index] = leaf.view
    }

    private mutating func splice(_ replacements: [(leaves: Range<Int>, new: [OrderLeaf])]) {
        var leaves: ContiguousArray<OrderLeaf> = []
        leaves.reserveCapacity(owners.count + replacements.count)
        var next = 0
        for (old, new) in replacements {
            leaves.append(contentsOf: owners[next..<old.lowerBound])
            leaves.append(contentsOf: new)
            next = old.upperBound
        }
        leaves.append(contentsOf: owners[next...])
        self = OrderIndex(leaves)
    }
}

/// Walks the edits leaf by leaf.
struct EditCursor {
    private let leaving: [OrderEdit]
    private let arriving: [OrderEdit]
    private var nextLeaving = 0
    private var nextArriving = 0

    init(leaving: [OrderEdit], arriving: [OrderEdit]) {
        self.leaving = leaving
        self.arriving = arriving
    }

    /// The leaf of the next edit.
    var nextLeaf: Int? {
        let first = nextLeaving < leaving.count ? leaving[nextLeaving].place.leaf : nil
        let second = nextArriving < arriving.count ? arriving[nextArriving].place.leaf : nil
        guard let first else { return second }
        return second.map { min($0, first) } ?? first
    }

    /// Takes the next row that leaves a leaf.
    mutating func takeLeaving(of leaf: Int, before slot: Int) -> OrderEdit? {
        guard nextLeaving < leaving.count else { return nil }
        let edit = leaving[nextLeaving]
        guard edit.place.leaf == leaf, edit.place.slot < slot else { return nil }
        nextLeaving += 1
        return edit
    }

    /// Takes the next row that arrives in a leaf.
    mutating func takeArriving(in leaf: Int) -> OrderEdit? {
        guard nextArriving < arriving.count, arriving[nextArriving].place.leaf == leaf else { return nil }
        nextArriving += 1
        return arriving[nextArriving - 1]
    }
}
