internal import Foundation
internal import Stores

/// A dispatcher of one delivery of a controller to its delegate, in the form the delegate chose, and to `onChange`.
struct DelegateDispatcher {
    private let controller: FetchedResultsController
    private let delegate: (any FetchedResultsControllerDelegate)?
    private let kind: Kind

    private enum Kind {
        case none
        /// One call per change.
        case rows
        case snapshot(any FetchedResultsSnapshotDelegate)
        case difference(any FetchedResultsDifferenceDelegate)
    }

    init(_ controller: FetchedResultsController) {
        self.controller = controller
        delegate = controller.delegate
        kind =
            if let delegate {
                if let snapshots = delegate as? any FetchedResultsSnapshotDelegate {
                    .snapshot(snapshots)
                } else if controller.content?.plan.hasSections == false,
                    let differences = delegate as? any FetchedResultsDifferenceDelegate
                {
                    .difference(differences)
                } else {
                    .rows
                }
            } else {
                .none
            }
    }

    func willChange() {
        if case .rows = kind { delegate?.controllerWillChangeContent(controller) }
    }

    func didChange(_ changes: Difference, _ new: FetchedContent) {
        switch kind {
        case .none: break
        case .rows:
            guard let delegate else { break }
            tell(delegate, changes, new)
            delegate.controllerDidChangeContent(controller)
        case .snapshot(let delegate):
            delegate.controller(
                controller,
                didChangeContentWith: FetchedResultsSnapshot(new, updated: changes.updatedIDs)
            )
        case .difference(let delegate):
            delegate.controller(controller, didChangeContentWith: changes.collectionDifference)
        }
        controller.onChange?(changes)
        controller.deliveries?.add(changes)
    }

    private func tell(
        _ delegate: any FetchedResultsControllerDelegate,
        _ changes: Difference,
        _ new: FetchedContent
    ) {
        for (position, index) in changes.sectionDeletes.enumerated() {
            let section = changes.deletedSection(position)
            delegate.controller(controller, didChange: section, atSectionIndex: Int(index), for: .delete)
        }
        if !changes.sectionInserts.isEmpty {
            let sections = FetchedResultsSections(new)
            for index in changes.sectionInserts.map(Int.init) {
                delegate.controller(
                    controller,
                    didChange: sections[index],
                    atSectionIndex: index,
                    for: .insert
                )
            }
        }
        for (path, id) in zip(changes.deletes, changes.deletedIDs) {
            tell(delegate, id, .delete, from: path, to: nil)
        }
        for (path, id) in zip(changes.inserts, changes.insertedIDs) {
            tell(delegate, id, .insert, from: nil, to: path)
        }
        for (move, id) in zip(changes.moves, changes.movedIDs) {
            tell(delegate, id, .move, from: move.old, to: move.new)
        }
        var moves = changes.moves[...]
        // A move already implies a redraw of the row. Both arrays are in ascending order of the old path.
        for (update, id) in zip(changes.updates, changes.updatedIDs) {
            while let first = moves.first, first.old < update.old { moves.removeFirst() }
            if moves.first?.old != update.old {
                tell(delegate, id, .update, from: update.old, to: update.new)
            }
        }
    }

    private func tell(
        _ delegate: any FetchedResultsControllerDelegate,
        _ id: RowID,
        _ type: FetchedResultsChangeType,
        from old: ItemPath?,
        to new: ItemPath?
    ) {
        delegate.controller(
            controller,
            didChange: id,
            at: old?.indexPath,
            for: type,
            newIndexPath: new?.indexPath
        )
    }
}
