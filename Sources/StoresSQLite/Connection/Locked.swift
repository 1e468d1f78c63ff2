internal import Foundation

/// A value protected by a lock.
///
/// This is not `Synchronization.Mutex`, because the thread sanitizer cannot observe that lock, which is acquired inside
/// a library. It would report every access to the value as a race (measured with Swift 6.3.1 on Linux).
final class Locked<Value: Sendable> {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Runs a body with exclusive access to the value.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

// @unchecked Sendable because the value is only accessed while the lock is held.
extension Locked: @unchecked Sendable {}
