internal import BridgeValues

/// A hash table from numbers to keys of a slab, for pending calls and open streams.
///
/// This package assigns the numbers, which increase by one. A multiplication spreads them over the table: if a number
/// were its own hash, all entries would form one run without a gap, and a removal would walk to its end. Both sides
/// assign the stored numbers in this package, so no peer can force collisions; a lookup accepts any number.
///
/// - Complexity: Every operation is O(1) on average.
struct NumberTable: Sendable {
    private struct Entry {
        var number: UInt64 = 0
        // No slab has this many slots. A number could not mark a free entry: the other side may send any.
        var key = SlabKey(slot: .max, generation: 0)

        var isFree: Bool { key.slot == .max }
    }

    private var entries: [Entry] = []
    private var count = 0
    private static var keptCapacity: Int { 4096 }

    /// All numbers, in their order.
    var sortedNumbers: [UInt64] {
        entries.lazy.filter { !$0.isFree }.map(\.number).sorted()
    }

    /// The length of the longest run of entries, which a lookup or a removal may have to walk.
    var longestRun: Int {
        guard let gap = entries.firstIndex(where: \.isFree) else { return entries.count }
        var longest = 0
        var run = 0
        for entry in entries[gap...] + entries[..<gap] {
            run = entry.isFree ? 0 : run + 1
            longest = max(longest, run)
        }
        return longest
    }

    mutating func insert(_ number: UInt64, _ key: SlabKey) {
        // At most half full, so that probes stay short.
        if count * 2 >= entries.count { resize(to: max(16, entries.count * 2)) }
        place(number, key)
        count += 1
    }

    /// Returns the key under a number, if there is one.
    subscript(number: UInt64) -> SlabKey? {
        find(number).map { entries[$0].key }
    }

    /// Removes a number.
    ///
    /// An unknown number has no effect.
    mutating func remove(_ number: UInt64) {
        guard var hole = find(number) else { return }
        count -= 1
        let mask = entries.count - 1
        // An entry behind the hole whose home is at or before the hole moves up, so that no probe ends early.
        var next = (hole + 1) & mask
        while !entries[next].isFree {
            let home = home(of: entries[next].number)
            if (next - home) & mask >= (next - hole) & mask {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        entries[hole] = Entry()
        if count == 0, entries.count > Self.keptCapacity { entries = [] }
    }

    /// Returns the preferred index of a number: the highest bits of its product with 2^64 divided by the golden ratio,
    /// which spreads successive numbers as far apart as possible.
    private func home(of number: UInt64) -> Int {
        Int(
            truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15)
                >> UInt64(entries.count.leadingZeroBitCount + 1)
        )
    }

    private func find(_ number: UInt64) -> Int? {
        guard !entries.isEmpty else { return nil }
        let mask = entries.count - 1
        var index = home(of: number)
        while !entries[index].isFree {
            if entries[index].number == number { return index }
            index = (index + 1) & mask
        }
        return nil
    }

    private mutating func place(_ number: UInt64, _ key: SlabKey) {
        let mask = entries.count - 1
        var index = home(of: number)
        while !entries[index].isFree { index = (index + 1) & mask }
        entries[index] = Entry(number: number, key: key)
    }

    private mutating func resize(to capacity: Int) {
        let old = entries
        entries = Array(repeating: Entry(), count: capacity)
        for entry in old where !entry.isFree { place(entry.number, entry.key) }
    }
}

/// A table from the ids of the peer to keys of a slab: numbers in the direct transport, strings in the text transport.
struct IdentifierTable: Sendable {
    private var numbers = NumberTable()
    private var texts: [ByteEqualString: SlabKey] = [:]

    /// Returns the key under an id, if there is one.
    subscript(id: MessageID) -> SlabKey? {
        switch id {
        case .number(let number): numbers[number]
        case .text(let text): texts[ByteEqualString(text)]
        }
    }

    /// Adds a key; if a peer uses an id twice, the later one counts.
    mutating func insert(_ id: MessageID, _ key: SlabKey) {
        switch id {
        case .number(let number):
            numbers.remove(number)
            numbers.insert(number, key)
        case .text(let text): texts[ByteEqualString(text)] = key
        }
    }

    /// Removes an id, unless it refers to another key now.
    mutating func remove(_ id: MessageID, _ key: SlabKey) {
        guard self[id] == key else { return }
        switch id {
        case .number(let number): numbers.remove(number)
        case .text(let text): texts[ByteEqualString(text)] = nil
        }
    }
}
