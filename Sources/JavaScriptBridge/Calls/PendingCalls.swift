internal import BridgeProtocol

/// The calls of Swift that wait for their outcome: what the storage knows of them beside the machine's entries.
struct PendingCalls {
    /// A call that waits for its outcome.
    struct Entry {
        let waiter: Waiter
        /// A closure that receives the progress that the handler reports.
        var onProgress: (@Sendable (MessagePayload) -> Void)?
        /// The budget of a call with a callback, if it has one.
        var account: WorkBudget?
        /// The shapes of the secrets in the reply.
        var replyShapes: [SecretShape] = []
        /// The call as it is processed by interceptors.
        var intercepted: PendingInterceptedCall?
        /// The entry in the count of the leak tracker.
        fileprivate let tracked: TrackedObject?

        init(_ waiter: Waiter, of name: String) {
            self.waiter = waiter
            tracked = LeakTracking.note(.pendingCall, name)
        }
    }

    private var entries: [OutgoingCallID: Entry] = [:]
    /// The number of calls that are pending in interceptors.
    private(set) var interceptedCount = 0

    mutating func insert(_ entry: Entry, for call: OutgoingCallID) {
        if entry.intercepted != nil { interceptedCount += 1 }
        entries[call] = entry
    }

    mutating func remove(_ call: OutgoingCallID) -> Entry? {
        let entry = entries.removeValue(forKey: call)
        if entry?.intercepted != nil { interceptedCount -= 1 }
        return entry
    }

    /// Returns the receiver of a call's progress.
    func progressReceiver(of call: OutgoingCallID) -> (@Sendable (MessagePayload) -> Void)? {
        entries[call]?.onProgress
    }

    /// Returns the shapes of the secrets in a call's reply.
    func replyShapes(of call: OutgoingCallID) -> [SecretShape] { entries[call]?.replyShapes ?? [] }

    /// The shapes of the secrets in the replies of all calls.
    var replyShapes: [SecretShape] { entries.values.flatMap(\.replyShapes) }
}
