/// A place in a ``Slab``: a slot, and how often the slot was used before.
package struct SlabKey: Sendable, Hashable {
    /// The index of the slot; small, dense, and used again after its element is gone.
    package let slot: UInt32
    /// How many elements the slot held before.
    ///
    /// A key with another generation is stale.
    package let generation: UInt32

    /// Makes a key of its parts, as a transport does that carried them as numbers.
    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}

/// Elements under keys that are never given out twice, so that a stale key finds nothing, never another
/// element.
///
/// - Complexity: Every operation is O(1); steady use allocates nothing.
package struct Slab<Element> {
    fileprivate struct Cell {
        var element: Element?
        var generation: UInt32
    }

    private var cells: [Cell] = []
    private var free: [UInt32] = []
    /// How many elements there are.
    package private(set) var count = 0

    /// Makes an empty slab.
    package init() {}

    /// How many slots there are, used or free.
    ///
    /// Every slot of a key is below it.
    package var slotCount: Int { cells.count }

    /// Keeps an element and gives the key to it.
    package mutating func insert(_ element: Element) -> SlabKey {
        count += 1
        guard let slot = free.popLast() else {
            cells.append(Cell(element: element, generation: 0))
            return SlabKey(slot: UInt32(cells.count - 1), generation: 0)
        }
        cells[Int(slot)].element = element
        return SlabKey(slot: slot, generation: cells[Int(slot)].generation)
    }

    /// Takes an element out; its key is stale from then on.
    ///
    /// - Returns: The element, or `nil` for a key that is stale or was never given out.
    package mutating func remove(_ key: SlabKey) -> Element? {
        let slot = Int(key.slot)
        guard slot < cells.count, cells[slot].generation == key.generation,
            let element = cells[slot].element.take()
        else { return nil }
        count -= 1
        // A slot whose generations are used up is given up rather than begun again.
        if key.generation < .max {
            cells[slot].generation = key.generation + 1
            free.append(key.slot)
        }
        return element
    }

    /// The element under a key, or `nil` for a key that is stale or was never given out.
    package subscript(key: SlabKey) -> Element? {
        let slot = Int(key.slot)
        guard slot < cells.count, cells[slot].generation == key.generation else { return nil }
        return cells[slot].element
    }

    /// Puts another element in the place of one.
    ///
    /// A stale key changes nothing.
    package mutating func replace(_ key: SlabKey, _ element: Element) {
        let slot = Int(key.slot)
        guard slot < cells.count, cells[slot].generation == key.generation, cells[slot].element != nil else {
            return
        }
        cells[slot].element = element
    }

    /// The key of the element that a slot holds now, or `nil` if the slot is free.
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
