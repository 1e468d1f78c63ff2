/// How a peer spells the protocol: its names, the form of its messages, and how the sides wake each other.
///
/// The machine behind all dialects is one; a dialect is data. Pick one of the constants, and change a member
/// where a peer of yours has a name of its own:
///
/// ```swift
/// var configuration = BridgeConfiguration()
/// configuration.transport = .text
/// configuration.dialect = .lision
/// ```
public struct BridgeDialect: Sendable, Hashable {
    /// What it is called in logs.
    public var name: String
    /// The global object that scripts find.
    public var globalName: String
    /// The global list that set-up callbacks are pushed to; `nil` where scripts have no such list.
    public var setUpListName: String?
    /// What takes a message from the native side: the first of these that the script's side has.
    ///
    /// A script's side of ours answers to all of them.
    public var entries: [Entry]
    /// What scripts call, and how they are called.
    public var face: Face
    /// How the messages that scripts send spell their keys.
    public var scriptKeys: MessageKeys
    /// How the messages that the native side sends spell their keys.
    public var nativeKeys: MessageKeys
    /// The form of the native side's ids.
    public var nativeIdentifier: NativeIdentifier
    /// Whether payloads are texts: what is no text crosses as its JSON.
    public var payloadIsText: Bool
    /// How a script's side says that it has something for the native side.
    public var signal: Signal
    /// Whether a message without a name is for the default handler, which is registered and called under the
    /// empty name.
    public var hasDefaultHandler: Bool
    /// Whether a script's side holds what comes until its `init` is called.
    public var waitsForInit: Bool
    /// The event that the document gets when the global is there; `nil` where there is none.
    public var readyEventName: String?
    /// Whether the native side's calls can have a reply.
    ///
    /// Where they cannot, one that wants a reply ends with `unsupported`, and nothing is sent.
    public var repliesToNative: Bool

    /// A function of a script's side that takes a message from the native side.
    public struct Entry: Sendable, Hashable {
        /// The function's name.
        public var name: String
        /// Whether it takes the message as an object; else as its JSON text.
        public var takesObject: Bool

        /// Makes an entry.
        public init(_ name: String, takesObject: Bool = false) {
            self.name = name
            self.takesObject = takesObject
        }
    }

    /// The functions that scripts find on the global.
    public enum Face: String, Sendable, Hashable {
        /// `registerHandler`, `callHandler`: handlers on both sides.
        case handlers
        /// `call`, `syncCall`, `on`, `off`: modules and methods on the native side, events on the script's.
        case modules
        /// `call`, `register`, `registerAsyn`: methods on both sides, synchronous ones among them.
        case methods
    }

    /// The form of the native side's ids: what stands before the number, and whether the time stands behind.
    public struct NativeIdentifier: Sendable, Hashable {
        /// What stands before the number.
        public var prefix: String
        /// Whether the milliseconds of the session's start stand behind it, after a `_`.
        public var isStamped: Bool

        /// Makes a form.
        public init(_ prefix: String, isStamped: Bool = false) {
            self.prefix = prefix
            self.isStamped = isStamped
        }
    }

    /// How a script's side reaches the native side.
    public enum Signal: Sendable, Hashable {
        /// A frame loads a URL of a scheme and a host; the queue is then fetched. Compared without case (P10).
        case frame(schemes: [String], queueHost: String, loadHost: String, returnsByURL: Bool)
        /// A script message without a body says that the queue holds something.
        case scriptMessage(queue: String, load: String)
        /// Each message goes to a function of an object that the native side has put into the page.
        case injectedObject(name: String, function: String)
        /// Each message is the body of a script message; one that waits for its answer is a prompt.
        case scriptMessageBody(name: String, prompt: String)
        /// Each call goes to an object's function, or else to a prompt, and its answer is what comes back.
        case call(object: String, prompt: String)
    }
}

extension BridgeDialect: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// How a dialect spells the keys of a message.
public struct MessageKeys: Sendable, Hashable {
    /// The handler of a request.
    public var handlerName: String
    /// The payload of a request.
    public var data: String
    /// The id that a reply to a request must carry.
    public var callbackID: String
    /// The id of the request that a response answers.
    public var responseID: String
    /// The payload of a response.
    public var responseData: String
    /// Where a name's part before its last dot stands; `nil` where names are in one piece.
    public var namespace: String?
    /// The key that tells requests from responses; `nil` where the id's key does.
    public var kind: Kind?
    /// Whether an id that is `null` is none.
    public var nullIsNoIdentifier: Bool

    /// A key that tells requests from responses.
    public struct Kind: Sendable, Hashable {
        /// The key.
        public var key: String
        /// What it says in a request.
        public var request: String
        /// What it says in a response.
        public var response: String

        /// Makes a kind.
        public init(key: String, request: String, response: String) {
            self.key = key
            self.request = request
            self.response = response
        }
    }

    /// What stands for no namespace at all.
    static let defaultNamespace = "default"

    /// Makes keys; what is not given is as WebViewJavascriptBridge spells it.
    public init(
        handlerName: String = "handlerName",
        data: String = "data",
        callbackID: String = "callbackId",
        responseID: String = "responseId",
        responseData: String = "responseData",
        namespace: String? = nil,
        kind: Kind? = nil,
        nullIsNoIdentifier: Bool = false
    ) {
        self.handlerName = handlerName
        self.data = data
        self.callbackID = callbackID
        self.responseID = responseID
        self.responseData = responseData
        self.namespace = namespace
        self.kind = kind
        self.nullIsNoIdentifier = nullIsNoIdentifier
    }
}
