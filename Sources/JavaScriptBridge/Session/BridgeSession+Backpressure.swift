internal import BridgeProtocol

extension BridgeSession {
    /// Checks that what waits for an engine that is busy may grow by one (R22).
    ///
    /// Before the peer is there its start-up queue has the same limit, which the machine keeps.
    ///
    /// - Throws: `overloaded` at ``BridgeLimits/maximumQueuedMessages``.
    func checkRoom(for name: String, in state: borrowing State) throws(BridgeError) {
        let waiting = state.engineWork.count - state.firstEngineWork
        try checkRoom(for: name, waiting: waiting + (transportInTurn?.notifications ?? 0))
    }

    /// The same for what is known to wait.
    func checkRoom(for name: String, waiting: Int) throws(BridgeError) {
        guard waiting >= configuration.limits.maximumQueuedMessages else { return }
        let maximum = configuration.limits.maximumQueuedMessages
        throw BridgeError(
            .overloaded,
            "\"\(name)\" was not sent: \(maximum) messages may wait for the engine, \(waiting) do."
        )
    }
}

extension BridgeSession.State {
    /// Lets the memory of work that is done go, from time to time: an engine that never catches up would keep it for ever.
    mutating func forgetDoneEngineWork() {
        guard firstEngineWork >= 1024, firstEngineWork * 2 >= engineWork.count else { return }
        engineWork.removeFirst(firstEngineWork)
        firstEngineWork = 0
    }
}
