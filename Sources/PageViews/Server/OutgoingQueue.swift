/// The messages that wait for a socket, within a budget.
struct OutgoingQueue {
    /// The result of adding a message.
    enum Outcome: Equatable {
        case waits
        case refused(PageClosure)
    }

    /// The bytes that a message counts beyond its own: the memory of an array, without which empty ones would be free.
    static let messageCost = 64

    private var messages: [[UInt8]] = []
    private var first = 0
    /// The cost of the message that is being sent, of which a part may already be with the socket.
    private var currentCount = 0
    private var queuedCount = 0

    /// The number of bytes that wait, with the cost of their messages.
    var byteCount: Int { queuedCount + currentCount }
    /// A Boolean value that indicates whether nothing waits.
    var isEmpty: Bool { byteCount == 0 }

    /// Adds a message.
    ///
    /// One that is longer than the budget is sent if nothing else waits.
    mutating func append(
        count: Int,
        limits: PageServerLimits,
        _ message: () -> [UInt8]
    ) -> Outcome {
        guard count <= limits.outgoingMessageBytes else {
            return .refused(.outgoingMessageTooLong(count: count, limit: limits.outgoingMessageBytes))
        }
        let cost = count + Self.messageCost
        guard isEmpty || byteCount + cost <= limits.outgoingBudget else {
            return .refused(.overBudget(limit: limits.outgoingBudget))
        }
        messages.append(message())
        queuedCount += cost
        return .waits
    }

    /// Removes the first message, whose bytes count until ``finishCurrent()``.
    ///
    /// - Parameter padding: The number of bytes before the message that do not count.
    /// - Returns: The message, or `nil` if there is none.
    mutating func takeFirst(padding: Int) -> [UInt8]? {
        guard first < messages.count else { return nil }
        let message = messages[first]
        messages[first] = []
        first += 1
        if first == messages.count || first >= 1_024 {
            messages.removeSubrange(..<first)
            first = 0
        }
        currentCount = message.count - padding + Self.messageCost
        queuedCount -= currentCount
        return message
    }

    /// Reports that the message that was taken is with the socket.
    mutating func finishCurrent() { currentCount = 0 }

    /// Drops all messages.
    mutating func removeAll() { self = OutgoingQueue() }
}
