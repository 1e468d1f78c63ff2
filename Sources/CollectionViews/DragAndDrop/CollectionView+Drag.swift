internal import DataSources
public import Foundation

extension CollectionView {
    /// The provider of the items of drags.
    public var dragDelegate: (any CollectionViewDragDelegate)? {
        get { interaction.dragDelegate }
        set { interaction.dragDelegate = newValue }
    }

    /// The object that takes the items of drops.
    public var dropDelegate: (any CollectionViewDropDelegate)? {
        get { interaction.dropDelegate }
        set { interaction.dropDelegate = newValue }
    }

    /// A Boolean value that indicates whether drags may begin in the view; `true` by default.
    public var dragInteractionEnabled: Bool {
        get { interaction.isDragEnabled }
        set { interaction.isDragEnabled = newValue }
    }

    /// A Boolean value that indicates whether a drag that began in the view is in progress.
    public var hasActiveDrag: Bool { interaction.drag != nil }

    /// A Boolean value that indicates whether a drag is over the view.
    public var hasActiveDrop: Bool { interaction.hover?.isHandled == true }

    /// A Boolean value that indicates whether the view shows placeholders of dropped items.
    ///
    /// Reloads are then rejected. Batches are applied, and move the placeholders along.
    public var hasUncommittedUpdates: Bool { !interaction.placeholders.isEmpty }

    // MARK: - Drag

    /// Begins to drag an item, or returns `nil` if neither the drag delegate nor the data source allows it.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    public func beginDrag(at indexPath: IndexPath) throws -> DragSession? {
        try requireIdle("beginDrag(at:)")
        let path = try existing(indexPath)
        guard dragInteractionEnabled, !hasActiveDrag, let source = sourcePath(of: path) else { return nil }
        defer { performQueuedUpdates() }
        // Before the delegate is called, which may change the data.
        let identity = identity(of: path)
        let canMove = calling { dataSource?.collectionView(self, canMoveItemAt: source.indexPath) } == true
        let session = DragSession(self, canMove: canMove)
        var items =
            calling { dragDelegate?.collectionView(self, itemsForBeginning: session, at: indexPath) } ?? []
        if items.isEmpty, canMove, dropDelegate == nil { items = [DragItem(itemProvider: ItemProvider())] }
        guard !items.isEmpty else { return nil }
        interaction.drag = session
        lift(items, session, at: path, identity)
        calling { dragDelegate?.collectionView(self, dragSessionWillBegin: session) }
        return session
    }

    /// Adds the items of another row to a drag, once.
    func addItems(to session: DragSession, at indexPath: IndexPath) throws -> Bool {
        try requireIdle("addItems(at:)")
        let path = try existing(indexPath)
        guard interaction.drag === session, !interaction.lifted.contains(where: { $0.path == path }) else {
            return false
        }
        defer { performQueuedUpdates() }
        let identity = identity(of: path)
        let items =
            calling { dragDelegate?.collectionView(self, itemsForAddingTo: session, at: indexPath) } ?? []
        lift(items, session, at: path, identity)
        return !items.isEmpty
    }

    private func lift(
        _ items: [DragItem],
        _ session: DragSession,
        at path: ItemPath,
        _ identity: String?
    ) {
        interaction.lifted += items.map { InteractionState.Lifted(item: $0, path: path, identity: identity) }
        session.add(items)
        markCell(at: path)
    }

    func dragEnded(_ session: DragSession) {
        guard interaction.drag === session else { return }
        interaction.drag = nil
        let paths = interaction.lifted.compactMap(\.path)
        interaction.lifted = []
        for path in paths { markCell(at: path) }
        calling { dragDelegate?.collectionView(self, dragSessionDidEnd: session) }
        performQueuedUpdates()
    }

    // MARK: - Drop

    /// Moves a drag from outside to a point of the content, and returns what a drop would do.
    ///
    /// The first call for a session asks the drop delegate whether the view can take the items.
    ///
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    public func updateDrop(_ session: DropSession, at point: Point) throws -> DropProposal {
        try updateDrop(session, .point(point))
    }

    func updateDrop(_ session: DropSession, _ position: DropPosition) throws -> DropProposal {
        try requireIdle("updateDrop(_:at:)")
        guard let delegate = dropDelegate else { return .forbidden }
        defer { performQueuedUpdates() }
        if interaction.hover?.session !== session {
            if let other = interaction.hover?.session { exitDrop(other) }
            let isHandled = calling { delegate.collectionView(self, canHandle: session) }
            interaction.hover = DropHover(session: session, isHandled: isHandled, proposal: .forbidden)
            if isHandled { calling { delegate.collectionView(self, dropSessionDidEnter: session) } }
        }
        guard interaction.hover?.isHandled == true else { return .forbidden }
        let destination: IndexPath?
        switch position {
        case .point(let point):
            session.location = point
            destination = indexPathForItem(at: point)
        case .item(let path):
            session.location = nil
            destination = path
        }
        let asked = calling {
            delegate.collectionView(
                self,
                dropSessionDidUpdate: session,
                withDestinationIndexPath: destination
            )
        }
        let proposal = asked.operation == .move && !allowsMove(session) ? .forbidden : asked
        interaction.hover?.proposal = proposal
        interaction.hover?.destination = destination.flatMap(ItemPath.init)
        return proposal
    }

    private func allowsMove(_ session: DropSession) -> Bool {
        guard let drag = session.localDragSession, let source = drag.sourceView,
            let delegate = source.dragDelegate
        else { return true }
        return calling { delegate.collectionView(source, dragSessionAllowsMoveOperation: drag) }
    }

    /// Moves a drag from outside away from the view.
    public func exitDrop(_ session: DropSession) {
        guard let hover = interaction.hover, hover.session === session else { return }
        interaction.hover = nil
        guard hover.isHandled else { return }
        calling { dropDelegate?.collectionView(self, dropSessionDidExit: session) }
        performQueuedUpdates()
    }

    /// Drops the items of a session at its last position, and returns the effect.
    ///
    /// A session whose last proposal was to cancel, or forbidden, leaves the view.
    ///
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    public func performDrop(_ session: DropSession) throws -> DropOperation {
        try requireIdle("performDrop(_:)")
        guard let hover = interaction.hover, hover.session === session, hover.proposal.operation.isAccepted,
            let delegate = dropDelegate
        else {
            exitDrop(session)
            return .cancel
        }
        interaction.hover = nil
        // The delegate changes the data, and the view by batches, so its updates are not queued.
        delegate.collectionView(self, performDropWith: DropCoordinator(self, hover))
        return hover.proposal.operation
    }

    /// Ends a session that was dropped or that has left the view.
    public func endDrop(_ session: DropSession) {
        exitDrop(session)
        calling { dropDelegate?.collectionView(self, dropSessionDidEnd: session) }
        performQueuedUpdates()
    }
}
