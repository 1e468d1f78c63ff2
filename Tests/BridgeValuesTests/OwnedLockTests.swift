import BridgeValues
import Foundation
import Testing

/// The lock that knows its owner, where a caller does not sleep for it.
@Suite(.timeLimit(.minutes(1))) struct OwnedLockTests {
    /// A count that only the lock protects.
    private final class Count: @unchecked Sendable {
        var value = 0
    }

    private static func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body()
                continuation.resume()
            }
        }
    }

    @Test("R18 a caller never waits for a lock that its own thread holds")
    func own() {
        let lock = OwnedLock()
        var isInner = true
        let isOuter = lock.withLockIfNearlyFree { isInner = lock.withLockIfNearlyFree {} }
        #expect(isOuter && !isInner)
        #expect(lock.withLockIfNearlyFree {})
    }

    @Test("R18 a caller gives up while another thread keeps the lock, and gets it afterwards")
    func held() async {
        let lock = OwnedLock()
        let isFree = lock.withLock {
            // More callers than those that do not wait after one that waited in vain.
            let outcomes = BlockedOutcomes()
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                for _ in 0..<1_000 { outcomes.add(lock.withLockIfNearlyFree {}) }
                done.signal()
            }
            done.wait()
            return outcomes.any
        }
        #expect(!isFree)
        #expect(lock.withLockIfNearlyFree {})
    }

    private final class BlockedOutcomes: @unchecked Sendable {
        private(set) var any = false
        func add(_ outcome: Bool) { any = any || outcome }
    }

    @Test("R16 two threads that look for the lock exclude each other")
    func exclusion() async {
        let (lock, count) = (OwnedLock(), Count())
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    await Self.onThread {
                        var successes = 0
                        while successes < 20_000 {
                            if lock.withLockIfNearlyFree({ count.value += 1 }) { successes += 1 }
                        }
                    }
                }
            }
        }
        #expect(count.value == 40_000)
    }
}
