internal import Dispatch
internal import Foundation
internal import Stores

/// A context behind a lock, which runs one body at a time on any thread.
///
/// Objects must stay inside the body; identities, rows and other values may be returned.
public final class ConfinedContext: Sendable {
    // @unchecked Sendable because the context is only accessed while the lock is held.
    private struct Confined: @unchecked Sendable {
        let context: ManagedObjectContext
    }

    private let confined: Confined
    // Recursive, so that a body can run another body of the same context.
    private let lock = NSRecursiveLock()
    private let queue = DispatchQueue(label: "ManagedObjectContext")

    init(_ container: PersistentContainer) { confined = Confined(context: container.newContext()) }

    /// Runs a body with the context asynchronously; bodies start in the order of the calls.
    ///
    /// - Throws: The body's error, or `CancellationError` if the task was cancelled before the body was enqueued.
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

    /// Runs a body with the context on the calling thread, after any other body has finished.
    ///
    /// Inside a body of the same context, the new body runs immediately.
    public func performAndWait<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(confined.context)
    }
}
