/// The capabilities that the peer has shown.
struct PeerState: Sendable {
    /// A Boolean value that indicates whether every peer is known to belong to this package.
    let assumesExtensions: Bool
    /// A Boolean value that indicates whether the peer has shown that it supports extensions.
    var isExtended: Bool
    /// A Boolean value that indicates whether it has shown that it knows that this side does: only then does it
    /// announce its subscriptions.
    var listens: Bool
    /// A Boolean value that indicates whether this side has shown that it supports extensions.
    var isGreeted: Bool

    init(assumesExtensions: Bool) {
        self.assumesExtensions = assumesExtensions
        isExtended = assumesExtensions
        listens = assumesExtensions
        isGreeted = assumesExtensions
    }
}
