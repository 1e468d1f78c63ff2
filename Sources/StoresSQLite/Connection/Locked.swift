internal import Foundation

/// A value behind a lock.
///
/// Not `Synchronization.Mutex`: its lock is taken inside a library that the thread sanitizer cannot see into,
/// so that everything behind it is reported as a race (measured with Swift 6.3.1 on Linux).
final class Locked<Value: Sendable> {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    /// Runs a body with the value, alone.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

// @unchecked Sendable because the value is only touched under the lock.
extension Locked: @unchecked Sendable {}
