internal import BridgeValues

/// A call of this side that waits for its reply.
struct OutgoingCall: Sendable {
    let number: UInt64
    let handlerName: String
    let accepts: CallerCapabilities
    /// A Boolean value that indicates whether its request was sent; until then it waits in the start-up queue.
    var isSent: Bool
    var account: WorkBudget?
    var role = Role.call
    /// A Boolean value that indicates whether its reply waits until the handlers of the requests before it have
    /// begun.
    var isOrdered = true

    /// The role of a call in the counts of calls.
    enum Role: Sendable {
        case call
        /// An intercepted call, whose requests are parts of it.
        case held
        /// An intercepted notification, which is not awaited.
        case heldNotification
        /// A request that is made for an intercepted call.
        case part
    }

    /// A Boolean value that indicates whether it is an intercepted call, of which nothing was sent.
    var isHeld: Bool {
        switch role {
        case .held, .heldNotification: true
        case .call, .part: false
        }
    }
}

/// The calls of this side that wait for their reply, by their numbers, with their deadlines.
struct OutgoingCalls: Sendable {
    private var entries = Slab<OutgoingCall>()
    private var byNumber = NumberTable()
    private var deadlines = DeadlineHeap()
    /// The number of the last call.
    private(set) var lastNumber: UInt64 = 0
    /// The number of the last call that was ended together with all others, and their error.
    var lastEnd: (number: UInt64, error: BridgeError)?
    /// The number of calls that are parts of others.
    private var parts = 0
    /// The number of calls that are intercepted notifications.
    private(set) var heldNotifications = 0

    /// The number of calls that users wait for.
    var pendingCount: Int { entries.count - parts - heldNotifications }

    /// The earliest deadline.
    var earliestDeadline: Duration? { deadlines.earliest?.deadline }

    /// Returns the number of a new call, which no other call has had.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    subscript(call: OutgoingCallID) -> OutgoingCall? { entries[call.key] }

    /// Returns the call with a number.
    func call(_ number: UInt64) -> OutgoingCallID? { byNumber[number].map(OutgoingCallID.init(key:)) }

    /// The calls in the order in which they were made, which is not the order of their slots.
    var inOrder: [OutgoingCallID] { byNumber.sortedNumbers.compactMap(call) }

    /// Adds a call.
    ///
    /// Its number must be new.
    mutating func insert(_ call: OutgoingCall, _ deadline: Duration?) -> OutgoingCallID {
        let id = OutgoingCallID(key: entries.insert(call))
        byNumber.insert(call.number, id.key)
        if let deadline { deadlines.insert(slot: id.key.slot, deadline: deadline, order: call.number) }
        count(call.role, 1)
        return id
    }

    /// Removes a call from all tables.
    ///
    /// The caller of this function may settle the removed call once.
    mutating func remove(_ call: OutgoingCallID) -> OutgoingCall? {
        guard let ended = entries.remove(call.key) else { return nil }
        byNumber.remove(ended.number)
        deadlines.remove(slot: call.key.slot)
        count(ended.role, -1)
        return ended
    }

    /// Records that the request of a call is about to be sent; returns its number, or `nil` if the call has ended.
    mutating func markSent(_ call: OutgoingCallID) -> UInt64? {
        guard var entry = entries[call.key] else { return nil }
        entry.isSent = true
        entries.replace(call.key, entry)
        return entry.number
    }

    /// Returns the call whose deadline passed first, if any has passed.
    mutating func firstOverdue(now: Duration) -> OutgoingCallID? {
        deadlines.firstOverdue(now: now, in: entries).map(OutgoingCallID.init(key:))
    }

    private mutating func count(_ role: OutgoingCall.Role, _ change: Int) {
        switch role {
        case .call, .held: break
        case .heldNotification: heldNotifications += change
        case .part: parts += change
        }
    }
}
