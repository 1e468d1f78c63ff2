/// A spelling of the protocol by a peer: its names, the form of its messages, and the signals that wake the other side.
///
/// One implementation serves all dialects; a dialect is data. Choose one of the constants, and change a property if
/// your peer uses another name:
///
/// ```swift
/// var configuration = BridgeConfiguration()
/// configuration.transport = .text
/// configuration.dialect = .lision
/// ```
public struct BridgeDialect: Sendable, Hashable {
    /// The name of the dialect in logs.
    public var name: String
    /// The name of the global object for scripts.
    public var globalName: String
    /// The name of the global array for set-up callbacks; `nil` where scripts have none.
    public var setUpListName: String?
    /// The functions that receive messages from the native side: the first that the script side has is called.
    ///
    /// The script side of this package has all of them.
    public var entries: [Entry]
    /// The functions for scripts, and how they are called.
    public var api: API
    /// The keys of messages from scripts.
    public var scriptKeys: MessageKeys
    /// The keys of messages from the native side.
    public var nativeKeys: MessageKeys
    /// The form of the native side's ids.
    public var nativeIdentifier: NativeIdentifier
    /// A Boolean value that indicates whether payloads are strings: other values cross as their JSON text.
    public var payloadIsText: Bool
    /// The signal of the script side that it has messages for the native side.
    public var signal: Signal
    /// A Boolean value that indicates whether a message without a name calls the default handler, which is registered
    /// and called under the empty name.
    public var hasDefaultHandler: Bool
    /// A Boolean value that indicates whether the script side queues incoming messages until its `init` is called.
    public var waitsForInit: Bool
    /// The event that is dispatched to the document when the global object exists; `nil` where there is none.
    public var readyEventName: String?
    /// A Boolean value that indicates whether calls of the native side can have replies.
    ///
    /// If not, a call that expects a reply fails with `unsupported`, and nothing is sent.
    public var repliesToNative: Bool

    /// A function of the script side that receives messages from the native side.
    public struct Entry: Sendable, Hashable {
        /// The function's name.
        public var name: String
        /// A Boolean value that indicates whether its argument is the message as an object; otherwise it is the JSON
        /// text.
        public var takesObject: Bool

        /// Creates an entry.
        public init(_ name: String, takesObject: Bool = false) {
            self.name = name
            self.takesObject = takesObject
        }
    }

    /// A set of functions of the global object.
    public enum API: String, Sendable, Hashable {
        /// `registerHandler`, `callHandler`: handlers on both sides.
        case handlers
        /// `call`, `syncCall`, `on`, `off`: modules and methods on the native side, events on the script's.
        case modules
        /// `call`, `register`, `registerAsyn`: methods on both sides, synchronous ones among them.
        case methods
    }

    /// The form of the native side's ids: a prefix before the number, and an optional time after it.
    public struct NativeIdentifier: Sendable, Hashable {
        /// The prefix before the number.
        public var prefix: String
        /// A Boolean value that indicates whether the time of the session's start in milliseconds follows the number,
        /// after a `_`.
        public var isStamped: Bool

        /// Creates a form.
        public init(_ prefix: String, isStamped: Bool = false) {
            self.prefix = prefix
            self.isStamped = isStamped
        }
    }

    /// A way in which the script side reaches the native side.
    public enum Signal: Sendable, Hashable {
        /// A frame loads a URL with a scheme and a host, both case-insensitive (P10); the native side then fetches the
        /// queue.
        case frame(schemes: [String], queueHost: String, loadHost: String, returnsByURL: Bool)
        /// A script message without a body, which signals that the queue has messages.
        case scriptMessage(queue: String, load: String)
        /// A call of a function for each message, on an object that the native side has injected into the page.
        case injectedObject(name: String, function: String)
        /// A script message with the message as its body; a message that waits for its reply is a prompt.
        case scriptMessageBody(name: String, prompt: String)
        /// A call of an object's function, or else a prompt, whose result is the reply.
        case call(object: String, prompt: String)
    }
}

extension BridgeDialect: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// The keys of a message in a dialect.
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
    /// The key of the part of a name before its last dot; `nil` where names are not split.
    public var namespace: String?
    /// The key that distinguishes requests from responses; `nil` where the key of the id does.
    public var kind: Kind?
    /// A Boolean value that indicates whether an id that is `null` counts as absent.
    public var nullIsNoIdentifier: Bool

    /// A key that distinguishes requests from responses.
    public struct Kind: Sendable, Hashable {
        /// The key.
        public var key: String
        /// Its value in a request.
        public var request: String
        /// Its value in a response.
        public var response: String

        /// Creates a kind.
        public init(key: String, request: String, response: String) {
            self.key = key
            self.request = request
            self.response = response
        }
    }

    /// The name of the namespace of names without a dot.
    static let defaultNamespace = "default"

    /// Creates keys; those that are not given are as in WebViewJavascriptBridge.
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
