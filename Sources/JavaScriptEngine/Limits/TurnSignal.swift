internal import Synchronization

/// What other threads may say to the turn of a virtual machine: that it shall end.
///
/// A turn opens and closes with one atomic operation each; only those who want to end it take the lock. A
/// request names the turn that it means, so that it never ends the next one.
final class TurnSignal: Sendable {
    // The number of the turn, then one bit each for "open" and "shall end".
    private let word = Atomic<UInt64>(0)
    private static let open: UInt64 = 2
    private static let requested: UInt64 = 1
    private let request = Mutex<(turn: UInt64, reason: TerminationReason)?>(nil)

    /// Opens the next turn.
    ///
    /// Only the machine's owner may call it.
    func openTurn() {
        // In one order with the end of the runtime: either its closer sees the open turn, or the turn that it is closed.
        word.store(
            ((word.load(ordering: .relaxed) >> 2) + 1) << 2 | Self.open,
            ordering: .sequentiallyConsistent
        )
    }

    /// Closes the turn.
    ///
    /// - Returns: Why it shall end, where somebody has said so before it was closed.
    func closeTurn() -> TerminationReason? {
        let number = word.load(ordering: .relaxed) & ~3
        let before = word.exchange(number, ordering: .acquiringAndReleasing)
        return before & Self.requested != 0 ? reason(of: number) : nil
    }

    /// Whether somebody has said that the open turn shall end.
    var isRequested: Bool { word.load(ordering: .acquiring) & Self.requested != 0 }

    /// Why the open turn shall end.
    var requestedReason: TerminationReason? {
        let word = word.load(ordering: .acquiring)
        return word & Self.requested != 0 ? reason(of: word & ~3) : nil
    }

    /// The turn that is open now; `nil` where none is.
    var openTurnNumber: UInt64? {
        let word = word.load(ordering: .acquiring)
        return word & Self.open != 0 ? word & ~3 : nil
    }

    /// Asks the open turn to end; the first reason counts.
    ///
    /// - Parameters:
    ///   - turn: The turn that is meant; any by default.
    ///   - reason: Why.
    /// - Returns: Whether a turn was open: it then ends with a termination, whatever it does.
    func requestEnd(of turn: UInt64? = nil, _ reason: TerminationReason) -> Bool {
        request.withLock { request in
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
    }

    private func reason(of number: UInt64) -> TerminationReason? {
        request.withLock { $0?.turn == number ? $0?.reason : nil }
    }
}
