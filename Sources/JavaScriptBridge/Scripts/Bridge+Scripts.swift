internal import BridgeProtocol

extension Bridge {
    /// Runs a script in the bridge's context.
    ///
    /// Calls that waited for the first one are sent when it is done.
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
    ///   `scriptFailed` for a file that cannot be read.
    @discardableResult
    public func load(_ source: ScriptSource, sourceMaps: SourceMapLoader? = nil) async throws -> Value {
        let script = try LoadedScript(source, sourceMaps: sourceMaps)
        let injects = session.configuration.injectsScript
        return try await withContext { context in
            let value = try script.run(in: context, injects: injects)
            session.remember(source, sourceMaps: sourceMaps)
            return value
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
