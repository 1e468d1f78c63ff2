internal import BridgeProtocol

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
}
