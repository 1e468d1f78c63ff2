internal import Synchronization

/// The checks that messages must pass before they may be handled in the turn in which they are sent.
///
/// Everything that delays, restricts or observes messages publishes its bit in ``MessageMask``. Code that runs for each
/// message reads that one number, and takes the same steps whether a bit is set or not.
struct MessageChecks: OptionSet, Sendable {
    let rawValue: UInt32

    /// The session is not live.
    static let connection = MessageChecks(rawValue: 1 << 0)
    /// The host's trace records calls.
    static let trace = MessageChecks(rawValue: 1 << 1)
    /// Messages are logged.
    static let log = MessageChecks(rawValue: 1 << 2)
    /// A log or a trace shows the text of messages.
    static let traffic = MessageChecks(rawValue: 1 << 3)
    /// A journal records messages, or replays them.
    static let recording = MessageChecks(rawValue: 1 << 4)
    /// Interceptors may process calls; each name is looked up (``InterceptorTable/intercepts(_:_:)``).
    static let interceptors = MessageChecks(rawValue: 1 << 5)
    /// Grants decide about requests of scripts; once they do, they always do.
    ///
    /// Requests that they admit without counting pass as if there were none (``ResolvedHandler/isOpen(in:)``).
    static let grants = MessageChecks(rawValue: 1 << 6)
    /// Handlers of earlier requests have not begun.
    static let order = MessageChecks(rawValue: 1 << 7)
    /// Work is queued for the engine, or about to be.
    static let queue = MessageChecks(rawValue: 1 << 8)
    /// Each request has the ids of a trace with it (`tracesCalls` of the configuration).
    static let traceIDs = MessageChecks(rawValue: 1 << 9)
    /// As many calls of scripts are in progress as may be.
    static let limit = MessageChecks(rawValue: 1 << 10)

    /// The checks for which answers and items need the session machine: it is not live, or something observes it.
    static let observers: MessageChecks = [.connection, .trace, .traceIDs, .log, .recording]
    /// The checks for which requests of scripts need the session machine.
    ///
    /// A trace without texts does not: it records what happens to a request in the inbox too.
    static let requests: MessageChecks = [.connection, .traceIDs, .log, .traffic, .recording]
    /// The checks for which requests as data need the session machine.
    static let dataRequests: MessageChecks = [.requests, .grants, .trace, .order, .queue]
    /// The checks for which answers cannot be added to the batch.
    static let answers: MessageChecks = [.requests, .queue]
    /// The checks after which no further request of a turn begins before other work.
    static let interruptions: MessageChecks = [.connection, .queue]
    /// The checks for which items of streams need the session machine.
    static let items: MessageChecks = [.observers, .order]
    /// The checks for which calls of Swift need the session machine.
    static let calls: MessageChecks = [.observers, .queue]
    /// The checks that the storage of a session publishes under its lock.
    static let stored: MessageChecks = [
        .connection, .trace, .traceIDs, .log, .traffic, .grants, .order, .queue, .limit,
    ]
    /// The checks for which synchronous requests need the session machine.
    static let synchronousRequests: MessageChecks = [.requests, .limit]
    /// The observers that need messages as data, and see requests before the grants admit them.
    static let shown: MessageChecks = [.traffic, .recording]
}

/// The checks that apply to the messages of a session now.
final class MessageMask: Sendable {
    private let bits = Atomic<UInt32>(MessageChecks.connection.rawValue)

    /// Returns whether any of some checks applies.
    @inline(__always)
    func contains(anyOf checks: MessageChecks) -> Bool {
        bits.load(ordering: .acquiring) & checks.rawValue != 0
    }

    /// Sets some of the checks, and clears the others of a group.
    ///
    /// All changes of one group must be made under one lock; groups do not affect each other.
    @inline(__always)
    func set(_ checks: MessageChecks, of group: MessageChecks) {
        let changed = (bits.load(ordering: .relaxed) ^ checks.rawValue) & group.rawValue
        // Most messages change nothing, and a load costs less than a write.
        if changed != 0 { bits.bitwiseXor(changed, ordering: .acquiringAndReleasing) }
    }
}
