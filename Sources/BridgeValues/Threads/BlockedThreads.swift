internal import Synchronization

/// The threads that wait for a runtime or a store's write without letting go of their own: who would wait in a circle
/// is refused instead.
///
/// A circle exists only once its last thread waits, so that looking before each wait finds all of them.
package enum BlockedThreads {
    private static let waits = Mutex<[ThreadID: any Occupied]>([:])

    /// Waits on the current thread for what another has in its hand.
    ///
    /// - Throws: The given error, where what it waits for is in the hand of a thread that waits, over any number of
    ///   others, for this one.
    package static func wait(
        for target: any Occupied,
        orThrow deadlock: @autoclosure () -> any Error,
        _ wait: () -> Void
    ) throws {
        let current = ThreadID.current
        let isCircle = waits.withLock { waits in
            var next = target.occupant
            // The chain has no circle, or it would have been refused; the bound is for what changes meanwhile.
            for _ in 0...waits.count {
                guard next != current else { return true }
                guard let other = waits[next] else { break }
                next = other.occupant
            }
            waits[current] = target
            return false
        }
        if isCircle { throw deadlock() }
        wait()
        waits.withLock { $0[current] = nil }
    }
}

/// What one thread has in its hand at a time.
package protocol Occupied: AnyObject, Sendable {
    /// The thread; none where it is free.
    var occupant: ThreadID { get }
}
