internal import BridgeProtocol

/// The interface of WebViewJavascriptBridge, name for name.
extension Bridge {
    /// What a handler of the ancestor's form replies through; a second reply is ignored (P44).
    public typealias ResponseCallback = @Sendable (Value) -> Void

    /// Registers a handler of the ancestor's form; one that has the name already is replaced (P52).
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

    /// Calls a handler that a script registered.
    ///
    /// A callback of this form never sees an error (W3): when the call fails, it is freed, and the log gets a
    /// line. It runs where handlers do that are not `async`, and in order with them (P39): one that waits holds up
    /// what comes after it, and no deadline.
    ///
    /// Nothing is awaited. In an asynchronous function, `callHandler(name)` without data and callback is the call that is:
    /// ``callHandler(_:timeout:function:fileID:line:)``. ``notify(_:)`` sends without waiting in both.
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

    /// Drops what waits and keeps the handlers; a peer that is there stays there (P29, P30).
    public func reset() { session.update { $0.machine.reset() } }

    /// Makes the script's side handle messages at once instead of each in a timer's turn (P36, P37).
    ///
    /// The spelling is the ancestor's. In process messages are handled at once in any case.
    public func disableJavscriptAlertBoxSafetyTimeout() {
        callHandler("_disableJavascriptAlertBoxSafetyTimeout")
    }

    /// Logs every message that crosses, as the ancestor does, to this bridge's own sink (P71, P74).
    public func enableLogging() { session.enableLogging() }

    /// Sets how many UTF-16 units of a message a line of the log shows; 500 unless set (P72).
    public func setLogMaxLength(_ length: Int) { session.update { $0.maximumLogLength = max(0, length) } }
}
