public import Foundation
public import Stores

/// A data source over a fetched results controller.
///
/// A type that conforms gives ``fetchedResultsController`` and ``DataSource/reloadBlock``; the rest is here.
/// Before the controller's first fetch there are no sections.
public protocol FetchedDataSource: DataSource where ItemType == Row {
    /// The controller that has the rows.
    var fetchedResultsController: FetchedResultsController { get }

    /// Begins to pass the controller's changes to the reload block.
    func registerForFetchedChanges()

    /// Stops passing changes: after it nothing arrives.
    func unregisterForFetchedChanges()
}

extension FetchedDataSource {
    /// The number of the controller's sections.
    public var numberOfSections: Int { fetchedResultsController.numberOfSections }

    /// The number of rows of a section; 0 where there is no such section.
    public func numberOfItems(in section: Int) -> Int {
        fetchedResultsController.numberOfObjects(in: section)
    }

    /// The row at a path, or `nil` where there is none or the store cannot be read.
    ///
    /// ``FetchedResultsController/object(at:)`` tells the two apart.
    public func item(at indexPath: IndexPath) -> Row? {
        try? fetchedResultsController.object(at: indexPath)
    }

    /// Installs a delegate that passes each change of the controller to the reload block, as one change set.
    ///
    /// The delegate belongs to this source, is made once while it is registered, and does not keep the source
    /// alive.
    public func registerForFetchedChanges() {
        let controller = fetchedResultsController
        let proxy =
            controller.changeProxy.flatMap { $0.isOwned(by: self) ? $0 : nil }
            ?? FetchedChangeProxy(owner: self) { [weak self] in self?.reloadBlock?($0) }
        controller.changeProxy = proxy
        controller.delegate = proxy
    }

    /// Removes the delegate, if it is this source's.
    ///
    /// It may be called from `deinit`.
    public func unregisterForFetchedChanges() {
        let controller = fetchedResultsController
        guard let proxy = controller.changeProxy, proxy.wasMade(for: self) else { return }
        controller.changeProxy = nil
        if controller.delegate === proxy { controller.delegate = nil }
    }
}
