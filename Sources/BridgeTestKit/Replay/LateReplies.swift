internal import BridgeProtocol

/// The host's pending replies to requests that came after their recorded replies.
///
/// Their number is bounded, because a script may repeat a request forever.
struct LateReplies {
    private var pending: [JournalMessage] = []
    private var left: Int

    init(limit: Int = 10_000) { left = limit }

    var isEmpty: Bool { pending.isEmpty }

    /// Adds the replies to one request, unless there were too many such requests.
    mutating func add(_ replies: [JournalMessage]) {
        guard !replies.isEmpty, left > 0 else { return }
        left -= 1
        pending += replies
    }

    /// Removes and returns the first reply.
    mutating func takeFirst() -> JournalMessage? { isEmpty ? nil : pending.removeFirst() }

    /// Removes all replies, because their context was replaced.
    mutating func removeAll() { pending = [] }
}
