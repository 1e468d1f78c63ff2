internal import BridgeProtocol
internal import Synchronization

extension Bridge {
    /// Runs a script in the bridge's context, a module with all that it imports, or a page with its scripts.
    ///
    /// Calls that waited for the first script are sent when it is done. With the text transport they are sent when a
    /// script has used its side of the protocol, so that the handlers exist. ``ready()`` sends them in any case.
    ///
    /// A page is loaded as a browser does it, but not drawn: its markup becomes the document, its scripts run in their
    /// order, each in its own turn, including files beside the page's file. `DOMContentLoaded` and `load` follow. Calls
    /// wait until then. An error of one of its scripts goes to the page's `window.onerror`, or else to
    /// ``BridgeConfiguration/uncaughtErrorHandler``, and the next script runs. A page needs the text transport.
    ///
    /// A module is loaded once it is evaluated, with each top-level `await`. Calls wait until then, or until the first
    /// answer to a call of the module itself: it registers its handlers before it awaits one. A file that was loaded as a
    /// module before is not evaluated again. A module cannot be recorded.
    ///
    /// The frames of errors use the source map that the script's last comment names: one in the comment itself, or for
    /// a file one in the file's folder.
    ///
    /// - Parameters:
    ///   - source: The script.
    ///   - sourceMaps: The loader of the script's source map; by default ``SourceMapLoader/beside(file:)`` for a file,
    ///     none for a string.
    /// - Returns: The value of the script's last statement, as data; `undefined` for a module and a page.
    /// - Throws: ``JSException`` with the location, a code frame and the stack; ``BridgeError`` with the code
    ///   `scriptFailed` for a file that cannot be read, `disconnected` after ``close()``, `unsupported` for a page with the direct transport or while
    ///   messages are recorded, and for a module while they are; ``ModuleError`` if modules are not available.
    @discardableResult
    public func load(_ source: ScriptSource, sourceMaps: SourceMapLoader? = nil) async throws -> Value {
        // The runtime has one more turn, in which scripts would find a bridge that answers nothing.
        guard !session.isClosed else {
            throw BridgeError(.disconnected, "The bridge is closed, so it loads no scripts.")
        }
        if source.isPage { try checkPages() }
        if source.isModule {
            try await beginLoading(module: source).finish()
            return .undefined
        }
        let scripts = try LoadedScript.all(of: source, sourceMaps: sourceMaps)
        let injects = session.configuration.injectsScript
        let session = self.session
        guard scripts.count > 1 else {
            return try await withContext { context in
                let value = try scripts.first?.run(in: context, injects: injects) ?? .undefined
                session.remember(source, sourceMaps: sourceMaps)
                return value
            }
        }
        let load = session.beginLoad()
        // For the case that a script is stopped.
        defer { session.endLoad(load) }
        for script in scripts.dropLast() {
            _ = try await withContext { try script.run(in: $0, injects: injects) }
        }
        return try await withContext { context in
            defer { session.endLoad(load) }
            let value = try scripts.last?.run(in: context, injects: injects) ?? .undefined
            session.remember(source, sourceMaps: sourceMaps)
            return value
        }
    }

    private func checkPages() throws {
        guard session.configuration.transport == .text else {
            let text = "A page needs the text transport: set configuration.transport to .text."
            throw BridgeError(.unsupported, text)
        }
        guard session.configuration.recording == nil else {
            throw BridgeError(
                .unsupported,
                "A page cannot be recorded or replayed: load its scripts one by one."
            )
        }
    }

    /// Runs a body with the bridge's context, in one turn, for example to make many calls together.
    ///
    /// - Throws: Any error that the body throws; a ``JSException`` whose `isTermination` is true if the turn was
    ///   stopped.
    public func withContext<Result: Sendable>(
        _ body: @Sendable (JSContext) throws -> Result
    ) async throws -> Result {
        let session = self.session
        return try await runtime.withContext { context in
            // The peer is connected once its first script has run, whether or not it failed.
            defer { session.scriptHasRun() }
            return try body(context)
        }
    }

    /// Waits until the bridge is idle: no timer, no pending call, no running handler, no listener.
    public func waitUntilIdle() async { await runtime.waitUntilIdle() }

    /// Adds to the number of references that keep ``waitUntilIdle()`` waiting, such as a listener of a higher layer; a
    /// negative count releases them.
    package func addReferences(_ count: Int) { session.addReferences(count) }

    /// Loads a module, and evaluates it up to its first top-level `await`.
    ///
    /// - Returns: The load, which must be finished.
    package func beginLoading(module source: ScriptSource) async throws -> ModuleLoad {
        guard session.configuration.recording == nil else {
            throw BridgeError(
                .unsupported,
                "A module cannot be recorded or replayed: bundle it with its imports to one script."
            )
        }
        let load = ModuleLoad(source, of: self)
        try await load.begin()
        return load
    }

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

    /// Replaces modules whose sources have changed, and all modules that import them; the bridge remains as it is.
    ///
    /// The modules must be reloadable (``ModuleConfiguration/isReloadable``). Swift's handlers, the connection, all other
    /// modules and `import.meta.hot.data` remain. Calls of a script's handler that have begun end with the function of the
    /// old version; calls that begin later reach the new one. Handlers, listeners, data sources and timers that the old
    /// version registered while it was evaluated are removed, unless the new one registers them again. If the new version
    /// fails, those of the old one remain.
    ///
    /// Everything else that the old version has created remains until it ends itself, for example in a function that it
    /// gives to `import.meta.hot.dispose()`: streams, listeners of stores and views, and timers that were started later.
    ///
    /// - Parameter urls: The URLs of the modules that have changed; those that no module imports are ignored.
    /// - Returns: The URLs of the modules that were replaced.
    /// - Throws: ``JSException`` with the error of the new version, or of a reload that a later one has replaced;
    ///   ``BridgeError`` with the code `disconnected` after ``close()``; ``ModuleError`` if modules cannot be reloaded.
    @discardableResult
    public func reloadModules(_ urls: Set<String>) async throws -> Set<String> {
        try await runtime.reloadModules(urls)
    }
}
