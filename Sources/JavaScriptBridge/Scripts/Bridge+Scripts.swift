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
        let (text, name) = try source.read()
        let sourceMaps = sourceMaps ?? source.sourceMaps
        let injects = session.configuration.injectsScript
        return try await withContext { context in
            // A script may have filled the ancestor's list of set-up callbacks, which an injection runs (P3,
            // P6).
            defer { if injects { _ = try? context.internals.invokeMethod("installBridge") } }
            let value = try context.evaluate(text, sourceURL: name, sourceMaps: sourceMaps)
            // A script's last statement may be anything, also what is no data.
            return (try? value.toValue()) ?? .undefined
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
            defer { session.update(isInTurn: true) { _ = $0.machine.peerReady() } }
            return try body(context)
        }
    }

    /// Waits until nothing happens any more by itself: no timer, no call, no handler at work, no listener.
    public func waitUntilIdle() async { await runtime.waitUntilIdle() }

    /// Keeps ``waitUntilIdle()`` waiting, or no longer: for what a room above keeps alive, such as a
    /// listener.
    package func addReferences(_ count: Int) { session.addReferences(count) }
}
