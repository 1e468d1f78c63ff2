/// A key in a ``Slab``: a slot, and the number of previous uses of the slot.
package struct SlabKey: Sendable, Hashable {
    /// The index of the slot; small, dense, and reused after its element is removed.
    package let slot: UInt32
    /// The number of elements that the slot held before.
    ///
    /// A key with another generation is stale.
    package let generation: UInt32

    /// Creates a key from its parts, for transports that carry them as numbers.
    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}

/// A table of elements with unique keys, so that a stale key finds nothing, never another element.
///
/// - Complexity: Every operation is O(1); steady use allocates nothing.
package struct Slab<Element> {
    fileprivate struct Cell {
        var element: Element?
        var generation: UInt32
    }

    private var cells: [Cell] = []
    private var free: [UInt32] = []
    /// The number of elements.
    package private(set) var count = 0

    /// Creates an empty slab.
    package init() {}

    /// The number of slots, used or free.
    ///
    /// The slot of every key is less than this.
    package var slotCount: Int { cells.count }

    /// Stores an element and returns its key.
    package mutating func insert(_ element: Element) -> SlabKey {
        count += 1
        guard let slot = free.popLast() else {
            cells.append(Cell(element: element, generation: 0))
            return SlabKey(slot: UInt32(cells.count - 1), generation: 0)
        }
        cells[Int(slot)].element = element
        return SlabKey(slot: slot, generation: cells[Int(slot)].generation)
    }

    /// Removes an element; its key is stale from then on.
    ///
    /// - Returns: The element, or `nil` for a key that is stale or was never returned.
    package mutating func remove(_ key: SlabKey) -> Element? {
        let slot = Int(key.slot)
        guard slot < cells.count, cells[slot].generation == key.generation,
            let element = cells[slot].element.take()
        else { return nil }
        count -= 1
        // A slot whose generations are exhausted is not used again.
        if key.generation < .max {
            cells[slot].generation = key.generation + 1
            free.append(key.slot)
        }
        return element
    }

    /// Returns the element of a key, or `nil` for a key that is stale or was never returned.
    package subscript(key: SlabKey) -> Element? {
        let slot = Int(key.slot)
        guard slot < cells.count, cells[slot].generation == key.generation else { return nil }
        return cells[slot].element
    }

    /// Replaces an element.
    ///
    /// Does nothing for a stale key.
    package mutating func replace(_ key: SlabKey, _ element: Element) {
        let slot = Int(key.slot)
        guard slot < cells.count, cells[slot].generation == key.generation, cells[slot].element != nil else {
            return
        }
        cells[slot].element = element
    }

    /// Returns the key of a slot's current element, or `nil` if the slot is free.
    package func key(atSlot slot: UInt32) -> SlabKey? {
        guard Int(slot) < cells.count, cells[Int(slot)].element != nil else { return nil }
        return SlabKey(slot: slot, generation: cells[Int(slot)].generation)
    }

    /// The keys of all elements, in the order of their slots.
    package var keys: [SlabKey] {
        cells.indices.compactMap { key(atSlot: UInt32($0)) }
    }
}

extension Slab: Sendable where Element: Sendable {}
extension Slab.Cell: Sendable where Element: Sendable {}
