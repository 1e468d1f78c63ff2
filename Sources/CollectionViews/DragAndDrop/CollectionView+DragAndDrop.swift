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

    /// Returns the path at which the view shows an item of its data source.
    ///
    /// The paths differ while an item moves interactively, and while placeholders are shown.
    public func presentationIndexPath(forDataSourceIndexPath indexPath: IndexPath) -> IndexPath? {
        guard let path = ItemPath(indexPath) else { return nil }
        let unmoved = interaction.placeholders.shownPath(of: path)
        return (interaction.shownMovement?.shownPath(of: unmoved) ?? unmoved).indexPath
    }

    /// Returns the path in the data source of an item that the view shows, or `nil` for a placeholder.
    public func dataSourceIndexPath(forPresentationIndexPath indexPath: IndexPath) -> IndexPath? {
        ItemPath(indexPath).flatMap { sourcePath(of: $0) }?.indexPath
    }

    /// Returns the index at which the view shows a section of its data source, which is the same index.
    public func presentationSectionIndex(forDataSourceSectionIndex section: Int) -> Int { section }

    /// Returns the index in the data source of a section that the view shows, which is the same index.
    public func dataSourceSectionIndex(forPresentationSectionIndex section: Int) -> Int { section }

    /// Returns the path in the data source of an item that the view shows at a path, or `nil` for a placeholder.
    func sourcePath(of path: ItemPath) -> ItemPath? {
        let unmoved = interaction.shownMovement?.sourcePath(of: path) ?? path
        return interaction.placeholders.sourcePath(of: unmoved)
    }

    /// Shows a placeholder, as a row that the data source does not have.
    func insert(_ placeholder: DropPlaceholder, for item: DragItem) throws -> DropPlaceholderContext {
        try requireIdle("drop(_:to:)")
        if let movement = interaction.shownMovement { undo(movement) }
        _ = numberOfSections
        guard var shown = counts, let path = ItemPath(placeholder.insertionIndexPath),
            shown.indices.contains(Int(path.section)), path.item >= 0,
            Int(path.item) <= shown[Int(path.section)]
        else {
            throw CollectionViewError(
                .indexPathOutOfRange,
                "no placeholder can be at \(Array(placeholder.insertionIndexPath))"
            )
        }
        let number = interaction.placeholders.insert(placeholder, at: path)
        shown[Int(path.section)] += 1
        var batch = UpdateBatch()
        batch.changes = [.item(type: .insert(path.indexPath))]
        apply(batch, shown)
        return DropPlaceholderContext(self, item, number: number)
    }

    func deletePlaceholder(_ number: Int) -> Bool {
        guard !pass.isBusy, let path = interaction.placeholders.entry(number)?.path, var shown = counts else {
            return false
        }
        interaction.placeholders.delete(number)
        shown[Int(path.section)] -= 1
        var batch = UpdateBatch()
        batch.changes = [.item(type: .delete(path.indexPath))]
        apply(batch, shown)
        performPendingReload()
        performQueuedUpdates()
        return true
    }

    func updatePlaceholder(_ number: Int) {
        guard let path = interaction.placeholders.entry(number)?.path else { return }
        displayed[.cell(path)]?.pendingChange = .reconfigure
        setNeedsLayout()
    }

    func commitPlaceholder(_ number: Int, _ updates: (IndexPath) -> Void) -> Bool {
        let views = [self] + peers.others(than: self)
        guard !pass.isBusy, let path = interaction.placeholders.entry(number)?.path, let shown = counts,
            views.allSatisfy({ $0.updateQueue.batch == nil })
        else { return false }
        let before = interaction.placeholders.sourceCounts(shown)
        let item = interaction.placeholders.sourceItem(before: path)
        // The view shows the row already, and the others get it below, so the report of a data source changes nothing.
        for view in views { view.updateQueue.batch = UpdateBatch() }
        updates(IndexPath(item: item, section: Int(path.section)))
        let completions = views.flatMap { $0.updateQueue.batch?.completions ?? [] }
        for view in views { view.updateQueue.batch = nil }
        defer {
            for completion in completions { completion(true) }
            performPendingReload()
            performQueuedUpdates()
        }
        interaction.placeholders.commit(number)
        guard let after = try? readCounts(), after == interaction.placeholders.sourceCounts(shown) else {
            reload()
            reloadPeers()
            return false
        }
        var batch = UpdateBatch()
        batch.changes = [.item(type: .insert(IndexPath(item: item, section: Int(path.section))))]
        calling { mirror { $0.applyMirrored(batch, from: before, to: after) } }
        pass.version += 1
        displayed[.cell(path)]?.pendingChange = .reload
        setNeedsLayout()
        return true
    }

    /// Makes the cell of a placeholder.
    func placeholderCell(at path: ItemPath) throws -> Cell {
        guard let entry = interaction.placeholders.entry(at: path) else {
            throw CollectionViewError(.indexPathOutOfRange, "there is no item at \(path)")
        }
        let cell = try dequeueReusableCell(
            withReuseIdentifier: entry.content.reuseIdentifier,
            for: path.indexPath
        )
        entry.content.cellUpdateHandler?(cell)
        return cell
    }
}

