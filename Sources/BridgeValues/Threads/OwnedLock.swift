internal import Foundation
internal import Synchronization

/// A lock that knows its owner thread, so that a wait that would deadlock fails: for a runtime's turns, and the writes
/// of a store.
// @unchecked Sendable because the mutex is made for all threads.
package final class OwnedLock: Occupied, @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let holder = Atomic<ThreadID>(ThreadID.none)
    private let observers = Mutex<[@Sendable () -> Void]>([])
    private let hasObservers = Atomic(false)

    package init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// The thread that holds the lock.
    package var occupant: ThreadID { holder.load(ordering: .acquiring) }

    /// A Boolean value that indicates whether the current thread holds the lock.
    package var isHeldByCurrentThread: Bool { occupant == .current }

    /// Runs a body with the lock.
    ///
    /// For callers that hold nothing that others wait for, such as the jobs of an actor.
    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        return try holding(body)
    }

    /// Runs a body with the lock, unless the wait would deadlock.
    ///
    /// The wait ends at the limit of the thread's work.
    ///
    /// - Throws: The given error, where the owner of the lock waits for this thread or is this thread; the error of
    ///   ``WorkLimit``; the error of the body.
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

    /// Runs a body with the lock if it becomes free within two milliseconds, as it does between short turns.
    ///
    /// - Returns: Whether the body ran. If not, ``waitForRelease()`` suspends the task until another attempt makes
    ///   sense.
    package func withLockSoon(_ body: () throws -> Void) rethrows -> Bool {
        // If other tasks are already suspended, the owner takes long: two milliseconds for each of them would add up.
        let mayWait = !hasObservers.load(ordering: .relaxed)
        guard pthread_mutex_trylock(mutex) == 0 || mayWait && lock(within: 2_000_000) else { return false }
        try holding(body)
        return true
    }

    /// Suspends the task until the lock is released or the task is cancelled; returns immediately where the lock is
    /// free.
    ///
    /// No thread is blocked meanwhile, as all tasks share a few threads.
    package func waitForRelease() async {
        let resumption = Resumption()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                resumption.suspend(continuation)
                notifyOnRelease { resumption.resume() }
            }
        } onCancel: {
            resumption.resume()
        }
    }

    /// Calls a closure after the next release, or immediately where the lock is free.
    private func notifyOnRelease(_ notify: @escaping @Sendable () -> Void) {
        observers.withLock { $0.append(notify) }
        hasObservers.store(true, ordering: .sequentiallyConsistent)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        // The owner may have released the lock before it could see the observer.
        guard pthread_mutex_trylock(mutex) == 0 else { return }
        pthread_mutex_unlock(mutex)
        notifyObservers()
    }

    private func notifyObservers() {
        guard hasObservers.exchange(false, ordering: .sequentiallyConsistent) else { return }
        let waiting = observers.withLock { observers in
            defer { observers = [] }
            return observers
        }
        for notify in waiting { notify() }
    }

    private func waitForLock(_ limit: WorkLimit?) throws {
        guard let limit else {
            pthread_mutex_lock(mutex)
            return
        }
        while !lock(within: 10_000_000) { try limit.check() }
    }

    /// Waits a number of nanoseconds, less than a second, for the lock; returns whether it was acquired.
    private func lock(within nanoseconds: Int) -> Bool {
        #if canImport(Darwin)
            // Darwin's mutexes have no timed wait.
            if pthread_mutex_trylock(mutex) == 0 { return true }
            usleep(1_000)
            return pthread_mutex_trylock(mutex) == 0
        #else
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            end.tv_nsec += nanoseconds
            if end.tv_nsec >= 1_000_000_000 {
                end.tv_nsec -= 1_000_000_000
                end.tv_sec += 1
            }
            return pthread_mutex_timedlock(mutex, &end) == 0
        #endif
    }

    /// Runs a body with the lock if no thread holds it, including this one; returns whether it did.
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
            #if !arch(x86_64)
                // On x86-64 the release of a mutex is such a fence.
                atomicMemoryFence(ordering: .sequentiallyConsistent)
            #endif
            if hasObservers.load(ordering: .sequentiallyConsistent) { notifyObservers() }
        }
        return try body()
    }
}

/// A resumption of a task, once, by the first of several events.
private final class Resumption: Sendable {
    private struct State {
        var isOver = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func suspend(_ continuation: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume() }
    }

    func resume() {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume()
    }
}
