internal import BridgeProtocol
internal import BridgeValues

/// The observers of a session's life, and what keeps a run of its scripts from ending.
struct SessionLifecycle {
    /// The state changes that the observers were not notified of yet.
    private var changes = FIFOQueue<BridgeState>()
    private var observers = RegistrationTable<@Sendable (BridgeState) -> Void>()
    /// The functions to call at the end of the session.
    private var endings = RegistrationTable<@Sendable () -> Void>()
    /// The number of listeners and the like that keep a run from ending.
    var references = 0

    /// Records a change for the observers of the state.
    mutating func noteChange(from before: SessionMachine.State, to after: SessionMachine.State) {
        let change = BridgeState(after)
        if change != BridgeState(before) { changes.append(change) }
    }

    /// Removes the first change that the observers were not notified of, and returns it with them.
    mutating func popChange() -> (observers: [@Sendable (BridgeState) -> Void], change: BridgeState)? {
        changes.popFirst().map { (observers.elements, $0) }
    }

    /// Adds an observer.
    ///
    /// - Returns: Its id, and whether the observers know the current state.
    mutating func addObserver(_ observer: @escaping @Sendable (BridgeState) -> Void) -> (
        id: Int, isCurrent: Bool
    ) {
        (observers.add(observer), changes.isEmpty)
    }

    mutating func removeObserver(_ id: Int) -> (@Sendable (BridgeState) -> Void)? { observers.remove(id) }

    mutating func addEnding(_ ending: @escaping @Sendable () -> Void) -> Int { endings.add(ending) }

    mutating func removeEnding(_ id: Int) -> (@Sendable () -> Void)? { endings.remove(id) }

    /// Removes and returns the functions to call at the end of the session, in the order in which they were added.
    mutating func takeEndings() -> [@Sendable () -> Void] {
        defer { endings = RegistrationTable() }
        return endings.elements
    }
}
