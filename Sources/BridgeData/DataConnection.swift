internal import BridgeValues
internal import JavaScriptBridge
internal import Stores
internal import Synchronization

/// The connection from stores, which commit on any thread, to the engine of their bridge.
final class DataConnection: Sendable {
    private struct State: ~Copyable {
        // Weak, because the bridge's context retains this object.
        weak var bridge: Bridge?
        var grants: DataGrantTable?
        /// The names of the data sources that the host shows, for scripts that call `describe`.
        var sources: Set<String> = []
        var hasPendingChanges = false
        /// The virtual machine of the bridge's context, by which a thread detects that it is in one of its turns.
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

    /// Records that the host shows a data source.
    func noteSource(_ name: String) { state.withLock { _ = $0.sources.insert(name) } }

    /// Reports a denial to the audit.
    func reportDenial(_ refusal: BridgeDenial.Refusal, of name: String, _ operation: DataOperation?) {
        state.withLock { $0.bridge }?.reportDenial(refusal, of: name, operation)
    }

    /// Stores the virtual machine whose turns deliver changes.
    func deliver(inTurnsOf context: JSContext) {
        let machine = context.machineIdentity
        state.withLock { $0.machine = machine }
    }

    /// Marks changes as pending, and schedules a turn that delivers them.
    ///
    /// A commit inside a turn needs no other turn, because the turn delivers before it ends. Enqueuing a job for it
    /// would only wake another thread, which took 30 us of each commit of a script (measured).
    func changesPending() {
        let bridge = state.withLock { state -> Bridge? in
            guard !state.hasPendingChanges else { return nil }
            state.hasPendingChanges = true
            return JSContext.isInTurn(ofMachine: state.machine) ? nil : state.bridge
        }
        scheduleTurn(of: bridge)
    }

    // If the context has no more turns, the next context has sources of its own.
    private func scheduleTurn(of bridge: Bridge?) {
        bridge?.runtime.enqueue(
            { _ in },
            otherwise: { [weak self] _ in self?.state.withLock { $0.hasPendingChanges = false } }
        )
    }

    /// Schedules another turn for the changes that the ending turn did not deliver.
    func deliverLater() {
        let bridge = state.withLock { state in
            state.hasPendingChanges = true
            return state.bridge
        }
        scheduleTurn(of: bridge)
    }

    /// Schedules a turn after one that was stopped, because its commits were not reported to any listener.
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
