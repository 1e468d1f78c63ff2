public import Foundation
public import Stores

/// A data source over a fetched results controller.
///
/// A conforming type provides ``fetchedResultsController`` and ``DataSource/reloadBlock``; the other members have
/// default implementations. Before the controller's first fetch the source has no sections.
public protocol FetchedDataSource: DataSource where ItemType == Row {
    /// The controller that fetches the rows.
    var fetchedResultsController: FetchedResultsController { get }

    /// Starts passing the controller's changes to the reload block.
    func registerForFetchedChanges()

    /// Stops passing changes: the reload block is not called afterwards.
    func unregisterForFetchedChanges()
}

extension FetchedDataSource {
    /// The number of the controller's sections.
    public var numberOfSections: Int { fetchedResultsController.numberOfSections }

    /// Returns the number of rows of a section, or 0 for an index out of range.
    public func numberOfItems(in section: Int) -> Int {
        fetchedResultsController.numberOfObjects(in: section)
    }

    /// Returns the row at a path, or `nil` if there is none or the store cannot be read.
    ///
    /// ``FetchedResultsController/object(at:)`` distinguishes the two.
    public func item(at indexPath: IndexPath) -> Row? {
        try? fetchedResultsController.object(at: indexPath)
    }

    /// Installs a delegate that passes each change of the controller to the reload block, as one change set.
    ///
    /// The delegate belongs to this source, is created once while it is registered, and does not retain the source.
    public func registerForFetchedChanges() {
        let controller = fetchedResultsController
        let proxy =
            controller.changeProxy.flatMap { $0.isOwned(by: self) ? $0 : nil }
            ?? FetchedChangeProxy(owner: self) { [weak self] in self?.reloadBlock?($0) }
        controller.changeProxy = proxy
        controller.delegate = proxy
    }

    /// Removes the delegate, if it belongs to this source.
    ///
    /// This method may be called from `deinit`.
    public func unregisterForFetchedChanges() {
        let controller = fetchedResultsController
        guard let proxy = controller.changeProxy, proxy.wasMade(for: self) else { return }
        controller.changeProxy = nil
        if controller.delegate === proxy { controller.delegate = nil }
    }
}
