extension JavaScriptRuntime {
    /// Runs a body when no turn is open.
    ///
    /// Until the body ends, only its own turns are opened.
    ///
    /// A running script is not terminated: this waits for its end, or its limit.
    package func withExclusiveAccess<Result: Sendable>(
        _ body: @Sendable (ExclusiveAccess) throws -> Result
    ) throws -> Result {
        let core = core
        return try home.alone { try body(ExclusiveAccess(core: core)) }
    }

    /// The operations that need exclusive access to a runtime.
    package struct ExclusiveAccess {
        let core: RuntimeCore

        /// Replaces the runtime's context by a new one, in the same virtual machine.
        ///
        /// The old context is closed: its timers and asynchronous functions end, its Swift functions release their
        /// captures, and its values throw when used. Callers that wait for one of its promises get `disconnected`. Its
        /// garbage is collected before this returns. If a script was terminated and the limits retire contexts in that
        /// case, the new one runs scripts again. Pending jobs and calls get their turn in the new context.
        ///
        /// - Parameter prepare: Prepares the new context before anything else runs in it.
        /// - Throws: The error of `prepare`; ``BridgeError`` with the code `disconnected` after
        ///   ``JavaScriptRuntime/close()``; a ``JSException`` if the package's own scripts were terminated. The runtime
        ///   is then without a usable context until the next attempt.
        package func replaceContext(preparing prepare: (JSContext) throws -> Void) throws {
            try core.replaceContext(preparing: prepare)
        }

        /// Runs a body as one turn, outside any operation.
        package func turn<Result>(_ body: (JSContext) throws -> Result) throws -> Result {
            try core.perform(joining: nil, body)
        }
    }

    /// Closes the runtime after the pending jobs have run; no turn is terminated for it.
    ///
    /// It does not retain the runtime.
    package nonisolated func closeAfterJobs() {
        submitWeakly { _, core in
            _ = core.drainInbox()
            core.close()
            core.finishClosing()
        }
    }
}
