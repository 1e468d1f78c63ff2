/// Puts many rows of one shape into an entity, each as an array of values in one agreed order.
///
/// It belongs to the transaction that made it.
public protocol RowLoader: AnyObject {
    /// Adds a row, or makes the row that has the same key equal to it in the loader's attributes.
    ///
    /// A row that has these values already is not written.
    func put(_ values: [AttributeValue]) throws -> (id: RowID, outcome: RowOutcome)
}

/// What became of a row that was put.
public enum RowOutcome: Sendable, Hashable, CaseIterable {
    /// It was not there.
    case inserted
    /// It was there with other values.
    case updated
    /// It was there as it is.
    case unchanged
}

extension WriteTransaction {
    /// Makes a loader on the verbs that every transaction has.
    public func makeLoader(
        for entityName: String,
        attributes: [String],
        key: String?
    ) throws -> any RowLoader {
        VerbRowLoader(transaction: self, entityName: entityName, attributes: attributes, key: key)
    }
}

/// The loader of a store that has no faster way: one query and one verb a row.
private final class VerbRowLoader: RowLoader {
    private let transaction: any WriteTransaction
    private let entityName: String
    private let attributes: [String]
    private let key: String?

    init(transaction: any WriteTransaction, entityName: String, attributes: [String], key: String?) {
        self.transaction = transaction
        self.entityName = entityName
        self.attributes = attributes
        self.key = key
    }

    func put(_ values: [AttributeValue]) throws -> (id: RowID, outcome: RowOutcome) {
        guard values.count == attributes.count else {
            throw StoreError(.invalidValue, "\(values.count) values for \(attributes.count) attributes")
        }
        let named = Dictionary(zip(attributes, values)) { _, last in last }
        guard let key, let keyValue = named[key] else {
            return (try transaction.insert(into: entityName, named), .inserted)
        }
        let request = FetchRequest(
            entityName: entityName,
            predicate: .compare(key, .equal, keyValue),
            fetchLimit: 1
        )
        guard let row = try transaction.fetch(request).first else {
            return (try transaction.insert(into: entityName, named), .inserted)
        }
        if named.allSatisfy({ row[$0.key]?.compare($0.value) == 0 }) { return (row.id, .unchanged) }
        try transaction.update(entityName, id: row.id, named)
        return (row.id, .updated)
    }
}
