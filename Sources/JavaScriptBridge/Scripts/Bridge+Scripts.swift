internal import BridgeProtocol

extension Bridge {
    /// Runs a script in the bridge's context, or a page with its scripts.
    ///
    /// Calls that waited for the first script are sent when it is done; with the text transport, when a script has used its
    /// side of the protocol, so that the handlers are there (``ready()`` sends them in any case).
    ///
    /// A page is loaded as a browser does it, without drawing it: its markup becomes the document, its scripts run in
    /// their order, each in a turn of its own, files beside the page's file among them, and `DOMContentLoaded` and `load`
    /// follow. Calls wait until then. An error of one of its scripts goes to the page's `window.onerror`, or else to
    /// ``BridgeConfiguration/uncaughtErrorHandler``, and the next script runs. It needs the text transport.
    ///
    /// A source map that the script's last comment names is used for the frames of its errors: one in the
    /// comment itself, and for a file one in the file's folder.
    ///
    /// - Parameters:
    ///   - source: The script.
    ///   - sourceMaps: Finds the script's source map; by default ``SourceMapLoader/beside(file:)`` for a file,
    ///     nothing for a text.
    /// - Returns: The value of the script's last statement, as data.
    /// - Throws: ``JSException`` with the place, a code frame and the stack; ``BridgeError`` with the code
    ///   `scriptFailed` for a file that cannot be read, `unsupported` for a page where messages cross in process or are
    ///   recorded.
    @discardableResult
    public func load(_ source: ScriptSource, sourceMaps: SourceMapLoader? = nil) async throws -> Value {
        if source.isPage { try checkPages() }
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
        // Where a script is stopped.
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
        guard session.configuration.crossings == nil else {
            throw BridgeError(
                .unsupported,
                "A page cannot be recorded or replayed: load its scripts one by one."
            )
        }
    }

    /// Runs a body with the bridge's context, as one turn: the way to do much at once.
    ///
    /// - Throws: What the body throws; a ``JSException`` whose `isTermination` is true where the turn was
    ///   stopped.
    public func withContext<Result: Sendable>(
        _ body: @Sendable (JSContext) throws -> Result
    ) async throws -> Result {
        let session = self.session
        return try await runtime.withContext { context in
            // The peer is there once its first script has run, well or not.
            defer { session.scriptHasRun() }
            return try body(context)
        }
    }

    /// Waits until nothing happens any more by itself: no timer, no call, no handler at work, no listener.
    public func waitUntilIdle() async { await runtime.waitUntilIdle() }

    /// Keeps ``waitUntilIdle()`` waiting, or no longer: for what a room above keeps alive, such as a
    /// listener.
    package func addReferences(_ count: Int) { session.addReferences(count) }
}
