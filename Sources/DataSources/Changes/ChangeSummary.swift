internal import Foundation

/// The number of changes of each kind in a change set.
public struct ChangeSummary: Sendable, Hashable, CustomStringConvertible {
    /// The numbers of inserted, deleted, moved and updated sections or rows.
    public struct Counts: Sendable, Hashable {
        /// The number of inserts.
        public var inserted = 0
        /// The number of deletes.
        public var deleted = 0
        /// The number of moves.
        public var moved = 0
        /// The number of updates, including those of moved rows where the change set names them.
        public var updated = 0

        /// Creates counts of zero.
        public init() {}

        mutating func add(_ type: ChangeType) {
            switch type {
            case .insert: inserted += 1
            case .delete: deleted += 1
            case .move: moved += 1
            case .update: updated += 1
            }
        }

        var text: String { "\(inserted) inserted, \(deleted) deleted, \(moved) moved, \(updated) updated" }
    }

    /// The changes of sections.
    public var sections = Counts()
    /// The changes of rows.
    public var rows = Counts()

    /// Creates a summary without changes.
    public init() {}

    /// The summary as a sentence with all eight numbers.
    public var description: String { "sections: \(sections.text); rows: \(rows.text)" }
}

extension ChangeSet: CustomStringConvertible {
    /// The number of changes of each kind, or `nil` if anything may have changed.
    public var summary: ChangeSummary? {
        guard case .some(let changes) = self else { return nil }
        var summary = ChangeSummary()
        for change in changes {
            switch change {
            case .section(let type): summary.sections.add(type)
            case .item(let type): summary.rows.add(type)
            }
        }
        return summary
    }

    /// The summary, for a log.
    public var description: String { summary?.description ?? "everything may have changed" }
}

extension Change: CustomStringConvertible {
    /// A description of the change with its paths.
    public var description: String {
        switch self {
        case .section(.insert(let path)): "insert section \(path.section)"
        case .section(.delete(let path)): "delete section \(path.section)"
        case .section(.move(let old, let new)): "move section \(old.section) to \(new.section)"
        case .section(.update(let path)): "update section \(path.section)"
        case .item(.insert(let path)): "insert \(Self.text(path))"
        case .item(.delete(let path)): "delete \(Self.text(path))"
        case .item(.move(let old, let new)): "move \(Self.text(old)) to \(Self.text(new))"
        case .item(.update(let path)): "update \(Self.text(path))"
        }
    }

    private static func text(_ path: IndexPath) -> String { "[\(path.section), \(path.item)]" }
}
