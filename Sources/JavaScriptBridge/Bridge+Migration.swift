// The names of WebViewJavascriptBridge, with what this package calls them: the compiler reports each as an error that
// names the replacement (JavaScriptBridge.docc/Migration.md).

/// The name of ``Bridge`` in WebViewJavascriptBridge.
@available(*, unavailable, renamed: "Bridge")
public typealias WebViewJavascriptBridge = Bridge

/// The name of ``Bridge`` in WebViewJavascriptBridge.
@available(*, unavailable, renamed: "Bridge")
public typealias WKWebViewJavascriptBridge = Bridge

/// The name of ``Bridge/ResponseCallback`` in WebViewJavascriptBridge.
@available(*, unavailable, renamed: "Bridge.ResponseCallback")
public typealias WVJBResponseCallback = Bridge.ResponseCallback

/// The type of a handler in WebViewJavascriptBridge; in this package a handler is a closure.
@available(
    *,
    unavailable,
    message:
        "a handler is a closure: (_ data: Value, _ responseCallback: @escaping Bridge.ResponseCallback) -> Void"
)
public typealias WVJBHandler = @Sendable (Value, @escaping Bridge.ResponseCallback) -> Void

extension Bridge {
    /// Takes data of any type in WebViewJavascriptBridge; in this package the data is a ``Value``.
    @available(
        *,
        unavailable,
        message: "data is a Value: a literal, Value(text), or try Value(any: dictionary)"
    )
    @_disfavoredOverload
    public func callHandler(_ name: String, data: Any?, responseCallback: ResponseCallback? = nil) {}

    /// Calls a handler that a script registered and waits for its reply.
    ///
    /// - Throws: ``BridgeError``, as `callHandler(_:with:returning:timeout:)` does.
    @available(
        *,
        deprecated,
        renamed: "callHandler(_:with:returning:timeout:function:fileID:line:)",
        message: "a call that is awaited has 'with:'; 'data:' goes with a callback"
    )
    public func callHandler<Response: Decodable>(
        _ name: String,
        data: some Encodable,
        returning type: Response.Type = Response.self,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> Response {
        try await callHandler(
            name,
            with: data,
            returning: type,
            timeout: timeout,
            function: function,
            fileID: fileID,
            line: line
        )
    }

    /// Takes a callback with the label `data:` in this package.
    @available(
        *,
        unavailable,
        message: "a callback goes with 'data:'; a call with 'with:' is awaited and returns the reply"
    )
    @_disfavoredOverload
    public func callHandler(
        _ name: String,
        with data: some Encodable,
        responseCallback: @escaping (Value) -> Void
    ) {}

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
        message: "there is no web view: try Bridge(configuration:), then load(.file(\"page.html\"))"
    )
    public convenience init(forWebView webView: Any?) { fatalError("unavailable") }

    /// Sets the delegate of the web view in WebViewJavascriptBridge; this package has no web view.
    @available(
        *,
        unavailable,
        message:
            "there is no web view; errors that no script catches go to BridgeConfiguration.uncaughtErrorHandler"
    )
    public func setWebViewDelegate(_ delegate: Any?) {}
}
