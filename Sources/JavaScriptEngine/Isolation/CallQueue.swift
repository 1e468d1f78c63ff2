internal import Synchronization

/// A call that waits for a promise, before its turn.
struct PromiseCall: Sendable {
    /// The call's name among ``CallInterrupts``.
    let id: UInt64
    let waiter: PromiseWaiter
    /// Makes the waiter hear of the promise, inside a turn; gives the waiter's number.
    let begin: @Sendable (JSContext, PromiseWaiter) throws -> Int
}

/// The calls that come while another has the runtime: they wait here and share a turn, instead of having one
/// change of threads and one entry of the engine each.
final class CallQueue: Sendable {
    private struct State {
        var calls: [PromiseCall] = []
        /// Whether a call has the runtime for itself.
        var isOccupied = false
        var isScheduled = false
        /// Whether the last drain found several calls: then more will come, and to wait for them is cheaper
        /// than to be first.
        var isCrowded = false
    }

    private let state = Mutex(State())

    /// Lets a call have the runtime for itself, if nobody has it, waits or is about to.
    func occupy() -> Bool {
        state.withLock { state in
            guard !state.isOccupied, !state.isScheduled, !state.isCrowded else { return false }
            state.isOccupied = true
            return true
        }
    }

    /// Ends what ``occupy()`` began.
    func vacate() { state.withLock { $0.isOccupied = false } }

    /// Adds a call; true if the caller must schedule a drain.
    func add(_ call: PromiseCall) -> Bool {
        state.withLock { state in
            state.calls.append(call)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    func take() -> [PromiseCall] {
        state.withLock { state in
            defer { state.calls = [] }
            state.isCrowded = state.calls.count > 1
            return state.calls
        }
    }

    /// Ends a drain; true if the caller must schedule another.
    func finish() -> Bool {
        state.withLock { state in
            state.isScheduled = !state.calls.isEmpty
            return state.isScheduled
        }
    }
}

extension RuntimeCore {
    /// How long calls are added to a turn: the limits of a turn count for all of it, so that what the calls
    /// before have used must be next to nothing.
    private static let longestSharing = Duration.milliseconds(1)

    /// Runs the calls that wait, many in one turn.
    ///
    /// - Returns: Whether more have come meanwhile.
    func drainCalls() -> Bool {
        var calls = calls.take()[...]
        while let first = calls.first {
            var current: PromiseCall?
            do {
                // Those of one operation, or of none, which follow each other.
                let operation = first.waiter.operation
                try turn(joining: operation) {
                    let clock = ContinuousClock()
                    let end = clock.now + Self.longestSharing
                    while let call = calls.first, call.waiter.operation === operation {
                        calls.removeFirst()
                        current = call
                        run(call)
                        // Somebody may have asked for the call's end at its last moment, which is then the
                        // end of this turn and not of the next call.
                        if context.mustStop || clock.now > end { break }
                    }
                }
            } catch {
                // Closed or retired, or the operation has ended: no turn was opened.
                (current ?? calls.popFirst())?.waiter.fail(with: error)
            }
        }
        return self.calls.finish()
    }

    /// Lets go of a waiter that goes on without its promise.
    ///
    /// For any thread.
    func forget(_ waiter: PromiseWaiter) {
        if let number = waiter.number { _ = waiters.take(number) }
    }

    /// Runs a call inside a turn that it shares.
    private func run(_ call: PromiseCall) {
        interrupts.begin(call.id)
        defer { interrupts.end() }
        // Cancelled before its turn: it never enters.
        guard call.waiter.isWaiting else { return }
        do {
            call.waiter.setNumber(try call.begin(context, call.waiter))
        } catch {
            call.waiter.fail(with: error)
        }
        context.runMicrotasks()
        if !call.waiter.isWaiting { forget(call.waiter) }
    }
}
