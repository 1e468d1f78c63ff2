extension FetchedResultsController {
    /// Processes changes on the calling actor from now on, soon after they are committed.
    ///
    /// Commits that come while a delivery is on its way join it. The controller is not kept alive by this. It
    /// replaces ``changesPending``; setting that to `nil` ends it. The caller's isolation is where the
    /// controller, its delegate and ``onChange`` are used from then on; the compiler keeps it there.
    public func deliverChanges(on actor: isolated any Actor = #isolation) {
        let reference = WeakController(self)
        changesPending = {
            Task { await reference.processPendingChanges(on: actor) }
        }
    }
}

// @unchecked Sendable because the controller is loaded only on the actor that owns it, and the reference
// never changes.
private final class WeakController: @unchecked Sendable {
    private weak var controller: FetchedResultsController?

    init(_ controller: FetchedResultsController) { self.controller = controller }

    func processPendingChanges(on actor: isolated any Actor) {
        controller?.processPendingChanges()
    }
}
