/// A data source over a fetched results controller, with the controller's sections as titles.
public final class FetchedSource: FetchedDataSource {
    /// The controller that fetches the rows.
    public let fetchedResultsController: FetchedResultsController
    /// The closure that the source calls with the change set after the rows have changed.
    public var reloadBlock: ReloadBlock?

    /// Creates a source, and starts passing the controller's changes on.
    public init(_ fetchedResultsController: FetchedResultsController) {
        self.fetchedResultsController = fetchedResultsController
        registerForFetchedChanges()
    }

    deinit { unregisterForFetchedChanges() }

    /// Returns the name of a section, or `nil` if there is none.
    public func headerTitle(for section: Int) -> String? {
        guard let sections = fetchedResultsController.sections, sections.indices.contains(section) else {
            return nil
        }
        return sections[section].name
    }
}
