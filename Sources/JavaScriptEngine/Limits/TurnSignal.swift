internal import Synchronization

/// A signal by which other threads request the end of a virtual machine's turn.
///
/// Opening and closing a turn costs one atomic operation each; only requests take the lock. A request names its turn,
/// so that it never ends the next one.
final class TurnSignal: Sendable {
    // The turn's number, then one bit each for "open" and "end requested".
    private let word = Atomic<UInt64>(0)
    private static let open: UInt64 = 2
    private static let requested: UInt64 = 1
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)
    private let request = Mutex<(turn: UInt64, reason: TerminationReason)?>(nil)

    /// Opens the next turn.
    ///
    /// Only the machine's owner may call it.
    func openTurn() {
        // Sequentially consistent with the end of the runtime: either the closing thread sees the open turn, or the
        // turn sees that the runtime is closed.
        word.store(
            ((word.load(ordering: .relaxed) >> 2) + 1) << 2 | Self.open,
            ordering: .sequentiallyConsistent
        )
    }

    /// Closes the turn.
    ///
    /// - Returns: The reason of a request to end the turn that came before it was closed.
    func closeTurn() -> TerminationReason? {
        let number = word.load(ordering: .relaxed) & ~3
        let before = word.exchange(number, ordering: .acquiringAndReleasing)
        return before & Self.requested != 0 ? reason(of: number) : nil
    }

    /// A Boolean value that indicates whether a thread has requested the end of the open turn.
    var isRequested: Bool { word.load(ordering: .acquiring) & Self.requested != 0 }

    /// The reason of the request to end the open turn.
    var requestedReason: TerminationReason? {
        let word = word.load(ordering: .acquiring)
        return word & Self.requested != 0 ? reason(of: word & ~3) : nil
    }

    /// The number of the open turn; `nil` if none is open.
    var openTurnNumber: UInt64? {
        let word = word.load(ordering: .acquiring)
        return word & Self.open != 0 ? word & ~3 : nil
    }

    /// Requests the end of the open turn; the first reason is kept.
    ///
    /// - Parameters:
    ///   - turn: The turn to end; any by default.
    ///   - reason: The reason.
    /// - Returns: Whether a turn was open: it then ends with a termination in every case.
    func requestEnd(of turn: UInt64? = nil, _ reason: TerminationReason) -> Bool {
        let isOpen = request.withLock { request in
            let now = word.load(ordering: .sequentiallyConsistent)
            guard now & Self.open != 0, turn == nil || turn == now & ~3 else { return false }
            if now & Self.requested != 0 { return true }
            request = (now & ~3, reason)
            return word.compareExchange(
                expected: now,
                desired: now | Self.requested,
                ordering: .acquiringAndReleasing
            ).exchanged
        }
        if isOpen { observer.withLock { $0 }?() }
        return isOpen
    }

    /// Sets the function that is called after each request to end a turn, on the requesting thread.
    func observeRequests(_ observer: @escaping @Sendable () -> Void) {
        self.observer.withLock { $0 = observer }
    }

    private func reason(of number: UInt64) -> TerminationReason? {
        request.withLock { $0?.turn == number ? $0?.reason : nil }
    }
}