/// The interactive movement of an item. Keyboard, pointer and tests use the same calls.
extension CollectionView {
    /// The path at which the moving item is shown, or `nil` if no item is moving.
    public var interactivelyMovingIndexPath: IndexPath? { interaction.movement?.current.indexPath }

    /// Begins to move an item, and returns whether the data source allows it.
    ///
    /// No movement begins while another one is in progress, or has ended and was not reported yet, or while
    /// placeholders are shown.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or in a callback of the view.
    public func beginInteractiveMovementForItem(at indexPath: IndexPath) throws -> Bool {
        try requireIdle("beginInteractiveMovementForItem(at:)")
        let path = try existing(indexPath)
        defer { performQueuedUpdates() }
        guard interaction.shownMovement == nil, !hasUncommittedUpdates,
            calling({ dataSource?.collectionView(self, canMoveItemAt: indexPath) }) == true
        else { return false }
        interaction.movement = ReorderSession(at: path)
        return true
    }

    /// Shows the moving item at the path that the layout has for a point of the content: that of the item there.
    ///
    /// A point without an item changes no path. The frame shows the moving item by
    /// ``CollectionLayout/layoutAttributesForInteractivelyMovingItem(at:withTargetPosition:)``.
    ///
    /// - Throws: ``CollectionViewError`` for a path to which no item can move, or in a callback of the view.
    public func updateInteractiveMovementTargetPosition(_ targetPosition: Point) throws {
        try requireIdle("updateInteractiveMovementTargetPosition(_:)")
        guard let session = interaction.movement else { return }
        ensureLayoutIsPrepared()
        defer { performQueuedUpdates() }
        let target = calling {
            collectionViewLayout.targetIndexPath(
                forInteractivelyMovingItem: session.current.indexPath,
                withPosition: targetPosition
            )
        }
        try move(session, to: target, at: targetPosition)
    }

    /// Shows the moving item at a path, which the delegate may replace by another one.
    ///
    /// - Throws: ``CollectionViewError`` for a path to which no item can move, or in a callback of the view. The item
    ///   stays where it is.
    public func updateInteractiveMovementTarget(_ indexPath: IndexPath) throws {
        try requireIdle("updateInteractiveMovementTarget(_:)")
        guard let session = interaction.movement else { return }
        defer { performQueuedUpdates() }
        try move(session, to: indexPath, at: nil)
    }

    private func move(_ old: ReorderSession, to indexPath: IndexPath, at position: Point?) throws {
        let previousPosition = old.position ?? center(ofItem: old.current)
        var session = old
        session.position = position
        if position == nil || indexPath != old.current.indexPath {
            let proposed =
                calling {
                    delegate?.collectionView(
                        self,
                        targetIndexPathForMoveOfItemFromOriginalIndexPath: old.original.indexPath,
                        atCurrentIndexPath: old.current.indexPath,
                        toProposedIndexPath: indexPath
                    )
                } ?? indexPath
            guard let target = ItemPath(proposed), canShow(target, session) else {
                throw CollectionViewError(
                    .indexPathOutOfRange,
                    "no item can move from \(session.current) to \(Array(proposed))"
                )
            }
            show(session.move(to: target), session)
        }
        interaction.movement = session
        collectionViewLayout.invalidateLayout(
            with: collectionViewLayout.invalidationContext(
                forInteractivelyMovingItems: [session.current.indexPath],
                withTargetPosition: position ?? center(ofItem: session.current),
                previousIndexPaths: [old.current.indexPath],
                previousPosition: previousPosition
            )
        )
    }

