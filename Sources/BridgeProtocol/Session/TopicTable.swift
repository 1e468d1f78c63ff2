internal import BridgeValues

/// The topics to which both sides listen.
struct TopicTable: Sendable {
    /// The topics to which this side listens.
    var subscriptions: Set<ByteEqualString> = []
    /// The topics to which the other side listens, with the number of events that were sent.
    var peerSubscriptions: [ByteEqualString: UInt64] = [:]
}
