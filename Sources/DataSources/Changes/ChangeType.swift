public import Foundation

/// The kind of change of one section or item, with its paths.
public enum ChangeType: Sendable, Hashable {
    /// An insert at a path of the new state.
    case insert(IndexPath)
    /// A delete at a path of the old state.
    case delete(IndexPath)
    /// A move from a path of the old state to a path of the new one.
    ///
    /// A view redraws the row.
    case move(IndexPath, IndexPath)
    /// A change of content, at a path of the old state.
    case update(IndexPath)

    /// Creates a change from the arguments of a fetched results controller's delegate method.
    ///
    /// An insert needs the new path, a delete and an update the old one, a move both. Otherwise, and for an unknown
    /// kind (`nil`), the result is `nil`. An update drops its new path.
    public init?(type: FetchedResultsChangeType?, indexPath: IndexPath?, newIndexPath: IndexPath?) {
        switch (type, indexPath, newIndexPath) {
        case (.insert, _, let new?): self = .insert(new)
        case (.delete, let old?, _): self = .delete(old)
        case (.move, let old?, let new?): self = .move(old, new)
        case (.update, let old?, _): self = .update(old)
        default: return nil
        }
    }

    /// The path in the old state, if there is one.
    package var oldPath: IndexPath? {
        switch self {
        case .delete(let path), .move(let path, _), .update(let path): path
        case .insert: nil
        }
    }

    /// The path in the new state, if there is one.
    package var newPath: IndexPath? {
        switch self {
        case .insert(let path), .move(_, let path): path
        case .delete, .update: nil
        }
    }
}
