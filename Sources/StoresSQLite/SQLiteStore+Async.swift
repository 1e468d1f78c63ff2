internal import BridgeValues
internal import Dispatch
public import Stores
internal import Synchronization

extension SQLiteStore {
    /// Runs a read away from the caller's thread, as ``read(_:)`` does.
    ///
    /// - Throws: What the body throws, or `CancellationError` where the task was cancelled: before it began, or while
    ///   the store worked for it.
    public func readAsync<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await run(on: .global()) { try self.read(body) }
    }

    /// Runs a write away from the caller's thread, as ``write(_:)`` does.
    ///
    /// Such writes begin in the order given.
    ///
    /// - Throws: What the body throws, or `CancellationError` where the task was cancelled before the commit: nothing was
    ///   done then.
    @discardableResult
    public func writeAsync<Result: Sendable>(
        _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
    ) async throws -> Result {
        try await run(on: writeQueue) { try self.write(body) }
    }

    private func run<Result: Sendable>(
        on queue: DispatchQueue,
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        let cancellation = TaskCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Swift.Result { try WorkLimit.withLimit(cancellation.check, work) }
                    )
                }
            }
        } onCancel: {
            cancellation.note()
        }
    }
}

/// Whether the task that waits for work on another thread was cancelled.
private final class TaskCancellation: Sendable {
    private let isCancelled = Atomic(false)

    func note() { isCancelled.store(true, ordering: .relaxed) }

    func check() throws {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
