internal import BridgeValues

/// The capabilities that the peer has shown.
struct PeerState: Sendable {
    /// A Boolean value that indicates whether every peer is known to belong to this package.
    let assumesExtensions: Bool
    /// A Boolean value that indicates whether the peer has shown that it supports extensions.
    var isExtended: Bool
    /// A Boolean value that indicates whether it has shown that it knows that this side does: only then does it
    /// announce its subscriptions.
    var listens: Bool
    /// A Boolean value that indicates whether this side has shown that it does.
    var isGreeted: Bool

    init(assumesExtensions: Bool) {
        self.assumesExtensions = assumesExtensions
        isExtended = assumesExtensions
        listens = assumesExtensions
        isGreeted = assumesExtensions
    }
}

/// The topics to which both sides listen.
struct TopicTable: Sendable {
    /// The topics to which this side listens.
    var subscriptions: Set<ByteEqualString> = []
    /// The topics to which the other side listens, with the number of events that were sent.
    var heard: [ByteEqualString: UInt64] = [:]
}
