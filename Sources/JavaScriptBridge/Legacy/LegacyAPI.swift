internal import BridgeProtocol

extension Bridge {
    /// The API of WebViewJavascriptBridge, with the same names.
    public var legacy: LegacyAPI { LegacyAPI(bridge: self) }

    /// The API of WebViewJavascriptBridge for a bridge: handlers and calls with a callback, which gets no errors.
    ///
    /// ```swift
    /// let bridge = try Bridge().legacy
    /// try bridge.registerHandler("add") { data, responseCallback in responseCallback(data) }
    /// bridge.callHandler("show", data: ["id": 7]) { response in print(response) }
    /// ```
    ///
    /// It has no state of its own and keeps its bridge alive. Handlers of both kinds share their names, and a script
    /// cannot tell which kind answers it. New programs have `async` functions on ``Bridge`` for the same purposes.
    public struct LegacyAPI: Sendable {
        /// A closure with which a handler replies; a second reply is ignored.
        public typealias ResponseCallback = @Sendable (Value) -> Void

        /// The bridge.
        public let bridge: Bridge

        /// Registers a handler; it replaces a handler of the same name.
        ///
        /// The handler may reply at any time, from any thread, or never.
        ///
        /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded`
        ///   for one that is too long.
        public func registerHandler(
            _ name: String,
            fileID: String = #fileID,
            line: Int = #line,
            handler:
                @escaping @Sendable (_ data: Value, _ responseCallback: @escaping ResponseCallback) -> Void
        ) throws {
            try bridge.register(
                name,
                .legacy(handler),
                at: CallSite(handler: name, fileID: fileID, line: line)
            )
        }

        /// Removes a handler, as ``Bridge/removeHandler(_:)`` does.
        public func removeHandler(_ name: String) { bridge.removeHandler(name) }

        /// Calls a handler that a script registered, without waiting for the reply.
        ///
        /// The callback never receives an error: when the call fails, the bridge releases the callback and logs a
        /// warning. The callback runs where handlers that are not `async` run, and in order with them. A callback that
        /// blocks delays the messages behind it, but no deadline.
        public func callHandler(
            _ name: String,
            data: Value? = nil,
            responseCallback: ResponseCallback? = nil
        ) {
            let session = bridge.session
            guard let responseCallback else {
                do {
                    try session.notify(name, payload: data.map(MessagePayload.value))
                } catch {
                    session.logWarning("The call of \"\(name)\" was not sent. \(error)")
                }
                return
            }
            let waiter = Waiter.callback(responseCallback) { error in
                session.logWarning(
                    "The call of \"\(name)\" failed, and its callback takes no errors. \(error)"
                )
            }
            session.callWithCallback(name, payload: data.map(MessagePayload.value), waiter)
        }

        /// Drops the pending calls and the queued messages, as ``Bridge/reset()`` does.
        public func reset() { bridge.reset() }

        /// Makes the script's side handle each message immediately instead of in a timer's turn.
        ///
        /// The spelling is that of WebViewJavascriptBridge. The direct transport handles messages immediately in any
        /// case.
        public func disableJavscriptAlertBoxSafetyTimeout() {
            callHandler("_disableJavascriptAlertBoxSafetyTimeout")
        }

        /// Logs every message of the bridge, as ``Bridge/enableLogging()`` does.
        public func enableLogging() { bridge.enableLogging() }

        /// Sets the maximum length of a message in a line of the log, as ``Bridge/setLogMaxLength(_:)`` does.
        public func setLogMaxLength(_ length: Int) { bridge.setLogMaxLength(length) }
    }
}
