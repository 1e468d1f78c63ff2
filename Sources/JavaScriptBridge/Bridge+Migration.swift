// What people write who come from WebViewJavascriptBridge, and what it is called here: each name that they know is an
// error of the compiler that says so (Documentation/Migration.md).

/// Has another name here.
@available(*, unavailable, renamed: "Bridge")
public typealias WebViewJavascriptBridge = Bridge

/// Has another name here.
@available(*, unavailable, renamed: "Bridge")
public typealias WKWebViewJavascriptBridge = Bridge

/// Has another name here.
@available(*, unavailable, renamed: "Bridge.ResponseCallback")
public typealias WVJBResponseCallback = Bridge.ResponseCallback

/// Is a closure here.
@available(
    *,
    unavailable,
    message:
        "a handler is a closure: (_ data: Value, _ responseCallback: @escaping Bridge.ResponseCallback) -> Void"
)
public typealias WVJBHandler = @Sendable (Value, @escaping Bridge.ResponseCallback) -> Void

extension Bridge {
    /// Has data of another type here.
    @available(
        *,
        unavailable,
        message: "data is a Value: a literal, Value(text), or try Value(any: dictionary)"
    )
    @_disfavoredOverload
    public func callHandler(_ name: String, data: Any?, responseCallback: ResponseCallback? = nil) {}

    /// Calls a handler that a script registered and waits for its reply.
    ///
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:function:fileID:line:)`` does.
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

    /// Goes with another label here.
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

    /// Gets values of other types here.
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

    /// Is called by the empty name here.
    @available(
        *,
        unavailable,
        message: "the default handler has the empty name: callHandler(\"\", data: data)"
    )
    public func send(_ data: Any?) {}

    /// Is called by the empty name here.
    @available(
        *,
        unavailable,
        message:
            "the default handler has the empty name: callHandler(\"\", data: data, responseCallback: callback)"
    )
    public func send(_ data: Any?, responseCallback: ResponseCallback?) {}

    /// Belongs to one bridge here.
    @available(*, unavailable, message: "each bridge has a log of its own: bridge.enableLogging()")
    public static func enableLogging() {}

    /// Belongs to one bridge here.
    @available(*, unavailable, message: "each bridge has a log of its own: bridge.setLogMaxLength(length)")
    public static func setLogMaxLength(_ length: Int) {}

    /// Is not needed here.
    @available(
        *,
        unavailable,
        message: "there is no web view: try Bridge(configuration:), then load(.file(\"page.html\"))"
    )
    public convenience init(forWebView webView: Any?) { fatalError("unavailable") }

    /// Is not needed here.
    @available(
        *,
        unavailable,
        message:
            "there is no web view; errors that no script catches go to BridgeConfiguration.uncaughtErrorHandler"
    )
    public func setWebViewDelegate(_ delegate: Any?) {}
}
