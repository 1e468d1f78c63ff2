internal import Foundation
internal import Synchronization

/// Keeps two threads from having turns of one runtime at the same time: the actor's, and those that enter
/// synchronously.
// @unchecked Sendable because the mutex is made for all threads.
final class TurnLock: Occupied, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let holder = Atomic<ThreadID>(ThreadID.none)

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// The thread that holds the lock.
    var occupant: ThreadID { holder.load(ordering: .acquiring) }

    /// Whether the thread that asks holds the lock.
    var isHeldByCurrentThread: Bool { occupant == .current }

    /// Runs a body alone.
    ///
    /// For who holds no other runtime, as the jobs of an actor do.
    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        return try holding(body)
    }

    /// Runs a body alone, unless waiting for that would never end.
    ///
    /// - Throws: ``BridgeError`` with the code `wouldDeadlock`; what the body throws.
    func withLockIfAttainable<Result>(_ body: () throws -> Result) throws -> Result {
        if pthread_mutex_trylock(mutex) != 0 {
            try BlockedThreads.wait(for: self) { pthread_mutex_lock(mutex) }
        }
        return try holding(body)
    }

    /// Runs a body alone if nobody holds the lock, this thread included; gives whether it did.
    func withLockIfFree(_ body: () throws -> Void) rethrows -> Bool {
        guard pthread_mutex_trylock(mutex) == 0 else { return false }
        try holding(body)
        return true
    }

    private func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
        holder.store(.current, ordering: .releasing)
        defer {
            holder.store(.none, ordering: .releasing)
            pthread_mutex_unlock(mutex)
        }
        return try body()
    }
}
