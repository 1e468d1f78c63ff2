internal import Dispatch
internal import Foundation

/// A context behind a lock: what works away from its maker, one piece of work at a time.
///
/// Objects stay inside; identities, rows and other values come out.
public final class ConfinedContext: Sendable {
    // @unchecked Sendable because the context is only touched under the lock.
    private struct Confined: @unchecked Sendable {
        let context: ManagedObjectContext
    }

    private let confined: Confined
    // Recursive, so that work that is being done may do more at once.
    private let lock = NSRecursiveLock()
    private let queue = DispatchQueue(label: "ManagedObjectContext")

    init(_ container: PersistentContainer) { confined = Confined(context: container.newContext()) }

    /// Runs a body with the context, away from the caller; bodies begin in the order given.
    ///
    /// - Throws: What the body throws, or `CancellationError` where the task was cancelled before it began.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Swift.Result { try self.performAndWait(body) })
            }
        }
    }

    /// Runs a body with the context on the caller's thread, when no other does.
    ///
    /// Inside a body of the same context it runs at once.
    public func performAndWait<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(confined.context)
    }
}
