extension TransactionChanges.RowChange {
    /// Folds changes, in the order in which they were made, into one for each row: its first old values and its last
    /// new ones.
    ///
    /// Rows that end as they began are omitted. Values are compared by ``AttributeValue``'s `==`, as
    /// ``AttributeValue/compare(_:)`` does for values of one kind.
    ///
    /// - Returns: The changes in ascending order of row id.
    package static func fold(_ changes: [Self]) -> [Self] {
        let isAscending = zip(changes, changes.dropFirst()).allSatisfy { $0.id < $1.id }
        return (isAscending ? changes : joined(changes)).filter { $0.old != $0.new }
    }

    private static func joined(_ changes: [Self]) -> [Self] {
        var result: [Self] = []
        var positions: [RowID: Int] = [:]
        for change in changes {
            if let position = positions[change.id] {
                result[position] = Self(id: change.id, old: result[position].old, new: change.new)
            } else {
                positions[change.id] = result.count
                result.append(change)
            }
        }
        return result.sorted { $0.id < $1.id }
    }
}
