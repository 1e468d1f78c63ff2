internal import Dispatch
internal import Foundation
internal import Synchronization

/// File work off the thread of the engine.
enum FileWork {
    private static let queue = DispatchQueue(label: "JavaScriptBridge.files", attributes: .concurrent)

    /// A flag that is set when the caller gives up.
    final class Cancellation: Sendable {
        private let isCancelled = Atomic(false)

        func cancel() { isCancelled.store(true, ordering: .relaxed) }

        /// Throws if the caller has given up.
        func check() throws {
            if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
        }
    }

    /// Runs blocking work on another thread.
    ///
    /// - Throws: The error of the work; `CancellationError` if the task was cancelled and the work noticed it.
    static func run<Output: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Output
    ) async throws -> Output {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Result {
                            try cancellation.check()
                            return try body(cancellation)
                        }
                    )
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
