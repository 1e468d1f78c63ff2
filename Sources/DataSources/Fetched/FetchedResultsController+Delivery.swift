extension FetchedResultsController {
    /// Processes changes on the calling actor from now on, soon after they are committed.
    ///
    /// Commits that come while a delivery is on its way join it. Neither the controller nor the actor is kept
    /// alive by this. It replaces ``changesPending``; setting that to `nil` ends it. The caller's isolation
    /// is where the controller, its delegate and ``onChange`` are used from then on; the compiler keeps it
    /// there.
    public func deliverChanges(on actor: isolated any Actor = #isolation) {
        let owner = ControllerOwner(self, actor)
        changesPending = {
            // Gone owners need no task: their controller is gone too, or goes in a moment.
            guard let actor = owner.actor else { return }
            Task { await owner.processPendingChanges(on: actor) }
        }
    }
}

// @unchecked Sendable because the controller is loaded only on the actor that owns it, and neither reference
// is ever set anew.
private final class ControllerOwner: @unchecked Sendable {
    // Weak, because the actor mostly has the controller, which has the closure that has this.
    private(set) weak var actor: (any Actor)?
    private weak var controller: FetchedResultsController?

    init(_ controller: FetchedResultsController, _ actor: any Actor) {
        self.controller = controller
        self.actor = actor
    }

    func processPendingChanges(on actor: isolated any Actor) {
        controller?.processPendingChanges()
    }
}
