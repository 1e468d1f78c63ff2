/// The kind of change of a section or a row that a fetched results controller's delegate receives.
///
/// The raw values are Core Data's, for code that sends them as numbers.
public enum FetchedResultsChangeType: UInt, Sendable, Hashable, CaseIterable {
    /// An insert: the section or row is new, or began to match the request.
    case insert = 1
    /// A delete: the section or row no longer exists or no longer matches the request.
    case delete = 2
    /// A move that the changes of other rows do not explain.
    ///
    /// The content may have changed too.
    case move = 3
    /// A change of content without a move.
    case update = 4
}
