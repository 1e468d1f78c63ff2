internal import Foundation
internal import Stores

/// A delegate that collects the changes of a fetched results controller and passes them on as one change set.
final class FetchedChangeProxy: FetchedResultsControllerDelegate {
    private weak var owner: AnyObject?
    private let ownerID: ObjectIdentifier
    private let reload: ReloadBlock
    private var changes: [Change] = []

    init(owner: AnyObject, reload: @escaping ReloadBlock) {
        self.owner = owner
        ownerID = ObjectIdentifier(owner)
        self.reload = reload
    }

    func isOwned(by object: AnyObject) -> Bool { owner === object }

    /// Returns whether this proxy was created for an object, which may be deinitializing: then the weak reference is
    /// already `nil`.
    func wasMade(for object: AnyObject) -> Bool { ownerID == ObjectIdentifier(object) }

    func controllerWillChangeContent(_ controller: FetchedResultsController) { changes = [] }

    func controller(
        _ controller: FetchedResultsController,
        didChange sectionInfo: FetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {
        let path = IndexPath(item: 0, section: sectionIndex)
        guard let type = ChangeType(type: type, indexPath: path, newIndexPath: path) else { return }
        changes.append(.section(type: type))
    }

    func controller(
        _ controller: FetchedResultsController,
        didChange rowID: RowID,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        guard let type = ChangeType(type: type, indexPath: indexPath, newIndexPath: newIndexPath) else {
            return
        }
        changes.append(.item(type: type))
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController) {
        guard !changes.isEmpty else { return }
        // Emptied before the call, so that a did-change without a will-change repeats nothing.
        let delivered = changes
        changes = []
        reload(.some(delivered))
    }

    func controllerDidInvalidateContent(_ controller: FetchedResultsController) {
        changes = []
        reload(.all)
    }
}
