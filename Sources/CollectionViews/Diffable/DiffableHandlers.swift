public import DataSources

/// The closures of a diffable data source for items that the user expands and collapses.
public struct DiffableSectionSnapshotHandlers<ItemID: Hashable> {
    /// A closure that returns whether an item may be expanded; `nil` for always.
    public var shouldExpandItem: ((ItemID) -> Bool)?
    /// A closure that is called before an item is expanded.
    public var willExpandItem: ((ItemID) -> Void)?
    /// A closure that returns whether an item may be collapsed; `nil` for always.
    public var shouldCollapseItem: ((ItemID) -> Bool)?
    /// A closure that is called before an item is collapsed.
    public var willCollapseItem: ((ItemID) -> Void)?
    /// A closure that returns the children of an item when it is expanded, given its present ones; `nil` to keep them.
    public var snapshotForExpandingParent:
        (
            (ItemID, DiffableDataSourceSectionSnapshot<ItemID>) -> DiffableDataSourceSectionSnapshot<ItemID>
        )?

    /// Creates handlers that allow everything.
    public init() {}
}

/// The closures of a diffable data source for items that the user moves.
public struct DiffableReorderingHandlers<SectionID: Hashable, ItemID: Hashable> {
    /// A closure that returns whether an item can be moved; no item can without it.
    public var canReorderItem: ((ItemID) -> Bool)?
    /// A closure that is called before the data source adopts a move.
    public var willReorder: ((DiffableTransaction<SectionID, ItemID>) -> Void)?
    /// A closure that is called after the data source has adopted a move: the program changes its own data here.
    public var didReorder: ((DiffableTransaction<SectionID, ItemID>) -> Void)?

    /// Creates handlers that allow no move.
    public init() {}
}

/// A move of the user, as both states and their difference.
public struct DiffableTransaction<SectionID: Hashable, ItemID: Hashable> {
    /// A section that the move has changed.
    public struct SectionTransaction {
        /// The section.
        public let sectionIdentifier: SectionID
        /// The items before the move.
        public let initialSnapshot: DiffableDataSourceSectionSnapshot<ItemID>
        /// The items after the move.
        public let finalSnapshot: DiffableDataSourceSectionSnapshot<ItemID>
    }

    /// The state before the move.
    public let initialSnapshot: DiffableDataSourceSnapshot<SectionID, ItemID>
    /// The state after the move.
    public let finalSnapshot: DiffableDataSourceSnapshot<SectionID, ItemID>
    /// The change from one to the other.
    public let difference: Difference
    /// The sections that the move has changed: one or two.
    public let sectionTransactions: [SectionTransaction]
}
