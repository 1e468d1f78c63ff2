public import Dispatch
internal import Synchronization

/// The isolation of a view: a function that runs closures there, one at a time and in the order of the calls.
///
/// The view of a page may live anywhere: on the main actor of a program, on a queue or a thread of its own, or between
/// the turns of an engine. The closures never run inside the call.
public struct PageExecutor: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Creates an executor from a function.
    ///
    /// - Parameter run: Runs a closure on the isolation of the view, later, after those that it received before.
    public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// The main actor, for a program whose main thread runs the main queue.
    public static let main = PageExecutor { body in DispatchQueue.main.async(execute: body) }

    /// Returns the executor of a serial queue.
    public static func queue(_ queue: DispatchQueue) -> PageExecutor {
        PageExecutor { body in queue.async(execute: body) }
    }
}

/// An object that is used by the closures of one executor only, and released there.
///
/// An executor that runs two closures at the same time is a programmer error, which traps.
// @unchecked Sendable because the state is only accessed in closures of the executor.
final class IsolatedState<State>: @unchecked Sendable {
    private let executor: PageExecutor
    private let isEntered = Atomic(false)
    private var state: State?

    init(_ executor: PageExecutor) { self.executor = executor }

    deinit {
        guard let state = state.take() else { return }
        let last = LastReference(state)
        executor.run { last.release() }
    }

    /// Runs a closure with the state on the executor, and without one if there is none.
    func enqueue(_ body: @escaping @Sendable (inout State?) -> Void) {
        executor.run { [self] in enter(body) }
    }

    private func enter(_ body: (inout State?) -> Void) {
        precondition(
            !isEntered.exchange(true, ordering: .acquiring),
            "the executor of a page ran two closures at the same time, or one inside another"
        )
        body(&state)
        isEntered.store(false, ordering: .releasing)
    }

    /// Runs a closure with the state on the executor, and returns its result.
    func perform<Result: Sendable>(
        _ body: @escaping @Sendable (inout State?) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            enqueue { state in continuation.resume(with: Swift.Result { try body(&state) }) }
        }
    }
}

/// The last reference to an object, on its way to the executor that releases it.
// @unchecked Sendable because only the executor's closure touches the object.
private final class LastReference<State>: @unchecked Sendable {
    private var state: State?
    init(_ state: State) { self.state = state }
    func release() { state = nil }
}
