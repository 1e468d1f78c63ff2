internal import BridgeProtocol

extension BridgeSession {
    /// Checks that the queue of a busy engine has room for one more message (R22).
    ///
    /// Before the peer is connected its start-up queue has the same limit, which the machine enforces.
    ///
    /// - Throws: `overloaded` at ``BridgeLimits/maximumQueuedMessages``.
    func checkRoom(for name: String, in state: borrowing State) throws(BridgeError) {
        let waiting = state.engineWork.count - state.firstEngineWork
        try checkRoom(for: name, waiting: waiting + (transportInTurn?.notifications ?? 0))
    }

    /// Checks the same for a known number of queued messages.
    func checkRoom(for name: String, waiting: Int) throws(BridgeError) {
        guard waiting >= configuration.limits.maximumQueuedMessages else { return }
        let maximum = configuration.limits.maximumQueuedMessages
        throw BridgeError(
            .overloaded,
            "\"\(name)\" was not sent: too many messages queued for the engine (limit \(maximum))."
        )
    }
}

extension BridgeSession.State {
    /// Releases the memory of completed work from time to time: an engine that never catches up would keep it forever.
    mutating func forgetDoneEngineWork() {
        guard firstEngineWork >= 1024, firstEngineWork * 2 >= engineWork.count else { return }
        engineWork.removeFirst(firstEngineWork)
        firstEngineWork = 0
    }
}
