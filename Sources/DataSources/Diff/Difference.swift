/// The difference of two states, packed: what a differ gives, with both paths of every surviving row that
/// changed.
///
/// Arrays are in ascending order of the old place, inserts of the new one. ``updates`` has exactly the
/// surviving rows whose content changed, moved ones too. Every row is counted, those of deleted and inserted
/// sections as well. Moves are as few as possible: see ``KeyedDiff``.
public struct Difference: Sendable, Hashable {
    /// A section's index in both states.
    public struct SectionPair: Sendable, Hashable {
        /// The index before.
        public var old: Int32
        /// The index after.
        public var new: Int32

        /// Makes a pair.
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

        /// Makes a pair.
        public init(old: ItemPath, new: ItemPath) {
            self.old = old
            self.new = new
        }
    }

    /// The old indices of the sections that went.
    public var sectionDeletes: [Int32] = []
    /// The new indices of the sections that came.
    public var sectionInserts: [Int32] = []
    /// The sections that changed their order.
    public var sectionMoves: [SectionPair] = []
    /// The old paths of the rows that went.
    public var deletes: [ItemPath] = []
    /// The new paths of the rows that came.
    public var inserts: [ItemPath] = []
    /// The rows that changed their place.
    public var moves: [PathPair] = []
    /// The rows whose content changed.
    public var updates: [PathPair] = []

    /// Makes a difference without changes.
    public init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool {
        sectionDeletes.isEmpty && sectionInserts.isEmpty && sectionMoves.isEmpty && deletes.isEmpty
            && inserts.isEmpty && moves.isEmpty && updates.isEmpty
    }
}

extension Difference: CustomStringConvertible {
    /// How many changes of each kind there are.
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

    /// The numbers of changes, for a log.
    public var description: String { summary.description }
}
