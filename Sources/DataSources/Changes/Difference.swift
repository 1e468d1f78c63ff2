/// The changes from one state of a list to the next, with both paths of every surviving row that changed.
///
/// Arrays are in ascending order of the old position, ``inserts`` and ``sectionInserts`` of the new one. ``updates``
/// has exactly the surviving rows whose content changed, including moved ones. Every row is counted, including the rows
/// of deleted and inserted sections. The number of moves is minimal: see ``KeyedDiff``.
///
/// The changes of a ``FetchedResultsController`` also have the identities of the rows, the store's versions and the
/// rows' values. Other forms are views of this value: ``changeSet`` for data sources, ``packed`` for scripts.
public struct Difference: Sendable, Hashable {
    /// A section's index in both states.
    public struct SectionPair: Sendable, Hashable {
        /// The index before.
        public var old: Int32
        /// The index after.
        public var new: Int32

        /// Creates a pair.
        public init(old: Int32, new: Int32) {
            self.old = old
            self.new = new
        }
    }

    /// A row's path in both states.
    public struct PathPair: Sendable, Hashable {
        /// The path before.
        public var old: ItemPath
        /// The path after.
        public var new: ItemPath

        /// Creates a pair.
        public init(old: ItemPath, new: ItemPath) {
            self.old = old
            self.new = new
        }
    }

    /// The old indices of the deleted sections.
    public var sectionDeletes: [Int32] = []
    /// The new indices of the inserted sections.
    public var sectionInserts: [Int32] = []
    /// The sections that moved relative to the others.
    public var sectionMoves: [SectionPair] = []
    /// The old paths of the deleted rows.
    public var deletes: [ItemPath] = []
    /// The new paths of the inserted rows.
    public var inserts: [ItemPath] = []
    /// The rows that moved.
    public var moves: [PathPair] = []
    /// The rows whose content changed.
    public var updates: [PathPair] = []

    /// The rows and versions of a store, or `nil` for compared keys.
    package var rows: Rows?

    /// Creates a difference without changes.
    public init() {}

    /// A Boolean value that indicates whether nothing changed.
    public var isEmpty: Bool {
        sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionMoves.isEmpty && deletes.isEmpty
            && inserts.isEmpty && moves.isEmpty && updates.isEmpty
    }
}

extension Difference: CustomStringConvertible {
    /// The number of changes of each kind.
    public var summary: ChangeSummary {
        var summary = ChangeSummary()
        summary.sections.deleted = sectionDeletes.count
        summary.sections.inserted = sectionInserts.count
        summary.sections.moved = sectionMoves.count
        summary.rows.deleted = deletes.count
        summary.rows.inserted = inserts.count
        summary.rows.moved = moves.count
        summary.rows.updated = updates.count
        return summary
    }

    /// The summary, for a log.
    public var description: String { summary.description }
}
