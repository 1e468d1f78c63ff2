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

// The names of WebViewJavascriptBridge, with what this package calls them: the compiler reports each as an error that
// names the replacement (JavaScriptBridge.docc/Migration.md).

/// The name of ``Bridge`` in WebViewJavascriptBridge.
@available(*, unavailable, renamed: "Bridge")
public typealias WebViewJavascriptBridge = Bridge

/// The name of ``Bridge`` in WebViewJavascriptBridge.
@available(*, unavailable, renamed: "Bridge")
public typealias WKWebViewJavascriptBridge = Bridge

/// The name of ``Bridge/LegacyAPI/ResponseCallback`` in WebViewJavascriptBridge.
@available(*, unavailable, renamed: "Bridge.LegacyAPI.ResponseCallback")
public typealias WVJBResponseCallback = Bridge.LegacyAPI.ResponseCallback

/// The type of a handler in WebViewJavascriptBridge; in this package a handler is a closure.
@available(
    *,
    unavailable,
    message:
        "a handler is a closure: (_ data: Value, _ responseCallback: @escaping Bridge.LegacyAPI.ResponseCallback) -> Void"
)
public typealias WVJBHandler = @Sendable (Value, @escaping Bridge.LegacyAPI.ResponseCallback) -> Void

extension Bridge {
    /// Takes a callback in ``LegacyAPI``; a call of a bridge is awaited.
    @available(
        *,
        unavailable,
        message:
            "a call with 'data:' and a callback is bridge.legacy.callHandler; an awaited call has 'with:' and returns the reply"
    )
    public func callHandler(_ name: String, data: Any?, responseCallback: ((Value) -> Void)? = nil) {}

    /// Takes a callback in ``LegacyAPI``; a call of a bridge is awaited.
    @available(
        *,
        unavailable,
        message: "a call with a callback is bridge.legacy.callHandler; an awaited call returns the reply"
    )
    public func callHandler(_ name: String, responseCallback: @escaping (Value) -> Void) {}

    /// Takes a callback in ``LegacyAPI``; a call of a bridge is awaited.
    @available(
        *,
        unavailable,
        message:
            "a call with 'data:' and a callback is bridge.legacy.callHandler; a call with 'with:' is awaited and returns the reply"
    )
    @_disfavoredOverload
    public func callHandler(
        _ name: String,
        with data: some Encodable,
        responseCallback: @escaping (Value) -> Void
    ) {}

    /// Takes its data with the label `with:` where it is awaited.
    @available(*, unavailable, message: "an awaited call has 'with:'; 'data:' belongs to bridge.legacy")
    public func callHandler<Response: Decodable>(
        _ name: String,
        data: some Encodable,
        returning type: Response.Type = Response.self
    ) async throws -> Response {
        fatalError("unavailable")
    }

    /// Takes a handler with a callback in ``LegacyAPI``; a handler of a bridge returns its reply.
    @available(
        *,
        unavailable,
        message:
            "a handler with a callback is registered by bridge.legacy.registerHandler; a handler of a bridge returns its reply"
    )
    public func registerHandler(
        _ name: String,
        handler: @escaping (_ data: Value, _ responseCallback: @escaping LegacyAPI.ResponseCallback) -> Void
    ) throws {}

    /// Makes scripts handle messages immediately; it belongs to ``LegacyAPI``.
    @available(*, unavailable, renamed: "legacy.disableJavscriptAlertBoxSafetyTimeout")
    public func disableJavscriptAlertBoxSafetyTimeout() {}

    /// Turns on the log of all bridges in WebViewJavascriptBridge; in this package each bridge has its own log.
    @available(*, unavailable, message: "each bridge has a log of its own: bridge.enableLogging()")
    public static func enableLogging() {}

    /// Sets the line length of all logs in WebViewJavascriptBridge; in this package each bridge has its own log.
    @available(*, unavailable, message: "each bridge has a log of its own: bridge.setLogMaxLength(length)")
    public static func setLogMaxLength(_ length: Int) {}

    /// Creates a bridge for a web view in WebViewJavascriptBridge; this package has no web view.
    @available(
        *,
        unavailable,
        message:
            "there is no web view: try Bridge(configuration:), then load(.file(\"page.html\")); its property 'legacy' has the API of WebViewJavascriptBridge"
    )
    public convenience init(forWebView webView: Any?) { fatalError("unavailable") }
}

extension Bridge.LegacyAPI {
    /// Takes data of any type in WebViewJavascriptBridge; in this package the data is a ``Value``.
    @available(
        *,
        unavailable,
        message: "data is a Value: a literal, Value(text), or try Value(any: dictionary)"
    )
    @_disfavoredOverload
    public func callHandler(_ name: String, data: Any?, responseCallback: ResponseCallback? = nil) {}

    /// Takes values of any type in WebViewJavascriptBridge; in this package they are of the type ``Value``.
    @available(
        *,
        unavailable,
        message: "a handler gets a Value and replies with one: { data, responseCallback in }"
    )
    @_disfavoredOverload
    public func registerHandler(
        _ name: String,
        handler: @escaping (_ data: Any?, _ responseCallback: ((Any?) -> Void)?) -> Void
    ) {}

    /// Calls the default handler in WebViewJavascriptBridge; in this package that handler has the empty name.
    @available(
        *,
        unavailable,
        message: "the default handler has the empty name: callHandler(\"\", data: data)"
    )
    public func send(_ data: Any?) {}

    /// Calls the default handler in WebViewJavascriptBridge; in this package that handler has the empty name.
    @available(
        *,
        unavailable,
        message:
            "the default handler has the empty name: callHandler(\"\", data: data, responseCallback: callback)"
    )
    public func send(_ data: Any?, responseCallback: ResponseCallback?) {}

    /// Sets the delegate of the web view in WebViewJavascriptBridge; this package has no web view.
    @available(
        *,
        unavailable,
        message:
            "there is no web view; errors that no script catches go to BridgeConfiguration.uncaughtErrorHandler"
    )
    public func setWebViewDelegate(_ delegate: Any?) {}
}
