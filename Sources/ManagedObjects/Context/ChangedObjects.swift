/// The objects of a context that the next save inserts, updates or deletes, by row.
///
/// A context retains these objects. No object is in two of the sets.
struct ChangedObjects {
    private(set) var inserted: [RowKey: ManagedObject] = [:]
    private(set) var updated: [RowKey: ManagedObject] = [:]
    private(set) var deleted: [RowKey: ManagedObject] = [:]

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// The numbers of the entities of the changed objects.
    var entities: Set<Int> {
        var numbers: Set<Int> = []
        for row in inserted.keys { numbers.insert(row.entity) }
        for row in updated.keys { numbers.insert(row.entity) }
        for row in deleted.keys { numbers.insert(row.entity) }
        return numbers
    }

    /// Adds a new object.
    mutating func insert(_ object: ManagedObject) { inserted[object.row] = object }

    /// Records whether a saved object has changes.
    mutating func setUpdated(_ object: ManagedObject, _ isUpdated: Bool) {
        updated[object.row] = isUpdated ? object : nil
    }

    /// Removes a new object that will not be saved.
    mutating func removeInserted(_ object: ManagedObject) {
        updated[object.row] = nil
        inserted[object.row] = nil
    }

    /// Moves a saved object to those that will be deleted.
    mutating func delete(_ object: ManagedObject) {
        updated[object.row] = nil
        deleted[object.row] = object
    }

    /// Removes and returns an object that will not be deleted after all; `nil` if it was not deleted.
    mutating func takeDeleted(_ row: RowKey) -> ManagedObject? { deleted.removeValue(forKey: row) }

    /// Enters saved objects under their present rows, after temporary identities were replaced.
    mutating func updateRows() {
        updated = updated.byPresentRow
        deleted = deleted.byPresentRow
    }
}

extension [RowKey: ManagedObject] {
    /// The same objects by the rows that they have now.
    var byPresentRow: Self { Self(uniqueKeysWithValues: values.map { ($0.row, $0) }) }
}
