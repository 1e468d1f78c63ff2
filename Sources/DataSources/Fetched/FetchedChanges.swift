/// What one delivery of a fetched results controller changed, with the store's versions around it.
public struct FetchedChanges: Sendable {
    /// The minimal difference: moves, and updates of all surviving rows whose values changed, moved ones too.
    public let difference: Difference
    /// The store's version that the content had before.
    public let oldVersion: Int
    /// The store's version that the content has now.
    ///
    /// Several commits may lie between the two.
    public let newVersion: Int

    /// The difference as a change set.
    ///
    /// - Complexity: O(c) in the changes; made at each call.
    public var changeSet: ChangeSet { difference.changeSet }
}
