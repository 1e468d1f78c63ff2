extension FetchedResultsController {
    /// Starts processing changes on the calling actor, soon after they are committed.
    ///
    /// Commits during a scheduled delivery are delivered with it. This method retains neither the controller nor the
    /// actor. It replaces ``changesPending``; setting that to `nil` ends it. From then on the controller, its delegate
    /// and ``onChange`` are used on the caller's isolation, which the compiler enforces.
    public func deliverChanges(on actor: isolated any Actor = #isolation) {
        let owner = ControllerOwner(self, actor)
        changesPending = {
            // No task is needed if the actor is released: its controller is released too, or will be soon.
            guard let actor = owner.actor else { return }
            Task { await owner.processPendingChanges(on: actor) }
        }
    }
}

// @unchecked Sendable because the controller is loaded only on the actor that owns it, and neither reference is ever
// assigned again.
private final class ControllerOwner: @unchecked Sendable {
    // Weak, because the actor usually retains the controller, which retains the closure that retains this object.
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
