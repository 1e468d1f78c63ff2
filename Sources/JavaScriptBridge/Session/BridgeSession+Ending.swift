internal import BridgeProtocol
internal import Synchronization

extension BridgeSession {
    /// A Boolean value that indicates whether ``close()`` was called.
    var isClosed: Bool { state.withLock { $0.machine.state == .closed } }

    /// Ends the session and its runtime.
    ///
    /// Scripts whose calls end with it are notified in one more turn; nothing runs after that.
    ///
    /// - Parameter error: The error for everything that is pending.
    func close(_ error: BridgeError = BridgeError(.disconnected, "The bridge was closed.")) {
        if !isClosed { _ = crosses(.closed) }
        let (tasks, runtime, handlers, listeners) = update { state in
            state.machine.close(error)
            // There is one turn more for all of it.
            state.queue.sharesTurn = true
            // Queued requests are not begun any more; replies are still delivered.
            state.queue.keepReplies()
            defer {
                state.listeners = TopicListeners()
                state.content.scripts = LoadedScripts()
            }
            return (
                state.runs.allTasks, state.queue.runtime, state.handlers.removeAll(), state.listeners
            )
        }
        // Release them outside the lock: their deinitializers may use the bridge.
        withExtendedLifetime((handlers, listeners)) {}
        forgetReferences()
        for task in tasks { task.cancel() }
        let endings = state.withLock { $0.lifecycle.takeEndings() }
        interceptors.removeAll()
        for ending in endings { ending() }
        state.withLock { $0.timer.cancel() }
        runtime?.closeAfterJobs()
    }

    /// Ends the session because its runtime was closed: no turn comes any more, for scripts neither.
    ///
    /// Called on the thread that closes the runtime, which may be inside a turn.
    func runtimeWasClosed() {
        if !isClosed { close(BridgeError(.disconnected, "The runtime was closed.")) }
        let (runtime, callbacks) = state.withLock { state in
            state.queue.isRuntimeClosed = true
            defer { note(state) }
            return (state.queue.runtime, state.takeCallbacks())
        }
        guard !callbacks.isEmpty else { return }
        // On the engine's isolation, as they run in a turn.
        runtime?.enqueue { _ in
        } otherwise: { _ in
            for case .callback(let callback, let value, _) in callbacks { callback(value) }
        }
    }

    /// Ends everything but the handlers because no script of the context will run again: every call settles with the
    /// error that stopped the script.
    ///
    /// Called outside a turn.
    func retire(_ exception: JSException) {
        let (tasks, callbacks) = update { state -> ([Task<Void, Never>], [EngineWork]) in
            // A context that is being given up has nothing left to end.
            guard state.machine.state != .tearingDown else { return ([], []) }
            state.machine.retire(BridgeError(exception))
            return (state.runs.allTasks, state.takeCallbacks())
        }
        forgetReferences()
        for task in tasks { task.cancel() }
        // No turn will come for what had its outcome already.
        for case .callback(let callback, let value, _) in callbacks { callback(value) }
    }

    /// Gives up the current context.
    ///
    /// Messages queued for it, and messages from it that were not begun, are dropped; settled calls keep their outcome.
    ///
    /// - Returns: The new epoch.
    /// - Throws: `disconnected` after ``close()``.
    func loseContext() throws(BridgeError) -> UInt64 {
        let (epoch, tasks) = try update { state throws(BridgeError) -> (UInt64, [Task<Void, Never>]) in
            guard state.machine.state != .closed else {
                throw BridgeError(.disconnected, "The bridge is closed, so it has no context to replace.")
            }
            let error = BridgeError(.disconnected, "The bridge was reloaded before the reply came.")
            let epoch = state.machine.tearDown(error)
            state.machine.countDropped(state.queue.keepCallbacks())
            state.queue.lastDeliveredCall = nil
            state.lifecycle.references = 0
            return (epoch, state.runs.allTasks)
        }
        forgetReferences()
        for task in tasks { task.cancel() }
        return epoch
    }
}

extension BridgeSession {
    /// Invalidates the references between Swift and the lost context.
    private func forgetReferences() {
        references.contextLost()
        // Release them outside the lock.
        let kept = state.withLock { state in
            defer { state.kept = RetainedResults() }
            return state.kept
        }
        withExtendedLifetime(kept) {}
    }
}

extension BridgeSession.State {
    /// A Boolean value that indicates whether a turn may still come for what waits for the engine.
    var hasTurns: Bool { !queue.isRuntimeClosed && machine.state != .retired }

    /// Drains the queue for the engine and returns the callbacks in it.
    fileprivate mutating func takeCallbacks() -> [EngineWork] {
        machine.countDropped(queue.keepCallbacks())
        return queue.removeAll()
    }
}
