/// The choice of an end for each event, so that every event has an effect.
extension ScheduleSimulation {
    /// The replacements of an event whose kind is impossible everywhere: the next steps in the life of the messages.
    private static let nextInLine: [ScheduleEvent.Kind] = [
        .deliver, .drain, .call, .arrive, .tornDown, .loseContext, .tick,
    ]

    private static func nextInLine(insteadOf kind: ScheduleEvent.Kind) -> [ScheduleEvent.Kind] {
        switch kind {
        case .sendItem, .endStream, .grant, .stop: [kind, .openStream] + nextInLine
        case .openItems, .countItems: [kind, .openItems, .sendItem, .grant, .openStream] + nextInLine
        case .deliver, .drop, .duplicate, .delay: [kind, .sendItem, .reply] + nextInLine
        case .keepResult, .refer: [kind, .call, .drain] + nextInLine
        case .beginEvent: [kind, .subscribe] + nextInLine
        case .endEvent: [kind, .beginEvent, .emit] + nextInLine
        case .adopt: [kind, .takeInline] + nextInLine
        default: [kind] + nextInLine
        }
    }

    /// Returns the kind and the end of an event: its own end, the next one where its kind is possible, or a
    /// replacement.
    func place(of event: ScheduleEvent) -> (kind: ScheduleEvent.Kind, index: Int) {
        for kind in Self.nextInLine(insteadOf: event.kind) {
            for step in 0..<4 {
                let index = (Int(event.end) + step) & 3
                if canHappen(kind, at: index, Int(event.choice)) { return (kind, index) }
            }
        }
        return (.tick, Int(event.end))
    }

    private func canHappen(_ kind: ScheduleEvent.Kind, at index: Int, _ choice: Int) -> Bool {
        let end = ends[index]
        // Further events for an ended session show little more than the first one.
        let isAlive = end.isThere && (!end.oracle.hasEnded || choice % 16 == 0)
        switch kind {
        case .tick: return true
        case .flow: return ends.contains { $0.isThere && (!$0.inbox.isEmpty || $0.oracle.owesEffects) }
        case .arrive, .ready, .crash, .loseContext, .tearDown, .tornDown, .retire:
            return index % 2 == 0 && canGoThrough(kind, index / 2, choice)
        case .call, .notify, .emit, .register, .remove, .setGrants, .reset, .close: return isAlive
        case .subscribe, .unsubscribe: return isAlive
        case .hold: return isAlive
        case .goOn: return isAlive && end.held.pick(choice) != nil
        case .settle: return isAlive && end.held.pick(choice) != nil
        case .release: return isAlive
        case .callInline:
            return isAlive && settings.form == .inProcess && (end.oracle.life == .live || choice % 8 == 0)
        case .takeUp: return end.isThere && !end.handed.isEmpty
        case .takeInline: return end.isThere && end.inbox.contains { mayTakeInline($0, index) }
        case .answerInline, .adopt: return end.isThere && !end.taken.isEmpty
        case .openItems:
            let other = ends[index ^ 1]
            return end.isThere
                && (end.inbox.contains { isItem($0, index) }
                    || !end.reading.current.isEmpty && other.isThere && other.oracle.owesEffects)
        case .countItems: return end.isThere && end.items != nil
        case .callNow: return end.isThere && (end.oracle.life == .live || isAlive && choice % 4 == 0)
        case .answerNow: return end.isThere && !end.synchronous.isEmpty
        // The peer performs it, so that one must exist.
        case .cancelAhead: return isAlive && ends[index ^ 1].isThere
        case .comeLate: return isAlive && ends[index ^ 1].isThere && end.cancelledAhead > 0
        case .cancel: return isAlive && end.calls.pick(choice) != nil
        case .reply, .replyTwice, .openStream, .progress: return isAlive && end.requests.pick(choice) != nil
        case .sendItem, .endStream: return isAlive && end.sending.pick(choice) != nil
        case .grant, .stop: return isAlive && end.reading.pick(choice) != nil
        case .endNotification: return isAlive && !end.notifications.isEmpty
        case .expire: return isAlive && end.oracle.nextDeadline != nil
        case .drain, .drainOne: return end.isThere && end.oracle.owesEffects
        case .deliver, .drop, .duplicate: return end.isThere && !end.inbox.isEmpty
        // A message needs others that overtake it.
        case .delay: return end.isThere && end.inbox.count > 1
        case .forge: return isAlive
        case .beginEvent: return isAlive && !end.oracle.peerSubscriptions.isEmpty
        case .endEvent: return end.isThere && !end.begunEvents.isEmpty
        case .endWork, .failStreams, .refuseStream, .deny: return isAlive
        case .keepResult, .refer: return isAlive && end.inbox.contains { mayRefer($0, index) }
        case .releaseResult: return isAlive && !end.kept.isEmpty
        case .replayOld: return isAlive && !replayable(index).isEmpty
        case .crossOver: return isAlive && settings.form == .extended && !ends[index ^ 2].old.isEmpty
        }
    }

    /// Returns messages that may be delivered again: to this context at any time, to a later one if their ids are
    /// unique.
    func replayable(_ index: Int) -> [SessionMessage] {
        settings.form == .extended ? ends[index].old : ends[index].old.filter { !$0.isOfPeer }
    }

    private func canGoThrough(_ kind: ScheduleEvent.Kind, _ context: Int, _ choice: Int) -> Bool {
        let host = ends[2 * context]
        let script = ends[2 * context + 1]
        switch kind {
        case .arrive:
            // The current effect of a session is performed first.
            guard !host.oracle.hasEnded else { return host.depth == 0 }
            return awaitsContext[context] && host.oracle.life == .idle
        // A repeated notification, or one during a teardown, changes nothing.
        case .ready:
            return script.isThere && (host.oracle.life != .live || choice % 8 == 0)
                || host.oracle.life == .tearingDown && choice % 4 == 0
        case .crash, .retire: return script.isThere
        // Also for a context that was removed silently.
        case .loseContext: return !awaitsContext[context] && !host.oracle.hasEnded
        case .tearDown: return script.isThere && !host.oracle.hasEnded
        case .tornDown:
            return tornDown[context] != nil && (host.oracle.life == .tearingDown || choice % 8 == 0)
        default: return false
        }
    }
}

extension SessionMessage {
    /// A Boolean value that indicates whether the other end chose its id, which a later context may choose again.
    fileprivate var isOfPeer: Bool {
        switch body {
        case .request, .response(_, .stream), .control(.cancel, _, _, _), .control(.next, _, _, _),
            .control(.end, _, _, _):
            true
        case .response, .control: false
        }
    }
}
