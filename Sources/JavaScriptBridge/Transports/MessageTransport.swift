internal import BridgeProtocol

/// A transport of messages between a bridge and the other side of its protocol.
///
/// It reads the other side's messages, writes messages in its own form, and may have a batch for replies. What happens
/// to a message in between is the same for all transports (`MessageTransport+Inbox`).
///
/// It is used inside turns of the bridge's engine only. The other side may be in the context of these turns
/// (``EngineTransport``), or anywhere else.
protocol MessageTransport: AnyObject {
    var session: BridgeSession { get }
    /// The messages of the other side that wait until it returns.
    var inbox: MessageInbox { get }

    /// Finishes the setup once everything in the context is installed.
    func didInstall(in context: JSContext) throws
    /// Returns whether the other side is there, if it comes by itself.
    func isPeerThere() -> Bool

    // MARK: Reading

    /// Reads the messages that have arrived, if the other side does not deliver them by itself.
    func receive()
    /// Moves what the transport holds outside of the inbox to its receiver, because a later message arrives.
    func handOverItems()
    /// Returns the id of a request by the transport's number of it.
    func id(ofRequest number: UInt64) -> MessageID
    /// Forgets the handlers that were removed or replaced.
    func forgetOldHandlers()

    // MARK: Writing

    /// Sends a message to the other side.
    func send(_ message: BridgeMessage, _ payload: MessagePayload?)
    /// Adds a message to the batch that ``flush()`` delivers.
    ///
    /// - Returns: Whether it was added, or has failed because it cannot be encoded.
    func add(_ message: BridgeMessage, _ payload: MessagePayload?) -> Bool
    /// Adds the result of a handler to the batch.
    ///
    /// - Parameters:
    ///   - entry: The request.
    ///   - handler: The handler.
    ///   - result: The result, of the handler's ``ResponseForm/kind``.
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

    // MARK: The turn

    /// The operation whose turn is open; `nil` if the other side has none.
    var turnOperation: ExecutionBudget? { get }
    /// A Boolean value that indicates whether the other side was stopped in this turn, and can take no messages.
    var isStopped: Bool { get }
    /// Begins a task of the other side for a message.
    func beginTask()
    /// Runs the work that a message has left to the other side, before it gets the next one.
    func endTask()

    // MARK: The inbox, with one implementation for all

    /// Handles messages that wait until the other side returns, up to a limit, until the machine has work.
    ///
    /// - Returns: The number of handlers that ran; `nil` if no message waited. What the machine takes is counted when it
    ///   leaves the queue for the engine.
    func work(limit: Int) -> Int?
    /// Moves the messages that wait until the other side returns into the machine.
    func moveRest()
    /// Takes the messages that a stopped turn has left: they stay those of its operation, and end with it.
    func endTurn(of operation: ExecutionBudget?)
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

/// The defaults are those of a transport without a batch, whose other side is not in the context.
extension MessageTransport {
    func didInstall(in context: JSContext) throws {}
    func isPeerThere() -> Bool { true }
    func handOverItems() {}
    func id(ofRequest number: UInt64) -> MessageID { .number(number) }
    func forgetOldHandlers() {}

    func add(_ message: BridgeMessage, _ payload: MessagePayload?) -> Bool { false }
    func addReply(
        to entry: MessageInbox.Entry,
        of handler: ResolvedHandler,
        with result: UnsafeMutableRawPointer,
        isFree: Bool
    ) throws -> ReplyPlace { .message(handler.held(result)) }
    var notifications: Int { 0 }
    func flush() -> Int { 0 }
    func dropUndelivered() {}

    var turnOperation: ExecutionBudget? { nil }
    var isStopped: Bool { false }
    func beginTask() {}
    func endTask() {}
}

/// A transport to and from the context of the bridge's engine.
protocol EngineTransport: MessageTransport {
    // The context's turn work owns the transport, and the open turn the context.
    var unmanagedContext: Unmanaged<JSContext> { get }
}

extension EngineTransport {
    var turnOperation: ExecutionBudget? { withContext { $0.turnOperation } }
    var isStopped: Bool { withContext { $0.isTerminating } }
    func beginTask() { withContext { $0.willEnterOrigin() } }
    func endTask() { withContext { $0.runMicrotasks() } }

    /// The context; code that runs for each message uses ``withContext(_:)``.
    var context: JSContext { unmanagedContext.takeUnretainedValue() }

    /// Runs a body with the context without retaining it: weak references make that slow (4 % of a call).
    @inline(__always)
    func withContext<Result>(_ body: (JSContext) throws -> Result) rethrows -> Result {
        try unmanagedContext._withUnsafeGuaranteedRef(body)
    }
}
