/// Running sums of an array of counts: a Fenwick tree.
///
/// A sum, a change of one count, and a search for the count that contains a position take O(log n).
package struct PrefixSums: Sendable {
    // tree[i] is the sum of the (i & -i) counts that end at count i, counted from 1; tree[0] is unused.
    private var tree: ContiguousArray<Int>
    /// The sum of all counts.
    package private(set) var total: Int
    // The largest power of two that does not exceed the number of counts: the first step of a search.
    private var top: Int

    /// Creates the sums of counts in O(n).
    package init(_ counts: some Sequence<Int>) {
        tree = [0]
        tree.append(contentsOf: counts)
        for index in tree.indices.dropFirst() {
            let parent = index + (index & -index)
            // All children of a node precede it, so it is complete when it is added to its parent.
            if parent < tree.count { tree[parent] += tree[index] }
        }
        top = 1
        while top * 2 < tree.count { top *= 2 }
        total = 0
        total = sum(before: tree.count - 1)
    }

    /// The number of counts.
    package var count: Int { tree.count - 1 }

    /// Returns the sum of the counts before an index.
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

    /// Returns the count that contains a position, and the offset of the position in it.
    ///
    /// The position must be at least 0 and less than ``total``; counts of zero contain no position.
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
