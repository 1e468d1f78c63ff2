/// What a fetched results controller's delegate is told of a section or a row.
///
/// The raw values are Core Data's, for those who send them as numbers.
public enum FetchedResultsChangeType: UInt, Sendable, Hashable, CaseIterable {
    /// It appeared, or began to match the request.
    case insert = 1
    /// It went, or matches the request no longer.
    case delete = 2
    /// Its place changed in a way that other rows do not explain; its content may have changed too.
    case move = 3
    /// Its content changed, its place did not.
    case update = 4
}
