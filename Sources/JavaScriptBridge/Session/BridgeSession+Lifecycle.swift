internal import BridgeProtocol
internal import Synchronization

/// The states of a session: its scripts, its ends, and the ends of its contexts and operations.
extension BridgeSession {
    /// Calls a body with the current state, and with each later one.
    ///
    /// - Returns: The subscription, which ends it.
    func observeState(_ body: @escaping @Sendable (BridgeState) -> Void) -> BridgeSubscription {
        let id = state.withLock { state -> Int in
            let (id, isCurrent) = state.lifecycle.addObserver(body)
            // In the order of the changes: no other observer is notified before the lock is released.
            if isCurrent { body(BridgeState(state.machine.state)) }
            return id
        }
        return BridgeSubscription { [weak self] in
            // Release the observer outside the lock: its deinitializers may use the bridge.
            let removed = self?.state.withLock { $0.lifecycle.removeObserver(id) }
            withExtendedLifetime(removed) {}
        }
    }

    /// Runs a body when the session ends, immediately if it has ended.
    func whenClosed(_ body: @escaping @Sendable () -> Void) -> BridgeSubscription {
        let id = state.withLock { state -> Int? in
            guard state.machine.state != .closed else { return nil }
            return state.lifecycle.addEnding(body)
        }
        guard let id else {
            body()
            return BridgeSubscription {}
        }
        return BridgeSubscription { [weak self] in
            let removed = self?.state.withLock { $0.lifecycle.removeEnding(id) }
            withExtendedLifetime(removed) {}
        }
    }

    // MARK: - Scripts

    /// Records that a script of the bridge has run: the other side is connected.
    ///
    /// It is called in a turn.
    func scriptHasRun() {
        guard !configuration.expectsOwnScript else { return }
        update(isInTurn: true) { state in
            if state.content.start.mayBegin { state.machine.peerReady() }
        }
    }

    /// Delays the queued calls until the scripts that are being loaded have all run.
    func beginLoad(isModule: Bool = false) -> Int {
        state.withLock { $0.content.start.beginLoad(isModule: isModule) }
    }

    func endLoad(_ load: Int) { state.withLock { $0.content.start.endLoad(load) } }

    /// Remembers a script that was loaded.
    func remember(_ source: ScriptSource, sourceMaps: SourceMapLoader?) {
        state.withLock { state in
            if state.machine.state != .closed { state.content.scripts.add(source, sourceMaps: sourceMaps) }
        }
    }

    /// Returns whether a reload is the latest one, so that it decides the outcome; `nil` if a later one has completed
    /// already.
    func isLastReload(_ epoch: UInt64) -> Bool? {
        state.withLock { state in
            let isLast = state.machine.epoch == epoch
            return isLast || state.machine.state == .tearingDown ? isLast : nil
        }
    }

    func contextWasReplaced(_ epoch: UInt64, keepingScripts: Bool) {
        update(isInTurn: true) { state in
            state.machine.tornDown(epoch)
            if !configuration.expectsOwnScript { state.machine.injected() }
            if !keepingScripts {
                state.content.scripts = LoadedScripts()
                state.content.start.isDeclared = false
            }
        }
    }

    /// Runs scripts, each in its own turn, and then sends the queued messages.
    ///
    /// - Returns: The first error.
    func rerun(_ scripts: [LoadedScript], _ access: JavaScriptRuntime.ExclusiveAccess) -> (
        any Error
    )? {
        var failure: (any Error)?
        let load = beginLoad()
        // For the case that the last script cannot be run.
        defer { endLoad(load) }
        for (index, script) in scripts.enumerated() {
            do {
                try access.turn { context in
                    defer {
                        if index == scripts.indices.last {
                            endLoad(load)
                            scriptHasRun()
                        }
                    }
                    _ = try script.run(in: context, injects: configuration.injectsScript)
                }
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }

    // MARK: - Ends

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
            traceLostArrivals(in: &state)
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
        let (tasks, callbacks) = update { state -> ([HandlerTask], [EngineWork]) in
            // A context that is being given up has nothing left to end.
            guard state.machine.state != .tearingDown else { return ([], []) }
            state.machine.retire(BridgeError(exception))
            traceLostArrivals(in: &state)
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
        let (epoch, tasks) = try update { state throws(BridgeError) -> (UInt64, [HandlerTask]) in
            guard state.machine.state != .closed else {
                throw BridgeError(.disconnected, "The bridge is closed, so it has no context to replace.")
            }
            let error = BridgeError(.disconnected, "The bridge was reloaded before the reply came.")
            let epoch = state.machine.tearDown(error)
            traceLostArrivals(in: &state)
            state.machine.countDropped(state.queue.keepCallbacks())
            state.queue.lastDeliveredCall = nil
            state.lifecycle.references = 0
            return (epoch, state.runs.allTasks)
        }
        forgetReferences()
        for task in tasks { task.cancel() }
        return epoch
    }

    /// Invalidates the references between Swift and the lost context.
    private func forgetReferences() {
        references.contextLost()
        // Release them outside the lock.
        let kept = state.withLock { state in
            defer { state.kept = SessionResults() }
            return state.kept
        }
        withExtendedLifetime(kept) {}
    }

    // MARK: - Operations
    //
    // A message is handled in a turn of its sender's operation, and so is its answer, with both transports and in both
    // directions.
    //
    // Work of different operations never shares a turn. The engine's queue stays in order: a turn takes the work of its
    // own operation and leaves work of another one to that operation's turn.

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
    func turnWasStopped(of operation: ExecutionBudget, _ exception: JSException, in context: JSContext) {
        guard operation.termination == nil else { return end(operation, with: exception) }
        // Its microtasks are gone, so no answer would come.
        let error = BridgeError(exception)
        update { $0.machine.endWork(of: WorkBudget(operation), with: error) }
        if configuration.injectsScript { noteEnded(of: operation, in: context) }
        tellScript(endOf: operation, with: error, joining: operation)
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

extension BridgeSession.State {
    /// A Boolean value that indicates whether a turn may still come for what waits for the engine.
    var hasTurns: Bool { !queue.isRuntimeClosed && machine.state != .retired }

    /// Drains the queue for the engine and returns the callbacks in it.
    fileprivate mutating func takeCallbacks() -> [EngineWork] {
        machine.countDropped(queue.keepCallbacks())
        return queue.removeAll()
    }
}

extension WorkBudget {
    /// The operation that it belongs to.
    var operation: ExecutionBudget? { owner as? ExecutionBudget }
}

extension BridgeConfiguration {
    /// A Boolean value that indicates whether a script brings its own side of the protocol, which is connected once its
    /// global exists.
    var expectsOwnScript: Bool { transport == .text && !injectsScript }

    /// The format of the ids of calls: that of WebViewJavascriptBridge on its wire, or that of another dialect.
    ///
    /// If both sides belong to this package, the ids have an epoch and random bits (P21, P24, R4).
    var identifierForm: IdentifierForm {
        switch transport {
        case .direct: .inProcess
        case .text: injectsScript && dialect == .wvjb6 ? .extended : dialect.identifierForm
        }
    }
}

extension BridgeState {
    init(_ state: SessionMachine.State) {
        self =
            switch state {
            case .idle: .idle
            case .injected: .injected
            case .live: .live
            case .tearingDown: .tearingDown
            case .retired, .closed: .dead
            }
    }
}
