/// What stands for a payload in the session: the payload itself stays with the transport.
///
/// The session moves tokens and never looks behind them, so that one machine serves every transport, and can
/// be tested, recorded and replayed without any payload at all.
package struct PayloadToken: Sendable, Hashable {
    /// The place in the transport's ``PayloadSlab``.
    package let key: SlabKey

    /// Makes the token of a place.
    package init(key: SlabKey) { self.key = key }
}

/// The payloads of one transport that are on their way through a session.
///
/// Each token is used up by exactly one of ``take(_:)`` and ``discard(_:)``. A stale token gives `nil`, never
/// another payload and never a trap.
package struct PayloadSlab<Payload> {
    private var slab = Slab<Payload>()

    /// Makes an empty slab.
    package init() {}

    /// How many payloads are on their way.
    package var count: Int { slab.count }

    /// Keeps a payload and gives the token for it.
    package mutating func insert(_ payload: Payload) -> PayloadToken {
        PayloadToken(key: slab.insert(payload))
    }

    /// Takes the payload of a token out, or gives `nil` if the token was used up.
    package mutating func take(_ token: PayloadToken) -> Payload? {
        slab.remove(token.key)
    }

    /// Lets the payload of a token go.
    ///
    /// A used-up token changes nothing.
    package mutating func discard(_ token: PayloadToken) {
        _ = slab.remove(token.key)
    }
}

extension PayloadSlab: Sendable where Payload: Sendable {}
