/// What the sender of a request takes in return, stated in each request (W2).
///
/// Nothing means a peer of 2017: one reply, success only, plain JSON. The raw values cross in process.
package struct Acceptance: OptionSet, Sendable, Hashable {
    /// The bits.
    package let rawValue: UInt8

    /// Makes a set of its bits; those that are not known are kept and mean nothing.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// An error instead of a result.
    package static let errors = Self(rawValue: 1)
    /// A stream instead of a result.
    package static let streams = Self(rawValue: 2)
    /// News of how far the call has come, before its result.
    package static let progress = Self(rawValue: 4)
    /// What JSON lacks: bytes and the like in their places (``PayloadPlaces``).
    package static let binary = Self(rawValue: 8)
    /// Functions and objects by reference; nothing without ``binary``, as the marks are the same.
    package static let references = Self(rawValue: 16)
    /// Marks in a request for the results of earlier ones; nothing without ``binary``.
    ///
    /// No request says so, as no reply has any: a greeting does.
    package static let pipelining = Self(rawValue: 32)

    private static let names: [(Self, String)] = [
        (.errors, "err"), (.streams, "stream"), (.progress, "progress"), (.binary, "bin"),
        (.references, "refs"), (.pipelining, "pipe"),
    ]

    /// All that is known here.
    static let all = Self(names: names.map(\.1))

    /// Makes the set of names on the wire; unknown ones are passed over.
    init(names: some Sequence<String>) {
        self = names.reduce(into: []) { set, name in
            for (element, known) in Self.names where known == name { set.insert(element) }
        }
    }

    /// The names on the wire, in one order.
    var names: [String] { Self.names.lazy.filter { contains($0.0) }.map(\.1) }
}