    private func center(ofItem path: ItemPath) -> Point {
        ensureLayoutIsPrepared()
        return (try? itemAttributes(path))?.center ?? .zero
    }

    /// Makes invalid what the layout names for the end of a movement.
    private func invalidateLayout(forEndOf session: ReorderSession, isCancelled: Bool) {
        let ends = (session.current.indexPath, session.original.indexPath)
        collectionViewLayout.invalidateLayout(
            with: collectionViewLayout.invalidationContextForEndingInteractiveMovementOfItems(
                toFinalIndexPaths: [isCancelled ? ends.1 : ends.0],
                previousIndexPaths: [isCancelled ? ends.0 : ends.1],
                movementCancelled: isCancelled
            )
        )
    }

    /// Ends the movement: the data source moves the item, once, if it is at another path.
    ///
    /// A data source that reports its own moves as batches says so by
    /// ``CollectionViewDataSource/reportsInteractiveMoves``. The view then applies the report to the state before the
    /// movement, so that no item moves twice.
    ///
    /// - Throws: ``CollectionViewError`` in a callback of the view.
    public func endInteractiveMovement() throws {
        try requireIdle("endInteractiveMovement()")
        guard let session = interaction.movement else { return }
        interaction.movement = nil
        invalidateLayout(forEndOf: session, isCancelled: false)
        guard session.current != session.original else { return }
        if dataSource?.reportsInteractiveMoves == true { interaction.unreported = session }
        calling {
            dataSource?.collectionView(
                self,
                moveItemAt: session.original.indexPath,
                to: session.current.indexPath
            )
        }
        if interaction.unreported == nil, let after = try? readCounts(), let shown = counts {
            let before = session.sourceCounts(shown)
            var batch = UpdateBatch()
            batch.changes = [.item(type: .move(session.original.indexPath, session.current.indexPath))]
            calling { mirror { $0.applyMirrored(batch, from: before, to: after) } }
        }
        performQueuedUpdates()
    }

    /// Cancels the movement: the item returns to its original path.
    public func cancelInteractiveMovement() {
        performWhenIdle { view in
            if let session = view.interaction.movement { view.undo(session) }
        }
    }

    /// Shows the moved item at its original path again, and forgets the movement.
    func undo(_ session: ReorderSession) {
        let isMoving = interaction.movement != nil
        var returned = session
        show(returned.move(to: session.original), returned)
        interaction.movement = nil
        interaction.unreported = nil
        if isMoving { invalidateLayout(forEndOf: session, isCancelled: true) }
    }

    private func canShow(_ target: ItemPath, _ session: ReorderSession) -> Bool {
        guard let counts, counts.indices.contains(Int(target.section)) else { return false }
        let isSameSection = target.section == session.current.section
        return target.item >= 0 && Int(target.item) < counts[Int(target.section)] + (isSameSection ? 0 : 1)
    }

    /// Applies the move that shows an item at another path to the layout and the cells.
    private func show(_ change: Change?, _ session: ReorderSession) {
        guard let change, case .item(.move(let old, let new)) = change, var shown = counts else { return }
        interaction.movement = session
        shown[old.section] -= 1
        shown[new.section] += 1
        var batch = UpdateBatch()
        batch.changes = [change]
        apply(batch, shown)
    }

    func requireIdle(_ method: String) throws(CollectionViewError) {
        guard !pass.isBusy, updateQueue.batch == nil else {
            throw CollectionViewError(.calledFromCallback, "\(method) was called by a callback of the view")
        }
    }
}
