/// Faults that came together: the first that is touched has a whole batch of them read.
final class FaultWindow {
    let keys: [Int64]
    let batchSize: Int

    init(_ keys: [Int64], batchSize: Int) {
        self.keys = keys
        self.batchSize = batchSize
    }

    /// The batch that a place is in.
    func batch(at index: Int) -> ArraySlice<Int64> {
        let start = index / batchSize * batchSize
        return keys[start..<min(start + batchSize, keys.count)]
    }
}

/// An object that its context must not keep alive.
struct WeakObject {
    weak var object: ManagedObject?
}
