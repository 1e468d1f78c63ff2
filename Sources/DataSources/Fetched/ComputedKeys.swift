package import Stores

/// Keys of rows that are no attributes of them: what somebody's functions have made of each row.
///
/// They are attributes of an entity that has more of them than the store's, at the end. A controller asks for the
/// order of all rows once, and from then on for the keys of changed rows alone. It stays with the controller's owner.
package protocol ComputedKeys: AnyObject {
    /// Why the last keys that were asked for could not be had, if they could not.
    var failure: (any Error)? { get }

    /// The entity with the keys as further attributes.
    func extended(_ entity: EntityDescription) -> EntityDescription

    /// The order of all rows that belong to a plan, with their sections.
    ///
    /// It begins from nothing: all keys are computed.
    func order(of plan: FetchPlan, in transaction: any ReadTransaction) throws
        -> (order: OrderIndex, sections: OrderSections)

    /// The changes with the keys behind the values: the old ones as they were kept, the new ones computed; a row that
    /// the functions leave out is not there.
    func extend(_ changes: [TransactionChanges.RowChange], by plan: FetchPlan) throws
        -> [TransactionChanges.RowChange]

    /// The keys of a row, as they were computed last; `nil` where it has none.
    func keys(of id: RowID) -> [AttributeValue]?
}
