extension JavaScriptRuntime {
    /// Ends the turn that runs now, from any thread.
    ///
    /// The turn throws a ``JSException`` whose ``JSException/termination`` says the reason, also where all in
    /// it has come to its end meanwhile. Where no turn is open nothing happens: an interrupt is never kept
    /// for a later one, whose script may be another's.
    ///
    /// - Parameter reason: Why, for the person who reads the error.
    /// - Returns: Whether a turn was open.
    @discardableResult
    public nonisolated func interrupt(reason: String) -> Bool { sharedCore.interrupt(reason: reason) }

    /// Ends the runtime: the script that runs is stopped, whoever waits for a promise gets the error
    /// `disconnected`, and so does who calls later.
    ///
    /// A bridge on this runtime is closed with it, and everything that waits for its scripts gets `disconnected` too.
    /// Harmless when done twice, on any thread, also inside a turn, which it ends. A runtime that is not held
    /// any more goes by itself.
    public nonisolated func close() {
        sharedCore.close()
        submit { _, core in core.finishClosing() }
    }

    /// Sets what is called once when the runtime is closed, on the thread that closes it, before its script is stopped.
    package nonisolated func setCloseHandler(_ handler: @escaping @Sendable () -> Void) {
        sharedCore.setCloseHandler(handler)
    }

    /// Whether the runtime was closed.
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
