/// A loader that writes many rows of an entity, each as an array of values in a fixed order.
///
/// It is valid only during the transaction that created it.
public protocol RowLoader: AnyObject {
    /// Inserts a row, or updates the row that has the same key.
    ///
    /// A row that already has these values is not written.
    func put(_ values: [AttributeValue]) throws -> (id: RowID, outcome: RowOutcome)
}

/// The outcome of a row that was passed to a loader.
public enum RowOutcome: Sendable, Hashable, CaseIterable {
    /// The row was inserted.
    case inserted
    /// The row existed with other values and was updated.
    case updated
    /// The row existed with the same values.
    case unchanged
}

extension WriteTransaction {
    /// Creates a loader that uses the methods of the transaction.
    public func makeLoader(
        for entityName: String,
        attributes: [String],
        key: String?
    ) throws -> any RowLoader {
        VerbRowLoader(transaction: self, entityName: entityName, attributes: attributes, key: key)
    }
}

/// The default loader: it runs one query and one change per row.
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
