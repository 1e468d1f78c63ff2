/// The sizes beyond which a bridge accepts no more, each with the harm that it prevents.
///
/// Reaching a limit causes ``BridgeErrorCode/limitExceeded`` (or ``BridgeErrorCode/overloaded`` for a queue), and the
/// message has both numbers. The defaults are those of the trusted tier, far above the needs of honest scripts. A
/// negative limit counts as 0.
public struct BridgeLimits: Sendable, Hashable {
    /// The maximum nesting depth of a payload; more than 10,000 counts as 10,000.
    ///
    /// Prevents a crafted value from exhausting the native stack.
    public var maximumDepth = 512
    /// The maximum number of values in a payload, containers and scalars.
    ///
    /// Prevents one message from exhausting memory.
    public var maximumNodes = 16_000_000
    /// The maximum length of a message, in UTF-16 code units.
    ///
    /// Prevents one message from exhausting memory. In process, where a message is not text, the limit applies to its
    /// payload: all its strings and keys together, and its buffers, of which two bytes count as one unit.
    public var maximumMessageLength = 256 * 1024 * 1024
    /// The maximum length of a handler's name, in UTF-8 bytes.
    ///
    /// Prevents the use of names as payloads.
    public var maximumNameBytes = 1024 * 1024
    /// The maximum number of calls that wait for their replies, in each direction.
    ///
    /// Prevents a peer that never replies from growing the table.
    public var maximumPendingCalls = 1_000_000
    /// The maximum number of messages in the send queue, both before the peer is ready and while it is busy.
    ///
    /// Prevents an absent or a slow peer from growing the queue; the sender receives `overloaded`. The same number of
    /// replies may wait for a peer that calls before it is ready. Further replies are dropped, counted and logged.
    public var maximumQueuedMessages = 1_000_000
    /// The maximum number of the peer's notifications that asynchronous handlers process at the same time.
    ///
    /// Prevents a peer that notifies faster than handlers finish from growing the number of tasks. Further
    /// notifications are dropped, counted and logged, as a notification has no reply.
    public var maximumNotifications = 100_000
    /// The maximum number of open streams, in each direction.
    ///
    /// Prevents a peer that never ends a stream from growing the table.
    public var maximumStreams = 100_000
    /// The maximum number of topics that the other side may listen to.
    ///
    /// Prevents a peer from growing the table.
    public var maximumTopics = 10_000

    /// The maximum number of functions and objects that one side may hold of the other by reference, in each direction.
    ///
    /// Prevents a peer that never releases a reference from growing the table.
    public var maximumReferences = 100_000

    /// The maximum number of bytes of the strings and buffers of a payload that crosses in process.
    package var maximumPayloadBytes: Int {
        let (bytes, isLarger) = maximumMessageLength.multipliedReportingOverflow(by: 2)
        return isLarger ? .max : bytes
    }

    /// Creates the default limits.
    public init() {}

    /// These limits, each clamped to a number that is safe to calculate with: from 0 to 2^40.
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
