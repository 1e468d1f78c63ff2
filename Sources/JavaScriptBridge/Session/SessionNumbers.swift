internal import Synchronization

/// The numbers of changes by which others notice that what they looked up may be old.
///
/// They are stored under the session's lock, and read without it.
struct ChangeCounts: ~Copyable, Sendable {
    /// The number of times that a handler was registered, replaced or removed.
    let registrations = Atomic(0)
    /// The number of times that the grants were replaced.
    let grants = Atomic(0)
}

/// The addresses of what a turn of a session uses, which are 0 while there is none.
struct TurnAddresses: ~Copyable, Sendable {
    /// The direct transport.
    let transport = Atomic<UInt>(0)
    /// The engine.
    let engine = Atomic<UInt>(0)
}
