extension BridgeDialect {
    /// WebViewJavascriptBridge 6, which all others come from.
    public static let wvjb6 = BridgeDialect(name: "WebViewJavascriptBridge 6")

    /// WebViewJavascriptBridge 5: another URL for its signals.
    public static let wvjb5 = BridgeDialect(
        name: "WebViewJavascriptBridge 5",
        signal: .wvjbScheme
    )

    /// WebViewJavascriptBridge 4: `init`, `send`, a default handler, and an event where the later ones have the
    /// set-up list.
    public static let wvjb4 = BridgeDialect(
        name: "WebViewJavascriptBridge 4",
        signal: .wvjbScheme,
        hasDefaultHandler: true,
        waitsForInit: true,
        readyEventName: readyEventName
    )

    /// JsBridge, of Android: payloads are texts, and the queue comes back in a URL.
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

    /// WebViewJavascriptBridge of wendux, for Android: each message goes to an object in the page at once.
    public static let wendux = BridgeDialect(
        name: "wendux/WebViewJavascriptBridge",
        entries: [Entry("_handleMessageFromJava"), Entry("handleMessageFromJava", takesObject: true)],
        signal: .injectedObject(name: "WVJBInterface", function: "notice")
    )

    /// WKWebViewJavascriptBridge of Lision: ids with a capital D, script messages as signals.
    public static let lision = BridgeDialect(
        name: "WKWebViewJavascriptBridge",
        globalName: "WKWebViewJavascriptBridge",
        setUpListName: "WKWVJBCallbacks",
        entries: [Entry("_handleMessageFromiOS")],
        keys: MessageKeys(callbackID: "callbackID", responseID: "responseID"),
        nativeIdentifier: NativeIdentifier("native_iOS_cb_"),
        signal: .scriptMessage(queue: "iOS_Native_FlushMessageQueue", load: "iOS_Native_InjectJavascript")
    )

    /// KKJSBridge: modules and methods one way, events the other, so that no native call has a reply.
    public static let kkjsBridge = BridgeDialect(
        name: "KKJSBridge",
        globalName: "KKJSBridge",
        setUpListName: nil,
        entries: [Entry("_handleMessageFromNative")],
        face: .modules,
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

    /// DSBridge 3: calls with their answers, synchronous ones too, and integers for ids.
    public static let dsBridge = BridgeDialect(
        name: "DSBridge",
        globalName: "dsBridge",
        setUpListName: nil,
        entries: [Entry("_handleMessageFromNative", takesObject: true)],
        face: .methods,
        nativeIdentifier: NativeIdentifier(""),
        signal: .call(object: "_dsbridge", prompt: "_dsbridge=")
    )

    /// All of them, in the order of the table in Documentation/Dialects.md.
    public static let all = [wvjb6, wvjb5, wvjb4, jsBridge, wendux, lision, kkjsBridge, dsBridge]

    private static let readyEventName = "WebViewJavascriptBridgeReady"

    /// Makes a dialect; what is not given is as WebViewJavascriptBridge 6 has it.
    ///
    /// `keys` are those of both sides' messages; `scriptKeys` and `nativeKeys` stand in their place where the
    /// sides' differ. All else is as the members of the same names say.
    public init(
        name: String,
        globalName: String = "WebViewJavascriptBridge",
        setUpListName: String? = "WVJBCallbacks",
        entries: [Entry] = [Entry("_handleMessageFromObjC"), Entry("_handleMessageFromNative")],
        face: Face = .handlers,
        keys: MessageKeys = MessageKeys(),
        scriptKeys: MessageKeys? = nil,
        nativeKeys: MessageKeys? = nil,
        nativeIdentifier: NativeIdentifier = NativeIdentifier("objc_cb_"),
        payloadIsText: Bool = false,
        signal: Signal = .https,
        hasDefaultHandler: Bool = false,
        waitsForInit: Bool = false,
        readyEventName: String? = nil,
        repliesToNative: Bool = true
    ) {
        self.name = name
        self.globalName = globalName
        self.setUpListName = setUpListName
        self.entries = entries
        self.face = face
        self.scriptKeys = scriptKeys ?? keys
        self.nativeKeys = nativeKeys ?? keys
        self.nativeIdentifier = nativeIdentifier
        self.payloadIsText = payloadIsText
        self.signal = signal
        self.hasDefaultHandler = hasDefaultHandler
        self.waitsForInit = waitsForInit
        self.readyEventName = readyEventName
        self.repliesToNative = repliesToNative
    }
}

extension BridgeDialect.Signal {
    /// The signals of WebViewJavascriptBridge 6; its native side takes those of version 5 as well (P10).
    public static let https = frame(["https", "wvjbscheme"])
    /// The signals of WebViewJavascriptBridge 4 and 5.
    public static let wvjbScheme = frame(["wvjbscheme", "https"])

    private static func frame(_ schemes: [String]) -> Self {
        .frame(
            schemes: schemes,
            queueHost: "__wvjb_queue_message__",
            loadHost: "__bridge_loaded__",
            returnsByURL: false
        )
    }
}
