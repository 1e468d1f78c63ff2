extension JavaScriptRuntime {
    /// Terminates the turn that is running.
    ///
    /// It may be called on any thread.
    ///
    /// The turn throws a ``JSException`` whose ``JSException/termination`` contains the reason, even if all its scripts
    /// have finished meanwhile. Without an open turn nothing happens: an interrupt is never stored for a later turn,
    /// whose script may belong to another caller.
    ///
    /// - Parameter reason: The reason, for the person who reads the error.
    /// - Returns: Whether a turn was open.
    @discardableResult
    public nonisolated func interrupt(reason: String) -> Bool { sharedCore.interrupt(reason: reason) }

    /// Closes the runtime: the running script is terminated, and pending and later calls throw the error
    /// `disconnected`.
    ///
    /// A bridge on this runtime is closed with it, and everything that waits for its scripts gets `disconnected` too.
    /// The call may be repeated, on any thread, also inside a turn, which it terminates. A runtime without references
    /// closes by itself.
    public nonisolated func close() {
        sharedCore.close()
        submit { _, core in core.finishClosing() }
    }

    /// Sets the handler that is called once when the runtime is closed, on the closing thread, before the script is
    /// terminated.
    package nonisolated func setCloseHandler(_ handler: @escaping @Sendable () -> Void) {
        sharedCore.setCloseHandler(handler)
    }

    /// A Boolean value that indicates whether the runtime was closed.
    public nonisolated var isClosed: Bool { sharedCore.isClosed }
}

extension JavaScriptRuntime {
    /// Collects garbage now.
    ///
    /// - Throws: ``BridgeError`` with the code `disconnected` after ``close()``.
    public func collectGarbage() throws {
        let core = core
        try home.alone { try core.collectGarbage() }
    }
}
