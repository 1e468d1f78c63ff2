public import DataSources

/// The changes of one batch, as a layout receives them.
public struct LayoutUpdates: Sendable {
    /// The changes, with the reloaded items as updates.
    public let difference: Difference
    /// The reloaded sections, with their indices in both states.
    public let reloadedSections: [Difference.SectionPair]
    /// The mapping of paths from one state to the other.
    package let tracking: PathTracking

    init(_ difference: Difference, reloadedSections: [Int]) {
        self.difference = difference
        let tracking = PathTracking(difference)
        self.tracking = tracking
        self.reloadedSections = reloadedSections.compactMap { old in
            tracking.newSection(of: Int32(old)).map { Difference.SectionPair(old: Int32(old), new: $0) }
        }
    }

    /// The changes one by one.
    ///
    /// - Complexity: O(c) in the changes, at each access.
    public var items: [UpdateItem] {
        difference.sectionDeletes.map { UpdateItem(section: $0, to: nil, .delete) }
            + difference.sectionInserts.map { UpdateItem(section: nil, to: $0, .insert) }
            + difference.sectionMoves.map { UpdateItem(section: $0.old, to: $0.new, .move) }
            + reloadedSections.map { UpdateItem(section: $0.old, to: $0.new, .reload) }
            + difference.deletes.map { UpdateItem(item: $0, to: nil, .delete) }
            + difference.inserts.map { UpdateItem(item: nil, to: $0, .insert) }
            + difference.moves.map { UpdateItem(item: $0.old, to: $0.new, .move) }
            + difference.updates.map { UpdateItem(item: $0.old, to: $0.new, .reload) }
    }
}
