/// A renderer that restores the saved state of its view.
package protocol ViewStateRestoring: AnyObject {
    /// The view.
    var view: CollectionView { get }
    /// The content of the view.
    var viewContent: any ViewContent { get }
    /// The saved state that waits until its rows are there.
    var pendingState: ViewState? { get set }
    /// A Boolean value that indicates whether a saved state could not be used, so that it must be kept.
    var hasRefusedState: Bool { get set }

    /// Shows a sentence to the user.
    func show(_ message: String)

    /// Adapts the renderer to the restored position and marks.
    func stateWasRestored()
}

extension ViewStateRestoring {
    /// Adopts filter and order of a saved state now; ``restorePendingState()`` restores position and marks.
    ///
    /// - Returns: `false` for a state of other rows, which leaves a message.
    package func adopt(_ state: ViewState) -> Bool {
        do {
            try state.adoptOrder(in: view, viewContent)
        } catch {
            refuse(error)
            return false
        }
        pendingState = state
        return true
    }

    /// Restores position and marks, if the rows are there.
    package func restorePendingState() {
        guard let state = pendingState else { return }
        // Restoring may change the content, which calls this again.
        pendingState = nil
        do {
            guard let missing = try state.adoptPosition(in: view, viewContent) else {
                pendingState = state
                return
            }
            stateWasRestored()
            if missing > 0 { show("rows of the saved marks are gone: \(missing)") }
        } catch {
            refuse(error)
        }
    }

    private func refuse(_ error: any Error) {
        hasRefusedState = true
        show("the saved position was not used: \(error)")
    }
}
