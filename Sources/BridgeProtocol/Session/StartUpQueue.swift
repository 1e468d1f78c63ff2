/// The messages that wait until the peer is connected.
struct StartUpQueue: Sendable {
    /// A message that is queued for the peer.
    ///
    /// The id of a call is created when it is sent, as it belongs to that epoch.
    struct Entry: Sendable {
        var message: BridgeMessage
        let call: OutgoingCallID?
    }

    private var entries = FIFOQueue<Entry>()
    private var endedCalls = 0
    /// The number of queued replies.
    private(set) var replyCount = 0
    /// The number of queued progress values and stream items.
    private(set) var itemCount = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    mutating func append(_ entry: Entry) {
        switch entry.message {
        case .response: replyCount += 1
        case .control(let control) where control.kind == .next || control.kind == .progress: itemCount += 1
        case .request, .control: break
        }
        entries.append(entry)
    }

    /// Removes and returns all messages in order.
    mutating func removeAll() -> [Entry] {
        itemCount = 0
        replyCount = 0
        return entries.removeAll()
    }

    /// Counts a call that ended in the queue; returns whether the ended calls should be removed now.
    ///
    /// Every call of a session without a peer waits here. Ended calls are removed in batches: so an absent peer and
    /// short deadlines cannot fill the queue with ended calls, and no call pays for a search.
    mutating func countEndedCall() -> Bool {
        endedCalls += 1
        guard endedCalls >= 32, endedCalls * 2 > count else { return false }
        endedCalls = 0
        return true
    }
}
