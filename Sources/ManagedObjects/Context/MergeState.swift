internal import Stores

/// The changes of others that a context has not merged yet, and the number of its merges.
struct MergeState {
    let inbox = ContextInbox()
    private var observation: StoreObservation?
    /// A counter that increases with every change of the store that the context has merged.
    ///
    /// Values that were read under another number may be outdated.
    private(set) var generation = 0

    /// Receives the changes of a store from now on.
    mutating func observe(_ store: any Store) {
        observation = store.observe { [inbox] in inbox.receive($0) }
    }

    /// Ends the observation of the store.
    mutating func stopObserving() {
        observation?.cancel()
        observation = nil
    }

    /// Makes what was read so far outdated.
    mutating func advance() { generation += 1 }
}
