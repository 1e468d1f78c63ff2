internal import BridgeProtocol
internal import Synchronization

/// A source of items: a sequence of a handler's own type.
protocol ItemSource: Sendable {
    /// Passes each item to a body until the body refuses one or the sequence ends.
    ///
    /// An item that is requested but not sent is lost, so no item is requested before it is wanted.
    ///
    /// - Parameters:
    ///   - session: The session that sends the items.
    ///   - site: The place where the handler was registered.
    ///   - isWanted: Waits until one more item may be sent; returns false if none may be sent any more.
    ///   - body: Sends an item.
    /// - Throws: Any error that the sequence, an item's `encode(to:)` or the body throws.
    func read(
        in session: BridgeSession,
        at site: CallSite,
        while isWanted: () async -> Bool,
        _ body: (MessagePayload) async throws -> Bool
    ) async throws
}

/// An asynchronous sequence as a source of items; the direct transport encodes each as its type on delivery.
struct TypedSequence<Base: AsyncSequence & Sendable>: ItemSource where Base.Element: Encodable {
    let base: Base

    func read(
        in session: BridgeSession,
        at site: CallSite,
        while isWanted: () async -> Bool,
        _ body: (MessagePayload) async throws -> Bool
    ) async throws {
        let form = PayloadForm<Base.Element>()
        var elements = base.makeAsyncIterator()
        while await isWanted(), let element = try await elements.next() {
            guard try await body(form.payload(of: element, in: session, at: site)) else { return }
        }
    }
}

/// The credit of an outgoing stream.
final class StreamProducer: Sendable {
    private struct State {
        var credit: UInt64 = 0
        var isStopped = false
        var waiting: CheckedContinuation<Bool, Never>?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    func add(_ credit: UInt64) {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            let (sum, overflow) = state.credit.addingReportingOverflow(credit)
            state.credit = overflow ? .max : sum
            guard let waiting = state.waiting.take() else { return nil }
            state.credit -= 1
            return waiting
        }
        waiting?.resume(returning: true)
    }

    /// Stops the stream because it is not read any more.
    func stop() {
        let (waiting, task) = state.withLock { state in
            state.isStopped = true
            return (state.waiting.take(), state.task)
        }
        waiting?.resume(returning: false)
        task?.cancel()
    }

    /// Runs the sequence in a task that ``stop()`` cancels, so that a sequence that is itself waiting ends too.
    func run(_ body: @escaping @Sendable () async -> Void) async {
        let task = Task(operation: body)
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Waits until one more item may be sent; returns false if the stream was stopped.
    func waitForCredit() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if state.isStopped { return false }
                guard state.credit > 0 else {
                    state.waiting = continuation
                    return nil
                }
                state.credit -= 1
                return true
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
