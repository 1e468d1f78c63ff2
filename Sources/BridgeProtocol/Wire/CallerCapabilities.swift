internal import BridgeJSON

/// The capabilities of a request's sender, stated in each request (W2).
///
/// An empty set means a peer of 2017: one reply, success only, plain JSON. The raw values cross in process.
package struct CallerCapabilities: OptionSet, Sendable, Hashable {
    /// The bits.
    package let rawValue: UInt8

    /// Creates a set from bits; unknown ones are kept and ignored.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The reply may be an error instead of a result.
    package static let errors = Self(rawValue: 1)
    /// The reply may be a stream instead of a result.
    package static let streams = Self(rawValue: 2)
    /// Progress of the call may be reported before its result.
    package static let progress = Self(rawValue: 4)
    /// Payloads may have extension values for bytes and other data that JSON lacks (``ExtensionValues``).
    package static let binary = Self(rawValue: 8)
    /// Payloads may have functions and objects by reference; requires ``binary``, as the marks are the same.
    package static let references = Self(rawValue: 16)
    /// Requests may have marks for the results of earlier ones; requires ``binary``.
    ///
    /// A request never states it, as replies have no such marks: a greeting does.
    package static let pipelining = Self(rawValue: 32)

    private static let names: [(Self, String)] = [
        (.errors, "err"), (.streams, "stream"), (.progress, "progress"), (.binary, "bin"),
        (.references, "refs"), (.pipelining, "pipe"),
    ]

    /// All known capabilities.
    static let all = Self(names: names.map(\.1))

    /// Creates a set from names on the wire; unknown ones are ignored.
    package init(names: some Sequence<String>) {
        self = names.reduce(into: []) { set, name in
            for (element, known) in Self.names where known == name { set.insert(element) }
        }
    }

    /// The names on the wire, in a fixed order.
    var names: [String] { Self.names.lazy.filter { contains($0.0) }.map(\.1) }
}
