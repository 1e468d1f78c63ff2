internal import BridgeValues
internal import Synchronization

/// The threads that wait for a runtime without letting go of their own: who would wait in a circle is refused
/// instead.
///
/// A circle exists only once its last thread waits, so that looking before each wait finds all of them.
enum BlockedThreads {
    private static let waits = Mutex<[ThreadID: any Occupied]>([:])

    /// Waits for a runtime on the current thread.
    ///
    /// - Throws: ``BridgeError`` with the code `wouldDeadlock` where the runtime is in the hand of a thread
    ///   that waits, over any number of others, for this one.
    static func wait(for target: any Occupied, _ wait: () -> Void) throws {
        let current = ThreadID.current
        try waits.withLock { waits in
            var next = target.occupant
            // The chain has no circle, or it would have been refused; the bound is for what changes meanwhile.
            for _ in 0...waits.count {
                guard next != current else { throw deadlock }
                guard let other = waits[next] else { break }
                next = other.occupant
            }
            waits[current] = target
        }
        wait()
        waits.withLock { $0[current] = nil }
    }

    private static var deadlock: BridgeError {
        BridgeError(
            .wouldDeadlock,
            "The runtime is held by a thread that waits for this one: a synchronous entry would wait for ever."
        )
    }
}

/// What one thread has in its hand at a time.
protocol Occupied: AnyObject, Sendable {
    /// The thread; none where it is free.
    var occupant: ThreadID { get }
}

extension RuntimeThread: Occupied {
    var occupant: ThreadID { id }
}
