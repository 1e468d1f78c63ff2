/// A data source over a fetched results controller, with the controller's sections as titles.
public final class FetchedSource: FetchedDataSource {
    /// The controller that has the rows.
    public let fetchedResultsController: FetchedResultsController
    /// What is called with the change set after the rows have changed.
    public var reloadBlock: ReloadBlock?

    /// Makes a source, and begins to pass the controller's changes on.
    public init(_ fetchedResultsController: FetchedResultsController) {
        self.fetchedResultsController = fetchedResultsController
        registerForFetchedChanges()
    }

    deinit { unregisterForFetchedChanges() }

    /// The name of a section, or `nil` where there is none.
    public func headerTitle(for section: Int) -> String? {
        guard let sections = fetchedResultsController.sections, sections.indices.contains(section) else {
            return nil
        }
        return sections[section].name
    }
}
