/// Counts in a row, with their running sums: a Fenwick tree.
///
/// A sum, a change of one count and the search for the count that holds a position are O(log n).
package struct PrefixSums: Sendable {
    // tree[i] is the sum of the (i & -i) counts that end at count i, counted from 1; tree[0] is not used.
    private var tree: ContiguousArray<Int>
    /// The sum of all counts.
    package private(set) var total: Int
    // The largest power of two that is not above the number of counts: where a search begins.
    private var top: Int

    /// Makes the sums of counts, in O(n).
    package init(_ counts: some Sequence<Int>) {
        tree = [0]
        tree.append(contentsOf: counts)
        for index in tree.indices.dropFirst() {
            let parent = index + (index & -index)
            // All that a node sums up stands before it, so that it is complete when it is handed on.
            if parent < tree.count { tree[parent] += tree[index] }
        }
        top = 1
        while top * 2 < tree.count { top *= 2 }
        total = 0
        total = sum(before: tree.count - 1)
    }

    /// How many counts there are.
    package var count: Int { tree.count - 1 }

    /// The sum of the counts before an index.
    package func sum(before index: Int) -> Int {
        var sum = 0
        var node = index
        while node > 0 {
            sum += tree[node]
            node &= node - 1
        }
        return sum
    }

    /// Changes one count.
    package mutating func add(_ delta: Int, at index: Int) {
        total += delta
        var node = index + 1
        while node < tree.count {
            tree[node] += delta
            node += node & -node
        }
    }

    /// The count that holds a position, and how far into it the position is.
    ///
    /// The position is not negative and less than ``total``; counts of zero hold nothing.
    package func find(_ position: Int) -> (index: Int, offset: Int) {
        var node = 0
        var rest = position
        var step = top
        while step > 0 {
            let next = node + step
            if next < tree.count, tree[next] <= rest {
                node = next
                rest -= tree[next]
            }
            step /= 2
        }
        return (node, rest)
    }
}
