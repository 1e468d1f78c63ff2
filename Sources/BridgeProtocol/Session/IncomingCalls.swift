internal import BridgeValues

/// A call of the other side that waits for an answer.
struct IncomingCall: Sendable {
    let callbackID: MessageID
    let handlerName: String
    let accepts: CallerCapabilities
    var admission: Admission?
    /// A Boolean value that indicates whether its caller gave up; the call may still be answered.
    var isCancelled = false
    var account: WorkBudget?
}

/// The calls of the other side that wait for an answer, by their ids, with their deadlines.
struct IncomingCalls: Sendable {
    private var entries = Slab<IncomingCall>()
    private var byID = IdentifierTable()
    private var deadlines = DeadlineHeap()
    private var lastDeadline: UInt64 = 0
    /// The cancellations that arrived before their calls.
    var earlyCancellations = RecentIdentifiers()
    /// The number of synchronous requests in progress, each inside the one before.
    var synchronousCount = 0
    /// The number of handlers that work on notifications.
    var notificationCount = 0

    /// The number of calls that wait for an answer, without synchronous requests.
    var count: Int { entries.count }

    /// The keys of all calls.
    var keys: [SlabKey] { entries.keys }

    /// The earliest deadline.
    var earliestDeadline: Duration? { deadlines.earliest?.deadline }

    subscript(key: SlabKey) -> IncomingCall? { entries[key] }

    /// Returns the key of the call with an id.
    func key(of id: MessageID) -> SlabKey? { byID[id] }

    /// Adds a call.
    mutating func insert(_ call: IncomingCall) -> SlabKey {
        let key = entries.insert(call)
        byID.insert(call.callbackID, key)
        return key
    }

    /// Removes a call from all tables.
    mutating func remove(_ key: SlabKey) -> IncomingCall? {
        guard let answered = entries.remove(key) else { return nil }
        byID.remove(answered.callbackID, key)
        deadlines.remove(slot: key.slot)
        return answered
    }

    /// Records that the caller of a call gave up.
    mutating func cancel(_ key: SlabKey) {
        guard var entry = entries[key] else { return }
        entry.isCancelled = true
        entries.replace(key, entry)
    }

    /// Replaces the deadline of a call.
    mutating func setDeadline(of key: SlabKey, to deadline: Duration) {
        deadlines.remove(slot: key.slot)
        lastDeadline += 1
        deadlines.insert(slot: key.slot, deadline: deadline, order: lastDeadline)
    }

    /// Returns the call whose deadline passed first, if any has passed.
    mutating func firstOverdue(now: Duration) -> SlabKey? {
        deadlines.firstOverdue(now: now, in: entries)
    }
}
