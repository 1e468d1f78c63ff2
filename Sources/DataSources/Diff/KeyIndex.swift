/// Finds the position of a key in a packed array: by direct address where the keys are dense, else by open
/// addressing.
///
/// The multiplier is a random odd number, made once a process, so that nobody outside can choose keys that
/// collide. It never changes a result, only where a key is kept.
struct KeyIndex: ~Copyable {
    private static let processMultiplier = UInt64.random(in: .min ... .max) | 1

    private let keys: UnsafePointer<Int64>
    private let slots: UnsafeMutablePointer<Int32>
    private let slotCount: Int
    // Direct address: the smallest key. Open addressing: nil.
    private let base: Int64?
    private let shift: UInt64
    private let multiplier = Self.processMultiplier

    /// Makes an empty index over keys that will be at the given positions.
    ///
    /// - Parameters:
    ///   - keys: The packed array; it must outlive the index.
    ///   - ranges: Where the keys stand that will be inserted.
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
        // Direct address costs no probes; it may take a little more room than open addressing would.
        let isDense = span < 4 << bits
        self.keys = keys
        base = isDense ? low : nil
        slotCount = isDense ? Int(span) + 1 : 1 << Int(bits)
        shift = 64 - bits
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: -1, count: slotCount)
    }

    deinit { slots.deallocate() }

    /// Inserts the key at a position, or gives the position that has the same key already.
    @inline(__always)
    func insert(_ position: Int) -> Int? {
        let slot = slot(of: keys[position])
        // In direct address the slot is always there: `ranges` had the key.
        guard slots[slot] < 0 else { return Int(slots[slot]) }
        slots[slot] = Int32(truncatingIfNeeded: position)
        return nil
    }

    /// The position of a key, or -1.
    @inline(__always)
    func position(of key: Int64) -> Int {
        // A key below the base wraps round to a number above every slot.
        if let base, UInt64(bitPattern: key &- base) >= UInt64(slotCount) { return -1 }
        return Int(slots[slot(of: key)])
    }

    /// The slot that has a key, or the empty one where it would be.
    @inline(__always)
    private func slot(of key: Int64) -> Int {
        if let base { return Int(truncatingIfNeeded: key &- base) }
        let mask = slotCount - 1
        var slot = Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* multiplier) >> shift)
        while slots[slot] >= 0, keys[Int(slots[slot])] != key { slot = (slot + 1) & mask }
        return slot
    }
}
