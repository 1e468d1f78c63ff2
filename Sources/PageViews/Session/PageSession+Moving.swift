internal import CollectionViews
internal import DataSources
internal import Foundation

/// The movement of a row, by a pointer or by keys: both are one interactive movement of the view.
extension PageSession {
    /// Applies a step of a drag inside the view.
    func drag(_ phase: PageInput.DragPhase, _ number: Int, _ point: Point) throws {
        switch phase {
        case .begin:
            let element = try element(ofView: number)
            guard element.category == .cell, try begin(.pointer, at: element.path) else {
                throw PageInputError(content.movementRefusal ?? "the row cannot be moved")
            }
        case .move:
            guard interaction.movement != nil else { return }
            try view.updateInteractiveMovementTargetPosition(point)
        case .end: try endMoving()
        case .cancel: cancelMoving()
        }
    }

    private func begin(_ movement: PageInteraction.Movement, at path: ItemPath) throws -> Bool {
        guard content.canReorder, try view.beginInteractiveMovementForItem(at: path.indexPath) else {
            return false
        }
        interaction.movement = movement
        return true
    }

    private func endMoving() throws {
        guard interaction.movement != nil else { return }
        interaction.movement = nil
        let target = view.interactivelyMovingIndexPath.flatMap(ItemPath.init)
        try view.endInteractiveMovement()
        if let target { announcer.announce("dropped at row \(rows.row(.cell(target)))") }
    }

    private func cancelMoving() {
        guard interaction.movement != nil else { return }
        interaction.movement = nil
        view.cancelInteractiveMovement()
        announcer.announce("the move was cancelled")
    }

    /// The time without inputs after which a movement is cancelled: changes of the rows wait for its end on all pages.
    static let maximumRest = Duration.seconds(10)

    /// The time at which the movement in progress is cancelled unless there are inputs; `nil` for no movement.
    var movementEnd: Duration? {
        interaction.movement == nil ? nil : interaction.movementTime + Self.maximumRest
    }

    /// Cancels a movement that the user has left.
    func endMovementIfForgotten(at now: Duration) {
        guard let end = movementEnd, end <= now else { return }
        interaction.movement = nil
        view.cancelInteractiveMovement()
        isInfoStale = true
        message =
            "the move was cancelled, because nothing happened for \(Self.maximumRest.components.seconds) seconds"
    }

    /// Notices that a change of the data has ended the movement.
    func endMovementIfGone() {
        guard interaction.movement != nil, view.interactivelyMovingIndexPath == nil else { return }
        interaction.movement = nil
        isInfoStale = true
        message = "the move has ended, because the rows have changed"
    }

    // MARK: - Keys

    func beginMovingByKeys() throws {
        guard let path = focusedPath, path.item >= 0, try begin(.keys, at: path) else {
            throw PageInputError(content.movementRefusal ?? "this row cannot be moved")
        }
        announcer.announce("moving: arrows choose the place, Enter drops, Escape cancels")
    }

    /// Moves the row with the focus by one step, as one movement.
    func moveFocusedRow(by step: Int) throws {
        if interaction.movement == .keys { return try moveTarget(by: step.signum()) }
        guard let path = focusedPath, path.item >= 0, try begin(.keys, at: path) else {
            throw PageInputError(content.movementRefusal ?? "this row cannot be moved")
        }
        try moveTarget(by: step.signum())
        try endMoving()
        showFocus()
    }

    func pressMoving(_ key: PageKey) throws {
        switch key.name {
        case "Enter", " ", "m":
            try endMoving()
            showFocus()
        case "Escape":
            cancelMoving()
            showFocus()
        case "ArrowDown", "j": try moveTarget(by: 1)
        case "ArrowUp", "k": try moveTarget(by: -1)
        case "PageDown": try moveTarget(by: pageLength)
        case "PageUp": try moveTarget(by: -pageLength)
        case "Home", "g": try moveTarget(by: -rows.itemCount)
        case "End", "G": try moveTarget(by: rows.itemCount)
        default: break
        }
    }

    /// Moves the moving row by a number of rows of its section, and announces the place.
    private func moveTarget(by step: Int) throws {
        guard let current = view.interactivelyMovingIndexPath.flatMap(ItemPath.init) else {
            return endMovementIfGone()
        }
        let count = view.numberOfItems(inSection: Int(current.section))
        let item = max(0, min(count - 1, Int(current.item) + step))
        try view.updateInteractiveMovementTarget(IndexPath(item: item, section: Int(current.section)))
        guard let moved = view.interactivelyMovingIndexPath else { return }
        try view.scrollToItem(at: moved, at: .nearest)
        announcer.announce("row \(item + 1) of \(count)")
    }
}
