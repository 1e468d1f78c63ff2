internal import BridgeValues
internal import JavaScriptBridge
internal import Stores
internal import Synchronization

/// The way from stores, which commit on any thread, to the engine of their bridge.
final class DataConnection: Sendable {
    private struct State: ~Copyable {
        // Weak, as the bridge's context holds this.
        weak var bridge: Bridge?
        var grants: DataGrantTable?
        /// The data sources that the host shows, for scripts that ask what there is.
        var sources: Set<String> = []
        var hasPendingChanges = false
        /// The machine of the bridge's context, by which a thread knows that it is in one of its turns.
        var machine: UInt = 0
    }

    private let state = Mutex(State())

    func connect(to bridge: Bridge, _ stores: [String: any Store]) {
        state.withLock { state in
            state.bridge = bridge
            state.grants = bridge.dataGrants
        }
        bridge.describeData { [weak self] grants in
            grants.described(stores, sources: self?.state.withLock { $0.sources.sorted() } ?? [])
        }
    }

    /// The grants of the bridge.
    var grants: DataGrantTable? { state.withLock { $0.grants } }

    /// Notes that the host shows a data source.
    func noteSource(_ name: String) { state.withLock { _ = $0.sources.insert(name) } }

    /// Tells the audit of a refusal.
    func noteDenial(_ refusal: BridgeDenial.Refusal, of name: String, _ operation: DataOperation?) {
        state.withLock { $0.bridge }?.noteDenial(refusal, of: name, operation)
    }

    /// Notes the machine whose turns deliver.
    func deliver(inTurnsOf context: JSContext) {
        let machine = context.machineIdentity
        state.withLock { $0.machine = machine }
    }

    /// Notes that changes wait, and makes sure that a turn comes in which they are delivered.
    ///
    /// A commit inside a turn needs no other: the turn delivers before it ends. A job for it would wake another thread,
    /// which took 30 us of each commit of a script (measured), to find nothing to do.
    func changesPending() {
        let bridge = state.withLock { state -> Bridge? in
            guard !state.hasPendingChanges else { return nil }
            state.hasPendingChanges = true
            return JSContext.isInTurn(ofMachine: state.machine) ? nil : state.bridge
        }
        scheduleTurn(of: bridge)
    }

    // Where no turn comes any more, the context after it has sources of its own.
    private func scheduleTurn(of bridge: Bridge?) {
        bridge?.runtime.enqueue(
            { _ in },
            otherwise: { [weak self] _ in self?.state.withLock { $0.hasPendingChanges = false } }
        )
    }

    /// Makes sure that another turn comes for what the one that is ending did not deliver.
    func deliverLater() {
        let bridge = state.withLock { state in
            state.hasPendingChanges = true
            return state.bridge
        }
        scheduleTurn(of: bridge)
    }

    /// Notes that a turn was stopped: nothing of what it has committed was told to anybody.
    func turnWasStopped() {
        if state.withLock({ $0.hasPendingChanges }) { deliverLater() }
    }

    func takePendingChanges() -> Bool {
        state.withLock { state in
            defer { state.hasPendingChanges = false }
            return state.hasPendingChanges
        }
    }

    func addReferences(_ count: Int) { state.withLock { $0.bridge }?.addReferences(count) }
}
