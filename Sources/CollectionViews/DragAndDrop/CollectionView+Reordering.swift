internal import DataSources
public import Foundation

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
