/// Faults that came together: the first that is touched has a whole batch of them read.
final class FaultWindow {
    let keys: [Int64]
    let batchSize: Int

    init(_ keys: [Int64], batchSize: Int) {
        self.keys = keys
        self.batchSize = batchSize
    }

    /// The rows that were read for objects which nobody has yet, at a state of the context.
    private var kept: (generation: Int, rows: [Int64: [AttributeValue]]) = (0, [:])
    /// What the objects of a batch lead to by an attribute.
    private var targets: [TargetKey: FaultWindow] = [:]

    private struct TargetKey: Hashable {
        let batch: Int
        let attribute: Int
    }

    /// The batch that a place is in.
    func batch(at index: Int) -> ArraySlice<Int64> {
        let start = index / batchSize * batchSize
        return keys[start..<min(start + batchSize, keys.count)]
    }

    /// The window of what a batch leads to by an attribute, made of the keys that a body finds where it does not
    /// have one yet with a key.
    func targets(
        at index: Int,
        _ attribute: Int,
        with key: Int64,
        _ find: () throws -> [Int64]
    ) rethrows -> FaultWindow {
        let place = TargetKey(batch: index / batchSize, attribute: attribute)
        if let window = targets[place], window.keys.contains(key) { return window }
        let keys = try find()
        let window = FaultWindow(keys, batchSize: max(1, keys.count))
        targets[place] = window
        return window
    }

    /// Keeps a row for an object that nobody has yet.
    func keep(_ values: [AttributeValue], of key: Int64, generation: Int) {
        if kept.generation != generation { kept = (generation, [:]) }
        kept.rows[key] = values
    }

    /// Gives a row that was kept at the same state of the context.
    func takeRow(of key: Int64, generation: Int) -> [AttributeValue]? {
        kept.generation == generation ? kept.rows.removeValue(forKey: key) : nil
    }
}

/// An object that its context must not keep alive.
struct WeakObject {
    weak var object: ManagedObject?
}
