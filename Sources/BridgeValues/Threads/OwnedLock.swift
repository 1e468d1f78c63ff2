internal import Foundation
internal import Synchronization

/// A lock that knows which thread holds it, so that waiting in a circle is refused: a runtime's turns, and the writes of
/// a store.
// @unchecked Sendable because the mutex is made for all threads.
package final class OwnedLock: Occupied, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let holder = Atomic<ThreadID>(ThreadID.none)

    package init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// The thread that holds the lock.
    package var occupant: ThreadID { holder.load(ordering: .acquiring) }

    /// Whether the thread that asks holds the lock.
    package var isHeldByCurrentThread: Bool { occupant == .current }

    /// Runs a body alone.
    ///
    /// For who holds nothing that others wait for, as the jobs of an actor do.
    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        return try holding(body)
    }

    /// Runs a body alone, unless waiting for that would never end.
    ///
    /// The wait ends at the limit that the thread's work is under.
    ///
    /// - Throws: The given error, where the thread that holds the lock waits for this one or is it; what ``WorkLimit``
    ///   throws; what the body throws.
    package func withLock<Result>(
        orThrow deadlock: @autoclosure () -> any Error,
        _ body: () throws -> Result
    ) throws -> Result {
        if pthread_mutex_trylock(mutex) != 0 {
            var failure: (any Error)?
            try BlockedThreads.wait(for: self, orThrow: deadlock()) {
                do { try waitForLock(WorkLimit.current) } catch { failure = error }
            }
            if let failure { throw failure }
        }
        return try holding(body)
    }

    private func waitForLock(_ limit: WorkLimit?) throws {
        guard let limit else {
            pthread_mutex_lock(mutex)
            return
        }
        while !lockWithinMoment() { try limit.check() }
    }

    /// Waits up to 10 ms for the lock; gives whether it was taken.
    private func lockWithinMoment() -> Bool {
        #if canImport(Darwin)
            // That system's mutexes have no wait that ends.
            if pthread_mutex_trylock(mutex) == 0 { return true }
            usleep(1_000)
            return pthread_mutex_trylock(mutex) == 0
        #else
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            end.tv_nsec += 10_000_000
            if end.tv_nsec >= 1_000_000_000 {
                end.tv_nsec -= 1_000_000_000
                end.tv_sec += 1
            }
            return pthread_mutex_timedlock(mutex, &end) == 0
        #endif
    }

    /// Runs a body alone if nobody holds the lock, this thread included; gives whether it did.
    @discardableResult
    package func withLockIfFree(_ body: () throws -> Void) rethrows -> Bool {
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
