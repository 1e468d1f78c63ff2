internal import Stores

/// The observation of a store by a controller, and the changes that arrived through it.
struct StoreFollower {
    let inbox: ChangeInbox
    private var observation: StoreObservation?

    init(entityName: String) { inbox = ChangeInbox(entityName: entityName) }

    /// A Boolean value that indicates whether the controller follows its store.
    var isFollowing: Bool { observation != nil }

    /// Returns the observation of a store: the present one, or one that begins now and ends with its last reference.
    func observation(of store: any Store) -> StoreObservation {
        observation ?? store.observe { [inbox] in inbox.receive($0) }
    }

    /// Keeps an observation; `nil` ends the present one.
    mutating func follow(by observation: StoreObservation?) { self.observation = observation }

    /// Ends the observation, and drops the changes that have arrived.
    mutating func stop() {
        observation = nil
        _ = inbox.take()
    }
}
