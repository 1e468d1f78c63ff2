extension BridgeDialect {
    /// WebViewJavascriptBridge 6, from which all other dialects are derived.
    public static let wvjb6 = BridgeDialect(name: "WebViewJavascriptBridge 6")

    /// Creates a dialect; parameters that are not given are as in WebViewJavascriptBridge 6.
    ///
    /// `keys` are those of both sides' messages; `scriptKeys` and `nativeKeys` replace them where the sides differ. The
    /// other parameters are the properties of the same names.
    public init(
        name: String,
        globalName: String = "WebViewJavascriptBridge",
        setUpListName: String? = "WVJBCallbacks",
        entries: [Entry] = [Entry("_handleMessageFromObjC"), Entry("_handleMessageFromNative")],
        api: API = .handlers,
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
        self.api = api
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
    /// The signals of WebViewJavascriptBridge 6; its native side also accepts those of version 5 (P10).
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
