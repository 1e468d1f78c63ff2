internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// Replaces the bridge's context with a new one in the same virtual machine, as a browser does with a page.
    ///
    /// The call gives up the old context immediately (``BridgeState/tearingDown``):
    /// - Earlier calls settle with `disconnected`, and streams in both directions end with it. Later calls wait and go
    ///   to
    ///   the new context, in their order; so do calls that were already waiting for a first script.
    /// - Calls of the old context are abandoned: the tasks of their handlers are cancelled; their replies and
    ///   everything
    ///   that the old context still sends are dropped and counted.
    /// - A running script continues to its end, or to its limit; ``JavaScriptRuntime/interrupt(reason:)`` ends it
    ///   sooner.
    ///
    /// Then the old context's timers, listeners and handlers are gone, and its memory is collected; values of it that
    /// Swift still holds throw when they are used. The bridge prepares the new context, and Swift's handlers and
    /// subscriptions continue in it. The bridge is live again once a script has run: with `rerunningScripts`, at the
    /// end of this call.
    ///
    /// Concurrent reloads run one after another. Cancelling the task does not cancel a reload that has begun, so that a
    /// handler may reload its own bridge. A reload also restores a bridge whose script was stopped under limits that
    /// retire contexts.
    ///
    /// - Parameter rerunningScripts: Whether to run all scripts again that ``load(_:sourceMaps:)`` has run to
    ///   their end, in their order; files are read again. Modules follow after the other scripts.
    /// - Throws: ``BridgeError`` with the code `disconnected` after ``close()``; `scriptFailed` for a file that
    ///   cannot be read and `limitExceeded` if more scripts were loaded than a bridge remembers (1,000, and
    ///   16 MB of text): nothing has changed then. The first error of a script that ran again: the others
    ///   have run too, and the bridge is live. A ``JSException`` if the new context could not be created: the
    ///   bridge stays in ``BridgeState/tearingDown`` until another reload.
    public func reload(rerunningScripts: Bool = false) async throws {
        try Task.checkCancellation()
        let session = self.session
        let loaded = rerunningScripts ? session.state.withLock { $0.content.scripts } : LoadedScripts()
        let scripts = try loaded.read()
        let modules = loaded.modules.map { ModuleLoad($0, of: self) }
        let epoch = try session.loseContext()
        let failure = try await runtime.withExclusiveAccess { [contextPreparation] access in
            // A later reload has replaced the context since.
            guard let isLast = session.isLastReload(epoch) else { return (any Error)?.none }
            try access.replaceContext { context in
                try contextPreparation(context)
                session.contextWasReplaced(epoch, keepingScripts: rerunningScripts)
            }
            return isLast ? session.rerun(scripts, access) : nil
        }
        if let failure { throw failure }
        try await run(modules)
    }

    private func run(_ modules: [ModuleLoad]) async throws {
        var failure: (any Error)?
        for module in modules {
            do {
                try await module.begin()
                try await module.finish(remembers: false)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
