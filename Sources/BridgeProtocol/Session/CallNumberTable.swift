/// The calls that wait, by their number.
///
/// Numbers are our own, rise by one and mostly go in the order in which they came, so a number is its own
/// hash: calls lie side by side and a lookup touches one place. Nobody else chooses the numbers, so nobody
/// can make them collide.
///
/// - Complexity: Every operation is O(1) on average.
struct CallNumberTable: Sendable {
    private struct Entry {
        // 0 marks a free place; calls are counted from 1.
        var number: UInt64 = 0
        var call = OutgoingCallID(key: SlabKey(slot: 0, generation: 0))
    }

    private var entries: [Entry] = []
    private var count = 0
    private static var keptCapacity: Int { 4096 }

    /// The numbers of all calls, in their order.
    var sortedNumbers: [UInt64] {
        entries.lazy.map(\.number).filter { $0 != 0 }.sorted()
    }

    mutating func insert(_ number: UInt64, _ call: OutgoingCallID) {
        // At most half full, so that probes stay short.
        if count * 2 >= entries.count { resize(to: max(16, entries.count * 2)) }
        place(number, call)
        count += 1
    }

    /// The call with a number, if it waits.
    subscript(number: UInt64) -> OutgoingCallID? {
        find(number).map { entries[$0].call }
    }

    /// Takes a number out.
    ///
    /// One that is not there changes nothing.
    mutating func remove(_ number: UInt64) {
        guard var hole = find(number) else { return }
        count -= 1
        let mask = entries.count - 1
        // What stands behind a hole and was meant to stand at or before it moves up, so that no probe ends
        // early.
        var next = (hole + 1) & mask
        while entries[next].number != 0 {
            let home = Int(truncatingIfNeeded: entries[next].number) & mask
            if (next - home) & mask >= (next - hole) & mask {
                entries[hole] = entries[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        entries[hole].number = 0
        if count == 0, entries.count > Self.keptCapacity { entries = [] }
    }

    private func find(_ number: UInt64) -> Int? {
        guard !entries.isEmpty else { return nil }
        let mask = entries.count - 1
        var index = Int(truncatingIfNeeded: number) & mask
        while entries[index].number != number {
            guard entries[index].number != 0 else { return nil }
            index = (index + 1) & mask
        }
        return index
    }

    private mutating func place(_ number: UInt64, _ call: OutgoingCallID) {
        let mask = entries.count - 1
        var index = Int(truncatingIfNeeded: number) & mask
        while entries[index].number != 0 { index = (index + 1) & mask }
        entries[index] = Entry(number: number, call: call)
    }

    private mutating func resize(to capacity: Int) {
        let old = entries
        entries = Array(repeating: Entry(), count: capacity)
        for entry in old where entry.number != 0 { place(entry.number, entry.call) }
    }
}
