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

    /// The spelling of WebViewJavascriptBridge 5 and 6.
    public static let webViewJavascriptBridge = ConformanceDialect()
}
