internal import BridgeProtocol
internal import Synchronization

/// Messages and their operations.
///
/// A message is handled in a turn of its sender's operation, and so is its answer, with both transports and in both
/// directions.
///
/// Work of different operations never shares a turn. The engine's queue stays in order: a turn takes the work of its
/// own operation and leaves work of another one to that operation's turn.
extension BridgeSession {
    private static let lastNumber = Atomic(0)

    static func newNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    /// Returns the budget for the work on a message sent inside an operation; `nil` outside of operations.
    ///
    /// From then on this session observes the end of the operation.
    func account(of operation: ExecutionBudget?) -> WorkBudget? {
        guard let operation else { return nil }
        _ = operation.observeEnd(as: number) { [weak self, weak operation] exception in
            guard let operation else { return }
            self?.end(operation, with: exception)
        }
        return WorkBudget(operation)
    }

    /// Ends the calls, streams and handlers of an operation that has ended.
    ///
    /// Its scripts do not run for it: promises that are pending in them stay pending, and are released.
    private func end(_ operation: ExecutionBudget, with exception: JSException) {
        update { $0.machine.endWork(of: WorkBudget(operation), with: BridgeError(exception)) }
        tellScript(endOf: operation, with: nil, joining: nil)
    }

    /// Ends the calls, streams and handlers of an operation because a turn of it was stopped.
    ///
    /// - Returns: Whether the operation has ended.
    func turnWasStopped(of operation: ExecutionBudget, _ exception: JSException, in context: JSContext)
        -> Bool
    {
        guard operation.termination == nil else {
            end(operation, with: exception)
            return true
        }
        // Its microtasks are gone, so no answer would come.
        let error = BridgeError(exception)
        update { $0.machine.endWork(of: WorkBudget(operation), with: error) }
        if configuration.injectsScript { noteEnded(of: operation, in: context) }
        tellScript(endOf: operation, with: error, joining: operation)
        return false
    }

    // A page's own side of the protocol knows nothing of operations.
    private func tellScript(
        endOf operation: ExecutionBudget,
        with error: BridgeError?,
        joining turn: ExecutionBudget?
    ) {
        guard configuration.injectsScript else { return }
        let number = operation.number
        state.withLock { $0.queue.runtime }?.enqueue(joining: turn) { context in
            do {
                var arguments = [try JSValue(.integer(Int64(number)), in: context)]
                if let error { arguments.append(try JSValue(error.record, in: context)) }
                try context.internals.invokeMethod("endOperation", withArguments: arguments)
            } catch {
                self.logWarning("The script could not be notified that an operation has ended. \(error)")
            }
        }
    }

    /// Handles the messages of a body in the open turn, regardless of their operations, for a caller that waits in it.
    func sharingTurn(_ body: () -> Void) {
        let outer = state.withLock { state in
            defer { state.queue.sharesTurn = true }
            return state.queue.sharesTurn
        }
        defer { state.withLock { $0.queue.sharesTurn = outer } }
        body()
    }
}

extension WorkBudget {
    /// The operation that it belongs to.
    var operation: ExecutionBudget? { owner as? ExecutionBudget }
}
