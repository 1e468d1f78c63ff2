internal import BridgeValues
internal import Dispatch
public import Stores
internal import Synchronization

extension SQLiteStore {
    /// Runs a read asynchronously, with the semantics of ``read(_:)``.
    ///
    /// - Throws: The body's error, or `CancellationError` if the task was cancelled before the body began or during the
    ///   store's work.
    public func readAsync<Result: Sendable>(
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try await run(on: .global()) { try self.read(body) }
    }

    /// Runs a write asynchronously, with the semantics of ``write(_:)``.
    ///
    /// Asynchronous writes start in the order of the calls.
    ///
    /// - Throws: The body's error, or `CancellationError` if the task was cancelled before the commit. Nothing is
    ///   changed then.
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

/// A flag that tells whether the task that waits for work on another thread was cancelled.
private final class TaskCancellation: Sendable {
    private let isCancelled = Atomic(false)

    func note() { isCancelled.store(true, ordering: .relaxed) }

    func check() throws {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
