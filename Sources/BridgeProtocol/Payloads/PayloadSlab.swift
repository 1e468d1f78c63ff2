/// A token that represents a payload in the session; the payload itself stays with the transport.
///
/// The session moves tokens and never reads payloads. One session implementation therefore serves every transport, and
/// can be tested, recorded and replayed without payloads.
package struct PayloadToken: Sendable, Hashable {
    /// The key in the transport's ``PayloadSlab``.
    package let key: SlabKey

    /// Creates the token of a key.
    package init(key: SlabKey) { self.key = key }
}

/// The payloads of one transport that are passing through a session.
///
/// Each token is consumed by exactly one call of ``take(_:)`` or ``discard(_:)``. A stale token results in `nil`, never
/// in another payload or a trap.
package struct PayloadSlab<Payload> {
    private var slab = Slab<Payload>()

    /// Creates an empty slab.
    package init() {}

    /// The number of payloads.
    package var count: Int { slab.count }

    /// Stores a payload and returns its token.
    package mutating func insert(_ payload: Payload) -> PayloadToken {
        PayloadToken(key: slab.insert(payload))
    }

    /// Removes and returns the payload of a token; `nil` if the token was consumed before.
    package mutating func take(_ token: PayloadToken) -> Payload? {
        slab.remove(token.key)
    }

    /// Discards the payload of a token.
    ///
    /// Does nothing for a consumed token.
    package mutating func discard(_ token: PayloadToken) {
        _ = slab.remove(token.key)
    }
}

extension PayloadSlab: Sendable where Payload: Sendable {}
