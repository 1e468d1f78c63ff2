public import BridgeProtocol

/// The names of the protocol on a script side.
///
/// Vectors are written once for all names: their scripts have the placeholders `{{global}}` or `{{list}}` in place of
/// names.
public struct ConformanceDialect: Sendable, Hashable {
    /// The name of the global object.
    public var globalName: String
    /// The name of the array for set-up callbacks.
    public var setUpListName: String
    /// The name of the method that receives a message from the native side.
    public var entryName: String
    /// The name of the method that returns the queue and empties it.
    public var fetchName: String
    /// A regular expression for the ids of the script's calls; `#` represents the counter.
    public var scriptIdentifier: String
    /// A regular expression for the ids of the native side's calls.
    public var nativeIdentifier: String

    /// Creates a dialect; parameters that are not given are as in WebViewJavascriptBridge 6.
    public init(
        globalName: String = "WebViewJavascriptBridge",
        setUpListName: String = "WVJBCallbacks",
        entryName: String = "_handleMessageFromObjC",
        fetchName: String = "_fetchQueue",
        scriptIdentifier: String = "cb_#_[0-9]{13}",
        nativeIdentifier: String = "objc_cb_#"
    ) {
        self.globalName = globalName
        self.setUpListName = setUpListName
        self.entryName = entryName
        self.fetchName = fetchName
        self.scriptIdentifier = scriptIdentifier
        self.nativeIdentifier = nativeIdentifier
    }

    /// Creates the names of a dialect of bridges.
    public init(_ dialect: BridgeDialect) {
        self.init(
            globalName: dialect.globalName,
            setUpListName: dialect.setUpListName ?? "",
            entryName: dialect.entries.first?.name ?? "",
            nativeIdentifier: dialect.nativeIdentifier.prefix + "#"
                + (dialect.nativeIdentifier.isStamped ? "_[0-9]+" : "")
        )
        isEntryGlobal = dialect.api == .methods
        // KKJSBridge's own script has the names of module and method in its ids.
        if dialect.api == .modules { scriptIdentifier = "cb_(?:[^\"]*_)?#_[0-9]{13}" }
        if case .scriptMessage = dialect.signal { handlesInline = true }
        keys = dialect.nativeKeys
        signals = dialect.signal.scriptedEnd
        returns = dialect.signal.scriptedReturn
    }

    /// The statement by which a scripted peer notifies the native side of the messages in its array `queue`.
    var signals = BridgeDialect.Signal.https.scriptedEnd
    var returns = BridgeDialect.Signal.https.scriptedReturn

    /// The keys of messages.
    public var keys = MessageKeys()

    /// A Boolean value that indicates whether the entry is a function of the page instead of the global object.
    public var isEntryGlobal = false

    /// A Boolean value that indicates whether the dialect's own script handles messages inside the entry.
    ///
    /// The rules about turns state it once; both ways conform to the other rules.
    var handlesInline = false

    /// The names of WebViewJavascriptBridge 5 and 6.
    public static let webViewJavascriptBridge = ConformanceDialect()
}

extension BridgeDialect.Signal {
    fileprivate var scriptedEnd: String {
        switch self {
        case .frame(let schemes, let queueHost, _, _):
            "frame.src = \"\(schemes.first ?? "")://\(queueHost)\";"
        case .scriptMessage(let queue, _): "webkit.messageHandlers.\(queue).postMessage(null);"
        case .injectedObject(let name, let function):
            "for (const message of take()) \(name).\(function)(JSON.stringify(message));"
        case .scriptMessageBody(let name, _):
            "for (const message of take()) webkit.messageHandlers.\(name).postMessage(message);"
        case .call(let object, _):
            """
            for (const [method, argument] of take()) {
                const answer = \(object).call(method, JSON.stringify(argument));
                if (argument._dscbstub === undefined && !method.startsWith("_")) console.debug("answer " + answer);
            }
            """
        }
    }

    /// The statement by which a scripted peer returns its queue.
    var scriptedReturn: String {
        guard case .frame(let schemes, _, _, true) = self else { return "return text;" }
        return "frame.src = \"\(schemes.first ?? "")://return/_fetchQueue/\" + encodeURIComponent(text);"
    }
}
