internal import Synchronization

/// The threads that wait for a lock of a runtime or of a store's writes while they hold one; a wait that would deadlock
/// fails instead.
///
/// A cycle exists only once its last thread waits, so that a check before each wait finds every cycle.
package enum BlockedThreads {
    private static let waits = Mutex<[ThreadID: any Occupied]>([:])

    /// Waits on the current thread for a target that another thread occupies.
    ///
    /// - Throws: The given error, where the target's occupant waits, directly or through others, for this thread.
    package static func wait(
        for target: any Occupied,
        orThrow deadlock: @autoclosure () -> any Error,
        _ wait: () -> Void
    ) throws {
        let current = ThreadID.current
        let isCircle = waits.withLock { waits in
            var next = target.occupant
            // The chain has no cycle, or its last wait would have failed; the bound covers concurrent changes.
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

/// A resource that at most one thread occupies at a time.
package protocol Occupied: AnyObject, Sendable {
    /// The thread that occupies the resource; ``ThreadID/none`` where it is free.
    var occupant: ThreadID { get }
}
