package import Stores

/// Keys of rows that are no attributes of them: what somebody's functions have made of each row.
///
/// They are further attributes, behind the row's own and behind what related rows give. A controller asks for the
/// order of all rows once, and from then on for the keys of changed rows alone: keys come from a row's own values, and
/// are computed once for each version of them. It stays with the controller's owner.
package protocol ComputedKeys: AnyObject {
    /// Why the last keys that were asked for could not be had, if they could not.
    var failure: (any Error)? { get }

    /// The keys as attributes.
    var attributes: [AttributeDescription] { get }

    /// What each key is known by where it is computed anew, in another process too; `nil` for one that nothing tells from
    /// others.
    var identities: [String?] { get }

    /// The order of all rows that belong to a plan, with their sections.
    ///
    /// It begins from nothing: all keys are computed. What related rows give to each row that matches is given with it.
    func order(
        of plan: FetchPlan,
        in transaction: any ReadTransaction,
        related: [RowID: [AttributeValue]]
    ) throws -> (order: OrderIndex, sections: OrderSections)

    /// The changes with the keys behind the values: the old ones as they were kept, the new ones computed; a row that
    /// the functions leave out is not there.
    ///
    /// - Parameters:
    ///   - changes: Rows that changed, or that others matter to.
    ///   - changed: The rows that changed themselves; the others have their keys already, if they ever had any.
    ///   - plan: What they belong to.
    /// - Returns: The extended changes.
    /// - Throws: What kept keys from being computed.
    func extend(
        _ changes: [TransactionChanges.RowChange],
        changed: Set<RowID>,
        by plan: FetchPlan
    ) throws -> [TransactionChanges.RowChange]

    /// The keys of a row, as they were computed last; `nil` where it has none, or is left out.
    func keys(of id: RowID) -> [AttributeValue]?

    /// Whether a row has keys, and is not left out.
    func hasKeys(of id: RowID) -> Bool
}
