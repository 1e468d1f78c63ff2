internal import BridgeProtocol

/// The API of WebViewJavascriptBridge, with the same names.
extension Bridge {
    /// A closure with which a handler of the legacy API replies; a second reply is ignored.
    public typealias ResponseCallback = @Sendable (Value) -> Void

    /// Registers a handler of the legacy API; it replaces a handler of the same name.
    ///
    /// The handler may reply at any time, from any thread, or never.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded`
    ///   for one that is too long.
    public func registerHandler(
        _ name: String,
        fileID: String = #fileID,
        line: Int = #line,
        handler: @escaping @Sendable (_ data: Value, _ responseCallback: @escaping ResponseCallback) -> Void
    ) throws {
        try register(
            name,
            .legacy(handler),
            at: CallSite(handler: name, fileID: fileID, line: line)
        )
    }

    /// Calls a handler that a script registered, without waiting for the reply.
    ///
    /// The callback never receives an error: when the call fails, the bridge releases the callback and logs a warning.
    /// The callback runs where handlers that are not `async` run, and in order with them. A callback that blocks delays
    /// the messages behind it, but no deadline.
    ///
    /// In an asynchronous function, `callHandler(name)` without data and callback is the call that is awaited:
    /// ``callHandler(_:timeout:function:fileID:line:)``. ``notify(_:)`` sends without waiting in both kinds of
    /// function.
    public func callHandler(_ name: String, data: Value? = nil, responseCallback: ResponseCallback? = nil) {
        guard let responseCallback else {
            do {
                try session.notify(name, payload: data.map(MessagePayload.value))
            } catch {
                session.logWarning("The call of \"\(name)\" was not sent. \(error)")
            }
            return
        }
        let session = self.session
        let waiter = Waiter.callback(responseCallback) { error in
            session.logWarning("The call of \"\(name)\" failed, and its callback takes no errors. \(error)")
        }
        session.callWithCallback(name, payload: data.map(MessagePayload.value), waiter)
    }

    /// Drops the pending calls and the queued messages but keeps the handlers; a connected peer stays connected.
    public func reset() { session.update { $0.machine.reset() } }

    /// Makes the script's side handle each message immediately instead of in a timer's turn.
    ///
    /// The spelling is that of WebViewJavascriptBridge. The direct transport handles messages immediately in any case.
    public func disableJavscriptAlertBoxSafetyTimeout() {
        callHandler("_disableJavascriptAlertBoxSafetyTimeout")
    }

    /// Logs every message of this bridge to its own sink, as WebViewJavascriptBridge does.
    public func enableLogging() { session.enableLogging() }

    /// Sets the maximum number of UTF-16 units of a message in a line of the log; the default is 500.
    public func setLogMaxLength(_ length: Int) { session.update { $0.maximumLogLength = max(0, length) } }
}
