public import Foundation
public import Stores

/// Hears what changed in fetched results, change by change, between a will-change and a did-change.
///
/// The order is: will change (the old content is still there), every section change, every row change, did
/// change. From the first change on the controller has the new content. A delegate may write to the store and
/// may ask for pending changes: both take effect in a later bracket. Every method has an empty default.
///
/// A delegate that is a ``FetchedResultsSnapshotDelegate``, or without section keys a
/// ``FetchedResultsDifferenceDelegate``, hears of changes in that form instead, and none of these methods but
/// the last is called.
public protocol FetchedResultsControllerDelegate: AnyObject {
    /// Opens the bracket.
    func controllerWillChangeContent(_ controller: FetchedResultsController)

    /// Tells of a section that came or went.
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

    /// Tells of a row. Rows that others merely shifted are not told of, and a row is told of once.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - rowID: The row's identity.
    ///   - indexPath: The path before; `nil` for an insert.
    ///   - type: What happened.
    ///   - newIndexPath: The path after; `nil` for a delete.
    func controller(
        _ controller: FetchedResultsController,
        didChange rowID: RowID,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// Closes the bracket.
    func controllerDidChangeContent(_ controller: FetchedResultsController)

    /// Says that there is no content any more: the store cannot be read, or somebody called
    /// ``FetchedResultsController/invalidate()``.
    ///
    /// It comes alone, outside of a bracket.
    func controllerDidInvalidateContent(_ controller: FetchedResultsController)
}

/// A delegate that takes the whole content after each change, instead of the changes.
public protocol FetchedResultsSnapshotDelegate: FetchedResultsControllerDelegate {
    /// Takes what is shown now.
    func controller(
        _ controller: FetchedResultsController,
        didChangeContentWith snapshot: FetchedResultsSnapshot
    )
}

/// A delegate of a controller without section keys that takes changes as the standard library spells them.
public protocol FetchedResultsDifferenceDelegate: FetchedResultsControllerDelegate {
    /// Takes the changes of the list of identities; a row whose values changed is removed and inserted again.
    func controller(
        _ controller: FetchedResultsController,
        didChangeContentWith difference: CollectionDifference<RowID>
    )
}

/// Gives sections their titles in an index beside the list.
///
/// A protocol of its own, so that giving titles alone does not make a controller follow its store.
public protocol FetchedResultsSectionTitling: AnyObject {
    /// The title that stands for a section's name, or `nil` for none.
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
