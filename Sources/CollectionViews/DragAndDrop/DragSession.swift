internal import DataSources
public import Foundation

/// A drag from its beginning to its end: the one state machine for pointers, keyboards and tests.
///
/// A drag begins at an item of a view, moves over views, and is dropped or cancelled. Over the view that it comes from,
/// a single item moves interactively if that view has no drop delegate and its data source allows it. Over other views,
/// the drop delegate proposes what a drop would do.
public final class DragSession {
    /// The items.
    public private(set) var items: [DragItem]
    /// A value of the program.
    public var localContext: Any?
    /// The view in which the drag began.
    public private(set) weak var sourceView: CollectionView?
    /// The result of the drag; `nil` while it is in progress.
    public private(set) var operation: DropOperation?

    /// The target of the drag.
    private enum Target {
        case none
        /// The item moves interactively in the source view.
        case movement
        /// The items are over a view, which is `dropView`.
        case drop(DropSession)
    }

    private var target = Target.none
    // The source view retains the session, and may be the target.
    private weak var dropView: CollectionView?
    // The data source can move the item at which the drag began.
    private let canMove: Bool

    init(_ view: CollectionView, canMove: Bool) {
        sourceView = view
        items = []
        self.canMove = canMove
    }

    /// A Boolean value that indicates whether the items stay in this process, as the drag delegate of the source view says.
    ///
    /// A renderer asks before it offers the items to other applications.
    public var isRestrictedToDraggingApplication: Bool {
        guard let sourceView, let delegate = sourceView.dragDelegate else { return false }
        return sourceView.calling {
            delegate.collectionView(sourceView, dragSessionIsRestrictedToDraggingApplication: self)
        }
    }

    func add(_ new: [DragItem]) { items += new }

    /// Adds the items that the drag delegate gives for another item, and returns whether there are any.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    public func addItems(at indexPath: IndexPath) throws -> Bool {
        guard operation == nil, case .none = target, let sourceView else { return false }
        return try sourceView.addItems(to: self, at: indexPath)
    }

    /// Moves the drag to a point of the content of a view, or away from all views, and returns what a drop would do.
    ///
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    @discardableResult
    public func move(over view: CollectionView?, at point: Point = .zero) throws -> DropProposal {
        try move(over: view, .point(point))
    }

    /// Moves the drag to an item of a view, as keys do, and returns what a drop would do.
    ///
    /// - Throws: ``CollectionViewError`` for a path to which an interactive movement is not possible, or in a callback
    ///   of the view.
    @discardableResult
    public func move(over view: CollectionView, to indexPath: IndexPath) throws -> DropProposal {
        try move(over: view, .item(indexPath))
    }

    private func move(over view: CollectionView?, _ position: DropPosition) throws -> DropProposal {
        guard operation == nil else { return .forbidden }
        guard let view else {
            leave()
            return .forbidden
        }
        if view === sourceView, canMove, items.count == 1, view.dropDelegate == nil {
            return try moveInteractively(in: view, position)
        }
        if case .drop(let session) = target, dropView === view {
            return try view.updateDrop(session, position)
        }
        leave()
        let session = DropSession(self)
        target = .drop(session)
        dropView = view
        return try view.updateDrop(session, position)
    }

    private func moveInteractively(in view: CollectionView, _ position: DropPosition) throws -> DropProposal {
        // A batch or a reload ends the movement, which then begins again at the present path of the item.
        if case .movement = target, view.interactivelyMovingIndexPath != nil {
        } else {
            leave()
            guard let item = items.first, let path = view.interaction.path(of: item),
                try view.beginInteractiveMovementForItem(at: path.indexPath)
            else { return .forbidden }
            target = .movement
        }
        switch position {
        case .point(let point): try view.updateInteractiveMovementTargetPosition(point)
        case .item(let path): try view.updateInteractiveMovementTarget(path)
        }
        return DropProposal(operation: .move, intent: .insertAtDestinationIndexPath)
    }

    /// Ends the drag with a drop at its position, and returns its effect.
    ///
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    @discardableResult
    public func drop() throws -> DropOperation {
        guard operation == nil else { return .cancel }
        switch target {
        case .none: end(.cancel)
        case .movement:
            let isMoving = sourceView?.interactivelyMovingIndexPath != nil
            try sourceView?.endInteractiveMovement()
            end(isMoving ? .move : .cancel)
        case .drop(let session): end(try dropView?.performDrop(session) ?? .cancel)
        }
        return operation ?? .cancel
    }

    /// Ends the drag without a drop; an item that moved interactively returns to its original path.
    public func cancel() {
        guard operation == nil else { return }
        leave()
        end(.cancel)
    }

    /// Ends the drag with the effect of a drop outside of this process, which a renderer has learned of.
    ///
    /// A view that the drag is over is left.
    public func end(outside operation: DropOperation) {
        guard self.operation == nil else { return }
        leave()
        end(operation.isAccepted ? operation : .cancel)
    }

    /// The view that the drag is over; `nil` for none.
    public var targetView: CollectionView? {
        switch target {
        case .none: nil
        case .movement: sourceView
        case .drop: dropView
        }
    }

    private func leave() {
        switch target {
        case .none: break
        case .movement: sourceView?.cancelInteractiveMovement()
        case .drop(let session): dropView?.exitDrop(session)
        }
        target = .none
        dropView = nil
    }

    private func end(_ result: DropOperation) {
        if case .drop(let session) = target { dropView?.endDrop(session) }
        target = .none
        dropView = nil
        operation = result
        sourceView?.dragEnded(self)
    }
}

/// The position of a drag in a view.
enum DropPosition {
    case point(Point)
    case item(IndexPath)
}
