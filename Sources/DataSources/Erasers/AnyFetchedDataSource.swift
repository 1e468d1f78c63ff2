public import Foundation
public import Stores

/// A type-erased fetched data source.
///
/// Every member forwards to the wrapped source; setting ``reloadBlock`` sets the wrapped source's. This object retains
/// the wrapped source. The wrapped source owns the delegate that ``registerForFetchedChanges()`` installs.
public final class AnyFetchedDataSource: FetchedDataSource {
    private let base: any FetchedDataSource

    /// Wraps a fetched data source.
    public init(dataSource: any FetchedDataSource) { base = dataSource }

    /// The controller that fetches the rows.
    public var fetchedResultsController: FetchedResultsController { base.fetchedResultsController }

    /// The closure that the wrapped source calls with a change set.
    public var reloadBlock: ReloadBlock? {
        get { base.reloadBlock }
        set { base.reloadBlock = newValue }
    }

    /// The number of sections.
    public var numberOfSections: Int { base.numberOfSections }

    /// Returns the number of rows of a section, or 0 for an index out of range.
    public func numberOfItems(in section: Int) -> Int { base.numberOfItems(in: section) }

    /// Returns the row at a path, or `nil` if there is none.
    public func item(at indexPath: IndexPath) -> Row? { base.item(at: indexPath) }

    /// Returns the next path that has a row, or `nil` after the last one.
    public func indexPath(after indexPath: IndexPath) -> IndexPath? { base.indexPath(after: indexPath) }

    /// Starts passing the controller's changes to the reload block.
    public func registerForFetchedChanges() { base.registerForFetchedChanges() }

    /// Stops passing changes: the reload block is not called afterwards.
    public func unregisterForFetchedChanges() { base.unregisterForFetchedChanges() }
}
