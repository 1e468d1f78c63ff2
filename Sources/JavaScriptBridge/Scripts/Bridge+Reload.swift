internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// Replaces the bridge's context with a new one in the same virtual machine, as a browser does with a page.
    ///
    /// From the moment of the call the old context is given up (``BridgeState/tearingDown``):
    /// - Calls that were made before settle with `disconnected`, and streams of both ways end with it. Calls
    ///   that are made from now on wait and go to the new context, in their order; so do those that waited
    ///   already because no script had been loaded.
    /// - Calls of the old context are abandoned: the tasks of their handlers are cancelled, and what they still
    ///   reply is dropped and counted. What the old context still sends is dropped and counted.
    /// - A script that runs is let come to its end, or to its limit; ``JavaScriptRuntime/interrupt(reason:)``
    ///   ends it sooner.
    ///
    /// Then the old context's timers, listeners and handlers are gone, and its memory is collected; values of it
    /// that Swift still holds throw where they are used. The new context has what the bridge prepares, and
    /// Swift's handlers and subscriptions are there as before. The bridge is live again once a script has run,
    /// which is at the end of this call where scripts are run again.
    ///
    /// Reloads that come at once are done one after another. One that has begun is not cancelled with its task,
    /// so that a handler may reload its own bridge. It also brings a bridge back whose script was stopped under
    /// limits that retire contexts.
    ///
    /// - Parameter rerunningScripts: Whether to run the scripts again that ``load(_:sourceMaps:)`` has run to
    ///   their end, in their order, files as they are now.
    /// - Throws: ``BridgeError`` with the code `disconnected` after ``close()``; `scriptFailed` for a file that
    ///   cannot be read and `limitExceeded` where more scripts were loaded than a bridge remembers (1,000, and
    ///   16 MB of text): nothing has changed then. The first error of a script that ran again: the others
    ///   have run too, and the bridge is live. A ``JSException`` where the new context could not be made: the
    ///   bridge stays in ``BridgeState/tearingDown`` until another reload.
    public func reload(rerunningScripts: Bool = false) async throws {
        try Task.checkCancellation()
        let session = self.session
        let scripts = rerunningScripts ? try session.state.withLock({ $0.scripts }).read() : []
        let epoch = try session.loseContext()
        let failure = try await runtime.withExclusiveAccess { [contextPreparation] access in
            // One that was asked for later has replaced the context since.
            guard let isLast = session.isLastReload(epoch) else { return (any Error)?.none }
            try access.replaceContext { context in
                try contextPreparation(context)
                session.contextWasReplaced(epoch, keepingScripts: rerunningScripts)
            }
            return isLast ? session.rerun(scripts, access) : nil
        }
        if let failure { throw failure }
    }
}

extension BridgeSession {
    /// Notes that a script of the bridge has run: the other side is there.
    ///
    /// A turn is open.
    func scriptHasRun() {
        guard !configuration.expectsOwnScript else { return }
        update(isInTurn: true) { state in
            if state.start.mayBegin { state.machine.peerReady() }
        }
    }

    /// Holds up the calls that wait, until the scripts that are being loaded have all run.
    func beginLoad() -> Int { state.withLock { $0.start.beginLoad() } }

    func endLoad(_ load: Int) { state.withLock { $0.start.endLoad(load) } }

    /// Remembers a script that was loaded.
    func remember(_ source: ScriptSource, sourceMaps: SourceMapLoader?) {
        state.withLock { state in
            if state.machine.state != .closed { state.scripts.add(source, sourceMaps: sourceMaps) }
        }
    }

    /// Whether a reload decides what becomes of the bridge, or another that was asked for later and is still to
    /// come; `nil` where that has come already.
    fileprivate func isLastReload(_ epoch: UInt64) -> Bool? {
        state.withLock { state in
            let isLast = state.machine.epoch == epoch
            return isLast || state.machine.state == .tearingDown ? isLast : nil
        }
    }

    fileprivate func contextWasReplaced(_ epoch: UInt64, keepingScripts: Bool) {
        update(isInTurn: true) { state in
            state.machine.tornDown(epoch)
            if !configuration.expectsOwnScript { state.machine.injected() }
            if !keepingScripts {
                state.scripts = LoadedScripts()
                state.start.isDeclared = false
            }
        }
    }

    /// Runs scripts, each in a turn of its own, and then sends what waited.
    ///
    /// - Returns: The first error.
    fileprivate func rerun(_ scripts: [LoadedScript], _ access: JavaScriptRuntime.ExclusiveAccess) -> (
        any Error
    )? {
        var failure: (any Error)?
        let load = beginLoad()
        // Where the last of them cannot be run.
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
}
