package import Stores

/// Sort and section keys that are not attributes of a row but results of functions of each row.
///
/// They are additional attributes, after the row's own and after those from related rows. A controller requests the
/// order of all rows once, and afterwards only the keys of changed rows. Keys depend on a row's own values and are
/// computed once for each version of them. The object is used on the isolation of the controller's owner.
package protocol ComputedKeys: AnyObject {
    /// The reason why the last requested keys could not be computed, if they could not.
    var failure: (any Error)? { get }

    /// The keys as attributes.
    var attributes: [AttributeDescription] { get }

    /// A stable identity of each key's function, the same in another process; `nil` for a function without one.
    var identities: [String?] { get }

    /// Returns the order of all rows of a plan, with their sections.
    ///
    /// All keys are computed again. `related` has the values that related rows give to each matching row.
    func order(
        of plan: FetchPlan,
        in transaction: any ReadTransaction,
        related: [RowID: [AttributeValue]]
    ) throws -> (order: OrderIndex, sections: OrderSections)

    /// Returns the changes with the keys after the values: the cached keys for the old values, computed ones for the
    /// new.
    ///
    /// A row that the functions leave out is not in the result.
    ///
    /// - Parameters:
    ///   - changes: The rows that changed, or that depend on changed rows.
    ///   - changed: The rows that changed themselves. The others already have keys, if they ever had any.
    ///   - plan: The plan of the fetch.
    /// - Returns: The extended changes.
    /// - Throws: The error of the computation of the keys.
    func extend(
        _ changes: [TransactionChanges.RowChange],
        changed: Set<RowID>,
        by plan: FetchPlan
    ) throws -> [TransactionChanges.RowChange]

    /// Returns the keys of a row as last computed, or `nil` if it has none or is left out.
    func keys(of id: RowID) -> [AttributeValue]?

    /// Returns whether a row has keys and is not left out.
    func hasKeys(of id: RowID) -> Bool
}
