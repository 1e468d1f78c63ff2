public import BridgeProtocol

extension BridgeDialect {
    /// WebViewJavascriptBridge 5, with another URL for its signals.
    public static let wvjb5 = BridgeDialect(
        name: "WebViewJavascriptBridge 5",
        signal: .wvjbScheme
    )

    /// WebViewJavascriptBridge 4, with `init`, `send` and a default handler, and an event in place of the set-up array.
    public static let wvjb4 = BridgeDialect(
        name: "WebViewJavascriptBridge 4",
        signal: .wvjbScheme,
        hasDefaultHandler: true,
        waitsForInit: true,
        readyEventName: readyEventName
    )

    /// JsBridge for Android: payloads are strings, and the queue is returned in a URL.
    public static let jsBridge = BridgeDialect(
        name: "JsBridge",
        entries: [Entry("_handleMessageFromNative")],
        nativeIdentifier: NativeIdentifier("JAVA_CB_", isStamped: true),
        payloadIsText: true,
        signal: .frame(
            schemes: ["yy"],
            queueHost: "__queue_message__",
            loadHost: "__bridge_loaded__",
            returnsByURL: true
        ),
        hasDefaultHandler: true,
        readyEventName: readyEventName
    )

    /// wendux/WebViewJavascriptBridge for Android: each message goes directly to an object in the page.
    public static let wendux = BridgeDialect(
        name: "wendux/WebViewJavascriptBridge",
        entries: [Entry("_handleMessageFromJava"), Entry("handleMessageFromJava", takesObject: true)],
        signal: .injectedObject(name: "WVJBInterface", function: "notice")
    )

    /// WKWebViewJavascriptBridge by Lision: the id keys end in a capital `ID`, and signals are script messages.
    public static let lision = BridgeDialect(
        name: "WKWebViewJavascriptBridge",
        globalName: "WKWebViewJavascriptBridge",
        setUpListName: "WKWVJBCallbacks",
        entries: [Entry("_handleMessageFromiOS")],
        keys: MessageKeys(callbackID: "callbackID", responseID: "responseID"),
        nativeIdentifier: NativeIdentifier("native_iOS_cb_"),
        signal: .scriptMessage(queue: "iOS_Native_FlushMessageQueue", load: "iOS_Native_InjectJavascript")
    )

    /// KKJSBridge: modules and methods in one direction, events in the other, so that native calls have no replies.
    public static let kkjsBridge = BridgeDialect(
        name: "KKJSBridge",
        globalName: "KKJSBridge",
        setUpListName: nil,
        entries: [Entry("_handleMessageFromNative")],
        api: .modules,
        scriptKeys: MessageKeys(handlerName: "method", namespace: "module", nullIsNoIdentifier: true),
        nativeKeys: MessageKeys(
            handlerName: "eventName",
            responseID: "callbackId",
            responseData: "data",
            kind: MessageKeys.Kind(key: "messageType", request: "event", response: "callback")
        ),
        signal: .scriptMessageBody(name: "KKJSBridgeMessage", prompt: "KKJSBridge"),
        repliesToNative: false
    )

    /// DSBridge 3: calls return their replies, synchronous ones too, and ids are integers.
    public static let dsBridge = BridgeDialect(
        name: "DSBridge",
        globalName: "dsBridge",
        setUpListName: nil,
        entries: [Entry("_handleMessageFromNative", takesObject: true)],
        api: .methods,
        nativeIdentifier: NativeIdentifier(""),
        signal: .call(object: "_dsbridge", prompt: "_dsbridge=")
    )

    /// All dialects, in the order of the table in JavaScriptBridge.docc/Dialects.md.
    public static let all = [wvjb6, wvjb5, wvjb4, jsBridge, wendux, lision, kkjsBridge, dsBridge]

    private static let readyEventName = "WebViewJavascriptBridgeReady"
}
