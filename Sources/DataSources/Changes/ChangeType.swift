public import Foundation

/// What happened to one section or item.
public enum ChangeType: Sendable, Hashable {
    /// It appeared at a path of the new state.
    case insert(IndexPath)
    /// It went from a path of the old state.
    case delete(IndexPath)
    /// It went from a path of the old state to a path of the new one, and is to be drawn anew.
    case move(IndexPath, IndexPath)
    /// Its content changed; it was at a path of the old state.
    case update(IndexPath)

    /// Makes a change out of what a fetched results controller's delegate is told.
    ///
    /// An insert needs the new path, a delete and an update the old one, a move both; otherwise, and for an
    /// unknown kind (`nil`), there is no change. An update drops its new path.
    public init?(type: FetchedResultsChangeType?, indexPath: IndexPath?, newIndexPath: IndexPath?) {
        switch (type, indexPath, newIndexPath) {
        case (.insert, _, let new?): self = .insert(new)
        case (.delete, let old?, _): self = .delete(old)
        case (.move, let old?, let new?): self = .move(old, new)
        case (.update, let old?, _): self = .update(old)
        default: return nil
        }
    }

    /// The path in the old state, if this names one.
    package var oldPath: IndexPath? {
        switch self {
        case .delete(let path), .move(let path, _), .update(let path): path
        case .insert: nil
        }
    }

    /// The path in the new state, if this names one.
    package var newPath: IndexPath? {
        switch self {
        case .insert(let path), .move(_, let path): path
        case .delete, .update: nil
        }
    }
}
