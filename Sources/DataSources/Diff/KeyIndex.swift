/// An index from keys to positions in a packed array: by direct address if the keys are dense, else by open addressing.
///
/// The multiplier is a random odd number, chosen once per process, so that no input can be chosen to collide. It
/// affects only the slot of a key, never a result.
struct KeyIndex: ~Copyable {
    private static let processMultiplier = UInt64.random(in: .min ... .max) | 1

    private let keys: UnsafePointer<Int64>
    private let slots: UnsafeMutablePointer<Int32>
    private let slotCount: Int
    // The smallest key if slots are addressed directly; nil for open addressing.
    private let base: Int64?
    private let shift: UInt64
    private let multiplier = Self.processMultiplier

    /// Creates an empty index over keys at the given positions.
    ///
    /// - Parameters:
    ///   - keys: The packed array; it must outlive the index.
    ///   - ranges: The positions of the keys that will be inserted.
    init(over keys: UnsafePointer<Int64>, ranges: [Range<Int>]) {
        var count = 0
        var low = Int64.max
        var high = Int64.min
        for range in ranges {
            count += range.count
            for position in range {
                low = min(low, keys[position])
                high = max(high, keys[position])
            }
        }
        // The difference of two Int64 always fits into UInt64.
        let span = count == 0 ? 0 : UInt64(bitPattern: high &- low)
        let bits = UInt64(max(4, Int.bitWidth - (count * 2).leadingZeroBitCount))
        // Direct address needs no probes; it may take a little more memory than open addressing would.
        let isDense = span < 4 << bits
        self.keys = keys
        base = isDense ? low : nil
        slotCount = isDense ? Int(span) + 1 : 1 << Int(bits)
        shift = 64 - bits
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: -1, count: slotCount)
    }

    deinit { slots.deallocate() }

    /// Inserts the key at a position, or returns the position that already has the same key.
    @inline(__always)
    func insert(_ position: Int) -> Int? {
        let slot = slot(of: keys[position])
        // With direct addresses the slot always exists, because `ranges` had the key.
        guard slots[slot] < 0 else { return Int(slots[slot]) }
        slots[slot] = Int32(truncatingIfNeeded: position)
        return nil
    }

    /// Returns the position of a key, or -1.
    @inline(__always)
    func position(of key: Int64) -> Int {
        // A key below the base wraps around to a number above every slot.
        if let base, UInt64(bitPattern: key &- base) >= UInt64(slotCount) { return -1 }
        return Int(slots[slot(of: key)])
    }

    /// Returns the slot of a key, or the empty slot where it would be inserted.
    @inline(__always)
    private func slot(of key: Int64) -> Int {
        if let base { return Int(truncatingIfNeeded: key &- base) }
        let mask = slotCount - 1
        var slot = Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* multiplier) >> shift)
        while slots[slot] >= 0, keys[Int(slots[slot])] != key { slot = (slot + 1) & mask }
        return slot
    }
}
