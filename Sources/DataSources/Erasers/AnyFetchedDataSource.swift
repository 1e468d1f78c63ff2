public import Foundation
public import Stores

/// A fetched data source of any kind.
///
/// Every member is the wrapped source's; setting ``reloadBlock`` sets that source's. The wrapped source lives
/// as long as this does, and stays the owner of the delegate that ``registerForFetchedChanges()`` installs.
public final class AnyFetchedDataSource: FetchedDataSource {
    private let base: any FetchedDataSource

    /// Wraps a fetched data source.
    public init(dataSource: any FetchedDataSource) { base = dataSource }

    /// The controller that has the rows.
    public var fetchedResultsController: FetchedResultsController { base.fetchedResultsController }

    /// What the wrapped source calls with a change set.
    public var reloadBlock: ReloadBlock? {
        get { base.reloadBlock }
        set { base.reloadBlock = newValue }
    }

    /// The number of sections.
    public var numberOfSections: Int { base.numberOfSections }

    /// The number of rows of a section; 0 where there is no such section.
    public func numberOfItems(in section: Int) -> Int { base.numberOfItems(in: section) }

    /// The row at a path, or `nil` where there is none.
    public func item(at indexPath: IndexPath) -> Row? { base.item(at: indexPath) }

    /// The next path that has a row, or `nil` after the last one.
    public func indexPath(after indexPath: IndexPath) -> IndexPath? { base.indexPath(after: indexPath) }

    /// Begins to pass the controller's changes to the reload block.
    public func registerForFetchedChanges() { base.registerForFetchedChanges() }

    /// Stops passing changes: after it nothing arrives.
    public func unregisterForFetchedChanges() { base.unregisterForFetchedChanges() }
}
