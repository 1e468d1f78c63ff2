internal import Synchronization

/// A WebSocket to a page.
///
/// Any thread may use it.
public final class PageConnection: Sendable {
    /// The number of the connection, counted from 1 since the server started.
    public let number: Int

    let limits: PageServerLimits
    private let mailbox: ServerMailbox
    private let state = Mutex(State())

    private struct State {
        var queue = OutgoingQueue()
        var closure: PageClosure?
        var isFinished = false
    }

    init(number: Int, limits: PageServerLimits, mailbox: ServerMailbox) {
        self.number = number
        self.limits = limits
        self.mailbox = mailbox
    }

    /// The number of bytes that were sent and that the socket has not taken, with 64 for each message.
    public var waitingByteCount: Int { state.withLock { $0.queue.byteCount } }

    /// A Boolean value that indicates whether messages can be sent.
    public var isOpen: Bool { state.withLock { $0.closure == nil && !$0.isFinished } }

    /// Sends a message after the ones before.
    ///
    /// It waits until the socket takes it. If more bytes wait than ``PageServerLimits/outgoingBudget``, they are dropped
    /// and the connection is closed.
    ///
    /// - Returns: Whether the message waits; `false` if the connection is closed, or is closed by this message.
    @discardableResult
    public func send(_ text: String) -> Bool {
        let hasWork = state.withLock { state -> (isSent: Bool, wakes: Bool) in
            guard state.closure == nil, !state.isFinished else { return (false, false) }
            let wasEmpty = state.queue.isEmpty
            let outcome = state.queue.append(count: text.utf8.count, limits: limits) {
                WebSocketLoop.message(text)
            }
            if case .refused(let closure) = outcome {
                state.queue.removeAll()
                state.closure = closure
                return (false, true)
            }
            return (true, wasEmpty)
        }
        if hasWork.wakes { mailbox.post(self) }
        return hasWork.isSent
    }

    /// Closes the connection after the messages that wait.
    ///
    /// If the page does not take them within ``PageServerLimits/closingTime``, the connection is cut.
    ///
    /// - Parameter reason: A sentence for the page's log.
    public func close(_ reason: String) { close(.byProgram(reason: reason)) }

    /// Begins to close the connection, unless it is being closed already.
    func close(_ closure: PageClosure) {
        let isFirst = state.withLock { state in
            guard state.closure == nil, !state.isFinished else { return false }
            state.closure = closure
            return true
        }
        if isFirst { mailbox.post(self) }
    }

    // MARK: - The server's thread

    /// The reason why the connection is being closed, if it is.
    var closure: PageClosure? { state.withLock { $0.closure } }

    /// Removes the next message to send.
    func takeMessage(padding: Int) -> [UInt8]? { state.withLock { $0.queue.takeFirst(padding: padding) } }

    /// Reports that the socket has taken the message.
    func finishMessage() { state.withLock { $0.queue.finishCurrent() } }

    /// Drops what waits, and returns the reason for the handler.
    func finish(_ closure: PageClosure) -> PageClosure {
        state.withLock { state in
            state.queue.removeAll()
            state.isFinished = true
            return state.closure ?? closure
        }
    }
}

extension PageConnection: Hashable {
    /// Returns whether two connections are the same.
    public static func == (left: PageConnection, right: PageConnection) -> Bool { left === right }
    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
