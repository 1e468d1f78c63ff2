/// A FIFO queue that keeps its memory in steady use: a ring that doubles when it is full.
///
/// Other modules specialize it: unspecialized it was 8 % of a request with data.
///
/// - Complexity: Appending is O(1) amortized, removal is O(1).
package struct FIFOQueue<Element> {
    // A power of two slots, so that the index wraps with a mask. Raw memory instead of optionals was measured: no gain.
    @usableFromInline var ring: [Element?] = []
    @usableFromInline var head = 0
    /// The number of elements.
    @inlinable package var count: Int { size }
    @usableFromInline var size = 0
    // After a flood the memory is released; up to this capacity it is kept for the next turn.
    @usableFromInline static var keptCapacity: Int { 4096 }

    /// Creates an empty queue.
    @inlinable package init() {}

    /// A Boolean value that indicates whether the queue is empty.
    @inlinable package var isEmpty: Bool { count == 0 }

    /// The first element; `nil` if the queue is empty.
    @inlinable package var first: Element? { count > 0 ? ring[head] : nil }

    /// Appends an element.
    @inlinable
    package mutating func append(_ element: Element) {
        if count == ring.count { grow() }
        ring[(head + count) & (ring.count - 1)] = element
        size += 1
    }

    /// Removes and returns the first element; `nil` if the queue is empty.
    @inlinable
    package mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = ring[head].take()
        head = (head + 1) & (ring.count - 1)
        size -= 1
        if count == 0, ring.count > Self.keptCapacity {
            ring = []
            head = 0
        }
        return element
    }

    /// Removes all elements and returns them in their order.
    @inlinable
    package mutating func removeAll() -> [Element] {
        var all: [Element] = []
        all.reserveCapacity(count)
        while let element = popFirst() { all.append(element) }
        return all
    }

    @usableFromInline
    mutating func grow() {
        let capacity = max(16, ring.count * 2)
        var larger: [Element?] = []
        larger.reserveCapacity(capacity)
        for offset in 0..<count { larger.append(ring[(head + offset) & (ring.count - 1)].take()) }
        while larger.count < capacity { larger.append(nil) }
        ring = larger
        head = 0
    }
}

extension FIFOQueue: Sendable where Element: Sendable {}
