internal import BridgeProtocol

/// A transport of messages to and from the context of a bridge.
///
/// It reads the script's messages into its inbox, writes messages and replies in its own form, and knows which payloads
/// that form carries. What happens to a message in between is the same for all transports (`EngineTransport+Inbox`).
///
/// It is used inside turns only.
protocol EngineTransport: AnyObject {
    var session: BridgeSession { get }
    // The context's turn work owns the transport, and the open turn the context.
    var unmanagedContext: Unmanaged<JSContext> { get }
    /// The messages of the script that wait until it returns.
    var inbox: MessageInbox { get }

    /// Finishes the setup once the script's side is installed.
    func didInstall(in context: JSContext) throws
    /// Returns whether the script's side is installed, if a page brings its own.
    func isPeerThere(in context: JSContext) -> Bool

    // MARK: From the script

    /// Fetches the messages of the script's side, if it does not deliver them by itself.
    func receive(in context: JSContext)
    /// Moves what the transport holds outside of the inbox to its receiver, because a later message arrives.
    func handOverItems()
    /// Returns the id of a request by the transport's number of it.
    func id(ofRequest number: UInt64) -> MessageID
    /// Forgets the handlers that were removed or replaced.
    func forgetOldHandlers()

    // MARK: To the script

    /// Sends a message to the script's side.
    func send(_ message: BridgeMessage, _ payload: MessagePayload?, in context: JSContext)
    /// Adds a message to the batch that ``flush()`` delivers.
    ///
    /// - Returns: Whether it was added, or has failed because it cannot be encoded.
    func add(_ message: BridgeMessage, _ payload: MessagePayload?, in context: JSContext) -> Bool
    /// Adds the result of a handler to the batch.
    ///
    /// - Parameters:
    ///   - entry: The request.
    ///   - handler: The handler.
    ///   - result: The result, of the handler's ``ResolvedHandler/responseKind``.
    ///   - isFree: Whether the batch may be used. If not, an earlier message or an observer comes first.
    /// - Returns: Where the result is now.
    /// - Throws: The error of a result that cannot be encoded.
    func addReply(
        to entry: MessageInbox.Entry,
        of handler: ResolvedHandler,
        with result: UnsafeMutableRawPointer,
        isFree: Bool
    ) throws -> ReplyPlace
    /// The number of notifications and events in the batch that went past the machine's queue.
    var notifications: Int { get }
    /// Delivers the batch; returns the number of its messages.
    func flush() -> Int
    /// Drops the undelivered messages of the batch.
    func dropUndelivered()

    // MARK: The inbox, with one implementation for all

    /// Handles messages that wait until the script returns, up to a limit, until the machine has work.
    ///
    /// - Returns: The number of handlers that ran; `nil` if no message waited. What the machine takes is counted when it
    ///   leaves the queue for the engine.
    func work(limit: Int) -> Int?
    /// Moves the messages that wait until the script returns into the machine.
    func moveRest()
    /// Drops the messages of both directions on the fast path: their operation has ended.
    func dropRest()
    /// Reports the messages of the fast path to the machine.
    func report()
}

/// The place of a handler's result.
enum ReplyPlace {
    /// It is in the batch.
    case batch
    /// It has to be sent as a message with this payload.
    case message(MessagePayload?)
}

extension EngineTransport {
    func isPeerThere(in context: JSContext) -> Bool { true }

    func handOverItems() {}

    var notifications: Int { 0 }

    func add(_ message: BridgeMessage, _ payload: MessagePayload?, in context: JSContext) -> Bool { false }

    /// The context; code that runs for each message uses ``withContext(_:)``.
    var context: JSContext { unmanagedContext.takeUnretainedValue() }

    /// Runs a body with the context without retaining it: weak references make that slow (4 % of a call).
    @inline(__always)
    func withContext<Result>(_ body: (JSContext) throws -> Result) rethrows -> Result {
        try unmanagedContext._withUnsafeGuaranteedRef(body)
    }
}
