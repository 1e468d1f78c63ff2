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
