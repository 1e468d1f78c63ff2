internal import BridgeValues

/// The turns of a session on the isolation of its view: it makes an update when the page waits for one.
final class PageDriver {
    let session: PageSession
    /// The number of the session, which separates its updates from those of later ones.
    let number: Int
    private let clock: any MonotonicClock
    private let scheduleTurn: @Sendable () -> Void
    private var waiter: (@Sendable (Value?) -> Void)?
    private var isTurnScheduled = false
    private var wakeUp: (any ScheduledWakeUp)?

    init(
        _ session: PageSession,
        number: Int,
        clock: any MonotonicClock,
        scheduleTurn: @escaping @Sendable () -> Void
    ) {
        self.session = session
        self.number = number
        self.clock = clock
        self.scheduleTurn = scheduleTurn
        session.updateHandler = { [weak self] in self?.requestTurn() }
    }

    /// Passes the next update to a closure, when there is one.
    func wait(_ receive: @escaping @Sendable (Value?) -> Void) {
        waiter?(nil)
        waiter = receive
        turn()
    }

    /// Ends the session, and what waits for its updates.
    func end() {
        session.end()
        wakeUp?.cancel()
        waiter?(nil)
        waiter = nil
    }

    private func requestTurn() {
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        scheduleTurn()
    }

    /// Applies what is due, and makes an update if the page waits for one.
    func turn() {
        isTurnScheduled = false
        wakeUp?.cancel()
        wakeUp = nil
        let next = session.update(at: clock.now)
        guard let waiter, !session.interaction.isHidden else { return schedule(session.interactionEnd) }
        if let update = session.makeUpdate() {
            self.waiter = nil
            waiter(update)
            schedule(session.interactionEnd)
        } else {
            schedule(next)
        }
    }

    /// Schedules a turn.
    ///
    /// A page that waits for nothing, because it is hidden, needs none but for its movement and its drags.
    private func schedule(_ time: Duration?) {
        if let time { wakeUp = clock.schedule(at: time, scheduleTurn) }
    }
}
