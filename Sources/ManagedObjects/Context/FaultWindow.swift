internal import Stores

/// A group of faults from one fetch.
///
/// Accessing one fault reads a whole batch of them.
final class FaultWindow {
    let keys: [Int64]
    let batchSize: Int

    init(_ keys: [Int64], batchSize: Int) {
        self.keys = keys
        self.batchSize = batchSize
    }

    /// The rows read for keys without an object, for one generation of the context.
    private var kept: (generation: Int, rows: [Int64: [AttributeValue]]) = (0, [:])
    /// The windows of the objects that a batch refers to by an attribute.
    private var targets: [TargetKey: FaultWindow] = [:]

    private struct TargetKey: Hashable {
        let batch: Int
        let attribute: Int
    }

    /// Returns the batch that contains an index.
    func batch(at index: Int) -> ArraySlice<Int64> {
        let start = index / batchSize * batchSize
        return keys[start..<min(start + batchSize, keys.count)]
    }

    /// Returns the window of the objects that a batch refers to by an attribute.
    ///
    /// If no window contains `key` yet, it is created from the keys that `find` returns.
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

    /// Stores a row for a key that has no object yet.
    func keep(_ values: [AttributeValue], of key: Int64, generation: Int) {
        if kept.generation != generation { kept = (generation, [:]) }
        kept.rows[key] = values
    }

    /// Removes and returns a row that was stored in the same generation of the context.
    func takeRow(of key: Int64, generation: Int) -> [AttributeValue]? {
        kept.generation == generation ? kept.rows.removeValue(forKey: key) : nil
    }
}

/// A weak reference from a context to an object.
struct WeakObject {
    weak var object: ManagedObject?
}
