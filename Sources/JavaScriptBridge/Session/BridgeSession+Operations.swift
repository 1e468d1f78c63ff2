internal import BridgeProtocol
internal import Synchronization

/// Messages and the operations that they belong to: a message is handled in a turn of the operation that its sender was
/// inside of, and so is its answer, over both transports and both ways.
///
/// Work of different operations never shares a turn. What waits for the engine stays in its order: a turn takes what is of
/// its operation and leaves the rest, which is of another, to a turn of that.
extension BridgeSession {
    private static let lastNumber = Atomic(0)

    static func newNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    /// What the work on a message counts for that is sent inside an operation; `nil` where that is none.
    ///
    /// From then on this session hears of the operation's end.
    func account(of operation: JSOperation?) -> WorkAccount? {
        guard let operation else { return nil }
        _ = operation.observeEnd(as: number) { [weak self, weak operation] exception in
            guard let operation else { return }
            self?.end(operation, with: exception)
        }
        return WorkAccount(operation)
    }

    /// Ends what an operation has here, for it has ended: its calls and streams, and the work of handlers on its behalf.
    ///
    /// Nothing of its scripts is run for it: what waits in them waits for ever, and is let go.
    private func end(_ operation: JSOperation, with exception: JSException) {
        update { $0.machine.endWork(of: WorkAccount(operation), with: BridgeError(exception)) }
        tellScript(endOf: operation, with: nil, joining: nil)
    }

    /// Ends what an operation has here because a turn of it was stopped.
    ///
    /// - Returns: Whether the operation has ended.
    func turnWasStopped(of operation: JSOperation, _ exception: JSException, in context: JSContext) -> Bool {
        guard operation.termination == nil else {
            end(operation, with: exception)
            return true
        }
        // Its microtasks are gone, so no answer would come.
        let error = BridgeError(exception)
        update { $0.machine.endWork(of: WorkAccount(operation), with: error) }
        if configuration.injectsScript { noteEnded(of: operation, in: context) }
        tellScript(endOf: operation, with: error, joining: operation)
        return false
    }

    // A page's own side of the protocol knows nothing of operations.
    private func tellScript(
        endOf operation: JSOperation,
        with error: BridgeError?,
        joining turn: JSOperation?
    ) {
        guard configuration.injectsScript else { return }
        let number = operation.number
        state.withLock { $0.runtime }?.enqueue(joining: turn) { context in
            do {
                var arguments = [try JSValue(.integer(Int64(number)), in: context)]
                if let error { arguments.append(try JSValue(error.record, in: context)) }
                try context.internals.invokeMethod("endOperation", withArguments: arguments)
            } catch {
                self.logWarning("The script could not be told that an operation has ended. \(error)")
            }
        }
    }

    /// Makes a body's messages be handled in the turn that is open, whatever they belong to, for who waits in it.
    func sharingTurn(_ body: () -> Void) {
        let outer = state.withLock { state in
            defer { state.sharesTurn = true }
            return state.sharesTurn
        }
        defer { state.withLock { $0.sharesTurn = outer } }
        body()
    }
}

extension BridgeSession.EngineWork {
    /// What it belongs to.
    var operation: JSOperation? {
        switch self {
        case .send(let message, _): message.account?.operation
        case .dispatch(_, let request, _): request.account?.operation
        case .callback(_, _, let account): account?.operation
        }
    }
}

extension WorkAccount {
    fileprivate var operation: JSOperation? { owner as? JSOperation }
}

extension BridgeSession.State {
    /// The operation whose turn comes next; `nil` where that is none, or nothing waits.
    var nextOperation: JSOperation? {
        firstEngineWork < engineWork.count ? engineWork[firstEngineWork].operation : nil
    }

    /// Drops what waits first as long as its operation has ended.
    mutating func dropEndedWork() {
        while firstEngineWork < engineWork.count,
            engineWork[firstEngineWork].operation?.termination != nil
        {
            if case .dispatch(_, let request, _) = engineWork[firstEngineWork] { machine.drop(request) }
            firstEngineWork += 1
        }
    }
}
