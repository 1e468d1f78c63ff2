internal import Synchronization

/// A call that waits for a promise, before its turn.
struct PromiseCall: Sendable {
    /// The call's ID in ``CallInterrupts``.
    let id: UInt64
    let waiter: PromiseWaiter
    /// A closure that registers the waiter for the promise, inside a turn.
    ///
    /// It returns the waiter's number.
    let begin: @Sendable (JSContext, PromiseWaiter) throws -> Int
}

/// A queue of the calls that arrive while another call occupies the runtime.
///
/// They share a turn, instead of a change of threads and an entry into the engine for each.
final class CallQueue: Sendable {
    private struct State {
        var calls: [PromiseCall] = []
        /// A Boolean value that indicates whether a call occupies the runtime alone.
        var isOccupied = false
        var isScheduled = false
        /// A Boolean value that indicates whether the last drain found several calls.
        ///
        /// Then more are expected, and waiting for them is cheaper than being first.
        var isCrowded = false
    }

    private let state = Mutex(State())

    /// Returns whether the caller now occupies the runtime alone, which requires that no other call does, waits or is
    /// expected.
    func occupy() -> Bool {
        state.withLock { state in
            guard !state.isOccupied, !state.isScheduled, !state.isCrowded else { return false }
            state.isOccupied = true
            return true
        }
    }

    /// Ends an occupation that ``occupy()`` began.
    func vacate() { state.withLock { $0.isOccupied = false } }

    /// Adds a call.
    ///
    /// Returns true if the caller must schedule a drain.
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

    /// Ends a drain.
    ///
    /// Returns true if the caller must schedule another one.
    func finish() -> Bool {
        state.withLock { state in
            state.isScheduled = !state.calls.isEmpty
            return state.isScheduled
        }
    }
}

extension RuntimeCore {
    /// The time during which calls are added to a turn.
    ///
    /// The limits of a turn apply to all of it, so that the earlier calls must have used next to nothing of them.
    private static let longestSharing = Duration.milliseconds(1)

    /// Runs the queued calls, many in one turn.
    ///
    /// - Returns: Whether more calls have arrived meanwhile.
    func drainCalls() -> Bool {
        var calls = calls.take()[...]
        while let first = calls.first {
            var current: PromiseCall?
            do {
                // Consecutive calls of the same operation, or of none.
                let operation = first.waiter.operation
                try turn(joining: operation) {
                    let clock = ContinuousClock()
                    let end = clock.now + Self.longestSharing
                    while let call = calls.first, call.waiter.operation === operation {
                        calls.removeFirst()
                        current = call
                        run(call)
                        // A termination may have been requested at the last moment of this call. It must end this turn
                        // and not the next call.
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

    /// Removes a waiter that continues without its promise.
    ///
    /// It may be called on any thread.
    func forget(_ waiter: PromiseWaiter) {
        if let number = waiter.number { _ = waiters.take(number) }
    }

    /// Runs a call inside a turn that it shares.
    private func run(_ call: PromiseCall) {
        interrupts.begin(call.id)
        defer { interrupts.end() }
        // A call that was cancelled before its turn never enters.
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
