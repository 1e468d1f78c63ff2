/// The checks of a virtual machine's heap, of which one runs at a time.
///
/// A check runs code of the engine, which may use the machine and ask for another check. The check therefore works with
/// a copy of the guard, and a nested one is refused.
struct HeapWatch {
    private var heap: HeapGuard
    private var lastLook: UInt64 = 0
    /// A Boolean value that indicates whether a check is running.
    private(set) var isLooking = false

    init(limit: Int?) { heap = HeapGuard(limit: limit) }

    /// The number of bytes that the heap may hold; `nil` means no limit.
    var limit: Int? {
        get { heap.limit }
        set { heap.limit = newValue }
    }

    /// Returns whether an interval has passed since the last look.
    func isDue(at now: UInt64, every interval: UInt64) -> Bool { now &- lastLook > interval }

    /// Records a look at the heap, whether or not it begins a check.
    mutating func noteLook(at now: UInt64) { lastLook = now }

    /// Begins a check.
    ///
    /// - Returns: The guard to check with and to pass to ``end(_:)``; `nil` without a limit, or while a check is running.
    mutating func begin() -> HeapGuard? {
        guard !isLooking, heap.limit != nil else { return nil }
        isLooking = true
        return heap
    }

    /// Ends the check that ``begin()`` began.
    mutating func end(_ heap: HeapGuard) {
        self.heap = heap
        isLooking = false
    }
}
