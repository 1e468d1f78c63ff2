public import BridgeProtocol

/// How a script's side of the protocol spells its names.
///
/// Vectors are written once and hold for every spelling: where a name belongs, their scripts say `{{global}}`
/// or `{{list}}`.
public struct ConformanceDialect: Sendable, Hashable {
    /// The global object's name.
    public var globalName: String
    /// The name of the list that set-up callbacks are pushed to.
    public var setUpListName: String
    /// The member that takes a message from the native side.
    public var entryName: String
    /// The member that gives the queue and empties it.
    public var fetchName: String
    /// A regular expression for the ids of the script's calls; `#` stands for the counter.
    public var scriptIdentifier: String
    /// The same for the ids of the native side's calls.
    public var nativeIdentifier: String

    /// Makes a dialect; what is not given is as WebViewJavascriptBridge 6 spells it.
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

    /// Makes the spelling of a dialect that a bridge can be told to speak.
    public init(_ dialect: BridgeDialect) {
        self.init(
            globalName: dialect.globalName,
            setUpListName: dialect.setUpListName ?? "",
            entryName: dialect.entries.first?.name ?? "",
            nativeIdentifier: dialect.nativeIdentifier.prefix + "#"
                + (dialect.nativeIdentifier.isStamped ? "_[0-9]+" : "")
        )
        isEntryGlobal = dialect.face == .methods
        // Whose own script has the names of module and method in its ids.
        if dialect.face == .modules { scriptIdentifier = "cb_(?:[^\"]*_)?#_[0-9]{13}" }
        if case .scriptMessage = dialect.signal { handlesAtOnce = true }
        keys = dialect.nativeKeys
        signals = dialect.signal.scriptedEnd
        returns = dialect.signal.scriptedReturn
    }

    /// What a scripted end of the wire does with the text of a list of messages, which is in `queue`, to tell the
    /// native side of it.
    var signals = BridgeDialect.Signal.https.scriptedEnd
    var returns = BridgeDialect.Signal.https.scriptedReturn

    /// The keys of messages.
    public var keys = MessageKeys()

    /// Whether the entry is a function of the page and not of the global object.
    public var isEntryGlobal = false

    /// Whether the dialect's own script handles messages inside the entry.
    ///
    /// That it does is told once, by the rules about turns; other rules are kept in both ways.
    var handlesAtOnce = false

    /// The spelling of WebViewJavascriptBridge 5 and 6.
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

    /// What a scripted end gives for its queue.
    var scriptedReturn: String {
        guard case .frame(let schemes, _, _, true) = self else { return "return text;" }
        return "frame.src = \"\(schemes.first ?? "")://return/_fetchQueue/\" + encodeURIComponent(text);"
    }
}
