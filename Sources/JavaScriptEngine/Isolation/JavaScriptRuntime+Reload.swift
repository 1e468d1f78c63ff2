extension JavaScriptRuntime {
    /// Runs a body when no turn is open, and opens none before it is done but those of the body.
    ///
    /// A script that runs is let come to its end, or to its limit.
    package func withExclusiveAccess<Result: Sendable>(
        _ body: @Sendable (ExclusiveAccess) throws -> Result
    ) throws -> Result {
        let core = core
        return try home.alone { try body(ExclusiveAccess(core: core)) }
    }

    /// What who is alone with a runtime may do.
    package struct ExclusiveAccess {
        let core: RuntimeCore

        /// Puts a new context in the place of the runtime's, in the same virtual machine.
        ///
        /// The old context is closed: its timers and asynchronous functions end, its functions of Swift let go
        /// what they hold, its values throw where they are used, and who waits for a promise of it gets
        /// `disconnected`. What it held is collected before this returns. Where a script was stopped and the
        /// limits retire contexts then, the new one runs scripts again. Jobs and calls that wait for a turn have
        /// it in the new context.
        ///
        /// - Parameter prepare: Adds to the new context before anything else runs in it.
        /// - Throws: What `prepare` throws; ``BridgeError`` with the code `disconnected` after
        ///   ``JavaScriptRuntime/close()``; a ``JSException`` where the package's own scripts were stopped. The
        ///   runtime then has no context that runs anything, until the next attempt.
        package func replaceContext(preparing prepare: (JSContext) throws -> Void) throws {
            try core.replaceContext(preparing: prepare)
        }

        /// Runs a body as one turn, inside no operation.
        package func turn<Result>(_ body: (JSContext) throws -> Result) throws -> Result {
            try core.perform(joining: nil, body)
        }
    }

    /// Ends the runtime once the jobs that wait were done: no turn is stopped for it.
    ///
    /// It does not keep the runtime alive.
    package nonisolated func closeAfterJobs() {
        submitWeakly { _, core in
            _ = core.drainInbox()
            core.close()
            core.finishClosing()
        }
    }
}
