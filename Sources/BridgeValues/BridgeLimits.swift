/// The sizes at which a bridge stops taking more, each with the harm that it prevents.
///
/// Reaching one gives ``BridgeErrorCode/limitExceeded`` (or ``BridgeErrorCode/overloaded`` for a queue), and
/// the message has both numbers. The defaults are the trusted tier's: far above what honest scripts need. A negative
/// limit counts as 0.
public struct BridgeLimits: Sendable, Hashable {
    /// How deep a payload may nest; more than 10,000 counts as 10,000.
    ///
    /// Stops a crafted value from exhausting the native stack.
    public var maximumDepth = 512
    /// How many values a payload may hold, containers and leaves.
    ///
    /// Stops one message from taking all memory.
    public var maximumNodes = 16_000_000
    /// How large one message may be, in UTF-16 code units.
    ///
    /// Stops one message from taking all memory. In process, where a message is no text, its payload meets the limit: all its
    /// strings and keys together, and two bytes of its buffers as one unit.
    public var maximumMessageLength = 256 * 1024 * 1024
    /// How long a handler's name may be, in UTF-8 bytes.
    ///
    /// Stops names from being used as payloads.
    public var maximumNameBytes = 1024 * 1024
    /// How many calls may wait for their reply, each way.
    ///
    /// Stops a peer that never answers from growing the table.
    public var maximumPendingCalls = 1_000_000
    /// How many messages may wait to be sent: before the peer is there, and while it is busy.
    ///
    /// Stops an absent or a slow peer from growing the queue; who sends gets `overloaded`. As many replies may wait for a peer
    /// that calls before it listens; those beyond are dropped, counted and logged.
    public var maximumQueuedMessages = 1_000_000
    /// How many notifications of the peer may be worked on by handlers that wait.
    ///
    /// Stops a peer that notifies faster than handlers end from growing the number of tasks; what is beyond is dropped, counted
    /// and logged, as its sender wants no answer.
    public var maximumNotifications = 100_000
    /// How many streams may go on, each way.
    ///
    /// Stops a peer that never ends one from growing the table.
    public var maximumStreams = 100_000
    /// How many topics the other side may listen to.
    ///
    /// Stops a peer from growing the table.
    public var maximumTopics = 10_000

    /// How many functions and objects one side may hold of the other by reference, each way.
    ///
    /// Stops a peer that never lets one go from growing the table.
    public var maximumReferences = 100_000

    /// How many bytes the strings and the data of a payload may take that crosses in process.
    package var maximumPayloadBytes: Int {
        let (bytes, isLarger) = maximumMessageLength.multipliedReportingOverflow(by: 2)
        return isLarger ? .max : bytes
    }

    /// Makes the defaults.
    public init() {}

    /// The same with numbers that can be counted with: from 0 to 2^40.
    package var withinBounds: BridgeLimits {
        var limits = self
        for path in Self.numbers { limits[keyPath: path] = min(max(0, limits[keyPath: path]), 1 << 40) }
        limits.maximumDepth = min(limits.maximumDepth, Value.maximumDepth)
        return limits
    }

    private static var numbers: [WritableKeyPath<BridgeLimits, Int>] {
        [
            \.maximumDepth, \.maximumNodes, \.maximumMessageLength, \.maximumNameBytes,
            \.maximumPendingCalls, \.maximumQueuedMessages, \.maximumNotifications, \.maximumStreams,
            \.maximumTopics, \.maximumReferences,
        ]
    }
}
