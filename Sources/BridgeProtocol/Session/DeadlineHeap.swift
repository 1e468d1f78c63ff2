/// The deadlines of calls, earliest first; of two that are equal, the older call's.
///
/// A slot has at most one deadline. Its position in the heap is stored beside it, so an answered call removes its
/// deadline immediately. The heap never holds more entries than there are pending calls.
///
/// - Complexity: The earliest is O(1), insertion and removal are O(log n).
struct DeadlineHeap: Sendable {
    private struct Node {
        let deadline: Duration
        let order: UInt64
        let slot: UInt32

        static func < (left: Node, right: Node) -> Bool {
            left.deadline != right.deadline ? left.deadline < right.deadline : left.order < right.order
        }
    }

    private var nodes: [Node] = []
    // The position of each slot's node, or -1.
    private var positions: [Int32] = []

    var count: Int { nodes.count }
    var earliest: (deadline: Duration, slot: UInt32)? { nodes.first.map { ($0.deadline, $0.slot) } }

    mutating func insert(slot: UInt32, deadline: Duration, order: UInt64) {
        while positions.count <= Int(slot) { positions.append(-1) }
        precondition(positions[Int(slot)] < 0, "A slot of the deadline heap was used twice.")
        nodes.append(Node(deadline: deadline, order: order, slot: slot))
        positions[Int(slot)] = Int32(nodes.count - 1)
        siftUp(nodes.count - 1)
    }

    /// Removes the deadline of a slot.
    ///
    /// A slot without one has no effect.
    mutating func remove(slot: UInt32) {
        guard Int(slot) < positions.count, positions[Int(slot)] >= 0 else { return }
        let hole = Int(positions[Int(slot)])
        positions[Int(slot)] = -1
        let last = nodes.removeLast()
        guard hole < nodes.count else { return }
        place(last, at: hole)
        siftUp(hole)
        siftDown(hole)
    }

    /// Returns the key of the entry whose deadline passed first, if any has passed.
    mutating func firstOverdue<Entry>(now: Duration, in entries: Slab<Entry>) -> SlabKey? {
        while let (deadline, slot) = earliest, deadline <= now {
            if let key = entries.key(atSlot: slot) { return key }
            // Cannot happen, because a removed entry removes its deadline; but a heap that does not shrink would make
            // its reader loop forever.
            remove(slot: slot)
        }
        return nil
    }

    private mutating func place(_ node: Node, at index: Int) {
        nodes[index] = node
        positions[Int(node.slot)] = Int32(index)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        let node = nodes[index]
        while index > 0, node < nodes[(index - 1) / 2] {
            place(nodes[(index - 1) / 2], at: index)
            index = (index - 1) / 2
        }
        if index != start { place(node, at: index) }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        let node = nodes[index]
        while true {
            var child = 2 * index + 1
            guard child < nodes.count else { break }
            if child + 1 < nodes.count, nodes[child + 1] < nodes[child] { child += 1 }
            guard nodes[child] < node else { break }
            place(nodes[child], at: index)
            index = child
        }
        if index != start { place(node, at: index) }
    }
}
