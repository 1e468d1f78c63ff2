public import Foundation
public import Stores

/// A delegate that receives the changes of fetched results one by one, between a will-change and a did-change call.
///
/// The order is: will change (with the old content), every section change, every row change, did change. From the first
/// change on the controller has the new content. A delegate may write to the store and may process pending changes:
/// both take effect in a later bracket. Every method has an empty default.
///
/// A delegate that is a ``FetchedResultsSnapshotDelegate``, or without section keys a
/// ``FetchedResultsDifferenceDelegate``, receives changes in that form instead. Of these methods only the last is then
/// called.
public protocol FetchedResultsControllerDelegate: AnyObject {
    /// Begins the bracket.
    func controllerWillChangeContent(_ controller: FetchedResultsController)

    /// Reports an inserted or deleted section.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionInfo: The section: a deleted one as it was, an inserted one as it is.
    ///   - sectionIndex: Its index before the change if it was deleted, after the change if it was inserted.
    ///   - type: ``FetchedResultsChangeType/insert`` or ``FetchedResultsChangeType/delete``.
    func controller(
        _ controller: FetchedResultsController,
        didChange sectionInfo: FetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    )

    /// Reports the change of a row.
    ///
    /// Rows that others merely shifted are not reported, and no row is reported twice.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - rowID: The row's identity.
    ///   - indexPath: The path before; `nil` for an insert.
    ///   - type: The kind of change.
    ///   - newIndexPath: The path after; `nil` for a delete.
    func controller(
        _ controller: FetchedResultsController,
        didChange rowID: RowID,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// Ends the bracket.
    func controllerDidChangeContent(_ controller: FetchedResultsController)

    /// Reports that the controller has lost its content: the store cannot be read, or
    /// ``FetchedResultsController/invalidate()`` was called.
    ///
    /// This call is outside of any bracket.
    func controllerDidInvalidateContent(_ controller: FetchedResultsController)
}

/// A delegate that receives the whole content after each change, instead of the changes.
public protocol FetchedResultsSnapshotDelegate: FetchedResultsControllerDelegate {
    /// Receives the present content.
    func controller(
        _ controller: FetchedResultsController,
        didChangeContentWith snapshot: FetchedResultsSnapshot
    )
}

/// A delegate of a controller without section keys that receives changes in the form of the standard library.
public protocol FetchedResultsDifferenceDelegate: FetchedResultsControllerDelegate {
    /// Receives the changes of the array of identities; a row whose values changed is removed and inserted again.
    func controller(
        _ controller: FetchedResultsController,
        didChangeContentWith difference: CollectionDifference<RowID>
    )
}

/// An object that gives sections their titles in an index beside the list.
///
/// This is a separate protocol, so that giving titles alone does not make a controller follow its store.
public protocol FetchedResultsSectionTitling: AnyObject {
    /// Returns the index title for a section's name, or `nil` for none.
    func controller(
        _ controller: FetchedResultsController,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension FetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: FetchedResultsController) {}

    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController,
        didChange sectionInfo: FetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController,
        didChange rowID: RowID,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(_ controller: FetchedResultsController) {}

    /// Does nothing.
    public func controllerDidInvalidateContent(_ controller: FetchedResultsController) {}
}
