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
    /// Creates a loader that uses the methods of the transaction: one query and one change for each row.
    public func makeLoader(
        for entityName: String,
        attributes: [String],
        key: String?
    ) throws -> any RowLoader {
        NamedRowLoader(attributes: attributes) { values in
            guard let key, let keyValue = values[key] else {
                return (try self.insert(into: entityName, values), .inserted)
            }
            let request = FetchRequest(
                entityName: entityName,
                predicate: .compare(key, .equal, keyValue),
                fetchLimit: 1
            )
            guard let row = try self.fetch(request).first else {
                return (try self.insert(into: entityName, values), .inserted)
            }
            if values.allSatisfy({ row[$0.key]?.compare($0.value) == 0 }) { return (row.id, .unchanged) }
            try self.update(entityName, id: row.id, values)
            return (row.id, .updated)
        }
    }
}

/// A loader that puts each row as a dictionary of its values by name.
package final class NamedRowLoader: RowLoader {
    /// A closure that puts one row.
    package typealias Put = ([String: AttributeValue]) throws -> (id: RowID, outcome: RowOutcome)

    private let attributes: [String]
    private let putNamed: Put

    /// Creates a loader.
    package init(attributes: [String], put: @escaping Put) {
        self.attributes = attributes
        putNamed = put
    }

    /// Puts the row with values in the order of the attributes.
    package func put(_ values: [AttributeValue]) throws -> (id: RowID, outcome: RowOutcome) {
        guard values.count == attributes.count else {
            throw StoreError(.invalidValue, "\(values.count) values for \(attributes.count) attributes")
        }
        return try putNamed(Dictionary(zip(attributes, values)) { _, last in last })
    }
}
