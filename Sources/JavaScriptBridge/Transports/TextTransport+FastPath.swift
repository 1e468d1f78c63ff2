internal import BridgeJSON
internal import BridgeProtocol
internal import Synchronization

/// A handler whose requests in text are answered without the machine.
///
/// It is used on the engine's thread only.
final class TextHandler: ResolvedHandler {
    // Weak, so that removing a handler releases what it holds.
    private weak var registered: RegisteredHandler?
    fileprivate let units: [UInt16]

    /// The body of the handler; `nil` once the handler was removed.
    fileprivate var body: (any SynchronousHandler)? {
        guard case .typed(let body)? = registered?.handler else { return nil }
        return body
    }

    fileprivate init(
        _ id: HandlerID,
        _ units: UnsafeBufferPointer<UInt16>,
        _ name: String,
        _ handler: RegisteredHandler
    ) {
        registered = handler
        self.units = Array(units)
        super.init(id, name, at: handler.site)
    }
}

/// A queue of requests that arrived as text, and of replies that wait for delivery.
///
/// They are contiguous in a text buffer that is reused: a request and its reply cost no allocation of their own. It is
/// used on the engine's thread only.
struct TextInbox {
    /// A waiting request.
    struct Entry {
        let handler: TextHandler
        /// The ranges of the request and its parts in the text.
        let place: PlainWire.Request
        let accepts: CallerCapabilities
    }

    /// A waiting reply.
    struct Reply {
        let text: Range<Int>
        /// The range of the id in it.
        let id: Range<Int>
    }

    fileprivate(set) var entries: [Entry] = []
    fileprivate(set) var first = 0
    fileprivate(set) var units: [UInt16] = []
    /// The number of waiting requests that expect an answer, and its limit.
    fileprivate var callCount = 0
    fileprivate var room = 0
    /// A Boolean value that indicates whether some ids were cancelled before they arrived.
    fileprivate var checksIDs = false
    fileprivate(set) var replies: [Reply] = []
    fileprivate(set) var firstReply = 0
    fileprivate(set) var replyUnits: [UInt16] = []

    var isEmpty: Bool { first == entries.count }
    var hasReplies: Bool { firstReply < replies.count }

    fileprivate mutating func popFirst() -> Entry? {
        guard first < entries.count else { return nil }
        let entry = entries[first]
        first += 1
        if entry.place.callbackID != nil { callCount -= 1 }
        return entry
    }

    /// Releases completed entries.
    fileprivate mutating func forget() {
        guard isEmpty, first > 0 else { return }
        entries.removeAll(keepingCapacity: entries.count <= Self.keptCount)
        units.removeAll(keepingCapacity: units.count <= Self.keptUnits)
        (first, callCount) = (0, 0)
    }

    fileprivate mutating func forgetReplies() {
        guard !hasReplies, firstReply > 0 else { return }
        replies.removeAll(keepingCapacity: replies.count <= Self.keptCount)
        replyUnits.removeAll(keepingCapacity: replyUnits.count <= Self.keptUnits)
        firstReply = 0
    }

    // After a flood the memory is released.
    private static let keptCount = 1024
    private static let keptUnits = 1 << 18

    /// A Boolean value that indicates whether so much completed text is stored that no more may be added before all of
    /// it is done.
    fileprivate var isWornOut: Bool { first > Self.keptCount || first > 0 && units.count > Self.keptUnits }
}

/// Requests in text that are answered without the machine: nothing observes them, and their handlers are synchronous.
///
/// As in the direct transport, the inbox holds the newest messages of the script: before anything else is received, it
/// is emptied into the machine.
extension TextTransport {
    /// Receives the requests of a batch; returns false, and takes nothing, if one of them is for the machine.
    func takeRequests(of batch: UnsafeBufferPointer<UInt16>) -> Bool {
        guard let wire, !session.mask.contains(anyOf: [.requests, .queue]), !inbox.isWornOut else {
            return false
        }
        let (entryCount, start) = (inbox.entries.count, inbox.units.count)
        if inbox.isEmpty {
            (inbox.room, inbox.checksIDs) = session.state.withLock {
                ($0.machine.roomForIncomingCalls, $0.machine.earlyCancellationCount > 0)
            }
        }
        let isTaken = wire.requests(in: batch) { request in
            guard let handler = handler(named: UnsafeBufferPointer(rebasing: batch[request.name])) else {
                return false
            }
            var accepts = CallerCapabilities()
            if let list = request.acceptance {
                guard let known = known(UnsafeBufferPointer(rebasing: batch[list]), wire) else {
                    return false
                }
                accepts = known
            }
            if let id = request.callbackID {
                guard inbox.callCount < inbox.room, !inbox.checksIDs || !isCancelled(batch[id]) else {
                    return false
                }
                inbox.callCount += 1
            }
            inbox.entries.append(
                TextInbox.Entry(handler: handler, place: request.moved(by: start), accepts: accepts)
            )
            return true
        }
        if isTaken {
            inbox.units.append(contentsOf: batch)
        } else {
            let taken = inbox.entries[entryCount...]
            inbox.callCount -= taken.count { $0.place.callbackID != nil }
            inbox.entries.removeSubrange(taken.indices)
        }
        return isTaken
    }

    // The capabilities of a sender are known here once the machine has seen them.
    private func known(_ list: UnsafeBufferPointer<UInt16>, _ wire: PlainWire) -> CallerCapabilities? {
        if let seen, seen.list.elementsEqual(list) { return seen.accepts }
        let accepts = wire.acceptance(of: list)
        let isKnown =
            CallerCapabilities(rawValue: session.peerAccepts.load(ordering: .relaxed)).isSuperset(of: accepts)
            && session.state.withLock { $0.machine.knowsExtendedPeer }
        guard isKnown else { return nil }
        seen = (Array(list), accepts)
        return accepts
    }

    private func isCancelled(_ id: Slice<UnsafeBufferPointer<UInt16>>) -> Bool {
        let id = MessageID.text(String(decoding: id, as: UTF16.self))
        return session.state.withLock { $0.machine.isCancelledEarly(id) }
    }

    private func handler(named units: UnsafeBufferPointer<UInt16>) -> TextHandler? {
        var hash = UInt64(units.count)
        for unit in units.prefix(32) { hash = hash &* 31 &+ UInt64(unit) }
        let slot = Int(hash % UInt64(Self.handlerSlots))
        if let known = handlers[slot], known.units.elementsEqual(units), session.stands(known) {
            return known
        }
        let name = String(decoding: units, as: UTF16.self)
        guard let (id, handler) = session.handler(named: name), case .typed(let body) = handler.handler,
            body.takesText
        else { return nil }
        let known = TextHandler(id, units, name, handler)
        handlers[slot] = known
        return known
    }

    static var handlerSlots: Int { 64 }

    /// Empties the inbox into the machine.
    func moveRest() {
        while let entry = inbox.popFirst() { spill(entry, of: inbox.units) }
        inbox.forget()
    }

    private func spill(_ entry: TextInbox.Entry, of units: [UInt16]) {
        let text = Array(units[entry.place.text])
        session.receive(session.codec.element(text, now: session.configuration.clock.now), in: context)
    }

    func work(limit: Int) -> Int? {
        guard !inbox.isEmpty else { return nil }
        // If an observer was added, or the bridge was closed, the machine has to handle them.
        guard !session.mask.contains(anyOf: .observers) else {
            if session.isLive { moveRest() } else { endAll() }
            return 0
        }
        // Earlier requests may be queued in the machine for the performing thread: these go behind them.
        if session.hasUndone {
            moveRest()
            return 0
        }
        let takesReferences = session.peerTakesPlaces ? session.peerTakesReferences : nil
        var count = 0
        while count < limit, let entry = inbox.popFirst() {
            if session.letsIn(entry.handler) {
                count += 1
                run(entry, takesReferences)
            } else {
                spill(entry, of: inbox.units)
            }
            // Messages that a handler sends precede the results of later handlers.
            if session.mask.contains(anyOf: .queue) || context.isTerminating { break }
        }
        inbox.forget()
        return count
    }

    // The context's last turn, or a turn of a context that is being given up.
    private func endAll() {
        while let entry = inbox.popFirst() {
            let request = request(entry, of: inbox.units)
            session.update(isInTurn: true) { $0.machine.endInline(request) }
        }
        inbox.forget()
    }

    private func request(_ entry: TextInbox.Entry, of units: [UInt16]) -> BridgeMessage.Request {
        var request = BridgeMessage.Request(handlerName: entry.handler.name)
        request.callbackID = entry.place.callbackID.map { .text(String(decoding: units[$0], as: UTF16.self)) }
        request.accepts = entry.accepts
        request.account = session.account(of: context.turnOperation)
        return request
    }

    private func run(_ entry: TextInbox.Entry, _ takesReferences: Bool?) {
        // Retained here: the handler may cause the script to send more.
        let units = inbox.units
        guard let body = entry.handler.body else { return spill(entry, of: units) }
        do {
            try units.withUnsafeBufferPointer { text in
                try body.answer(
                    UnsafeBufferPointer(rebasing: text[entry.place.payload]),
                    in: session,
                    takesReferences: takesReferences
                ) { payload, places in
                    received += 1
                    guard let id = entry.place.callbackID else { return }
                    guard !session.mask.contains(anyOf: .observers) || session.isLive else {
                        let request = request(entry, of: units)
                        return session.update(isInTurn: true) { $0.machine.endInline(request) }
                    }
                    reply(to: UnsafeBufferPointer(rebasing: text[id]), payload, places, entry.accepts)
                }
            }
        } catch is TextNotRead {
            // The machine reports the error.
            spill(entry, of: units)
        } catch {
            received += 1
            fail(entry, of: units, error)
        }
    }

    private func reply(
        to id: UnsafeBufferPointer<UInt16>,
        _ payload: UnsafeBufferPointer<UInt16>?,
        _ places: ExtensionValues?,
        _ accepts: CallerCapabilities
    ) {
        let start = inbox.replyUnits.count
        if places == nil, !session.mask.contains(anyOf: [.observers, .queue]), let wire,
            wire.append(replyTo: id, payload, to: &inbox.replyUnits)
        {
            let idStart = start + wire.replyIDOffset
            inbox.replies.append(
                TextInbox.Reply(text: start..<inbox.replyUnits.count, id: idStart..<idStart + id.count)
            )
        } else {
            let payload = payload.map { MessagePayload.text(JSONPayload(written: Array($0), places)) }
            let response = BridgeMessage.Response(
                responseID: .text(String(decoding: id, as: UTF16.self)),
                outcome: .payload(nil),
                accepts: accepts,
                account: session.account(of: context.turnOperation)
            )
            session.addEngineWork(.send(.response(response), payload))
        }
        sent += 1
    }

    private func fail(_ entry: TextInbox.Entry, of units: [UInt16], _ error: any Error) {
        let error = BridgeError(wrapping: error).traced(throughHandlerAt: entry.handler.site)
        guard entry.place.callbackID != nil else {
            return session.logWarning("The handler of a notification failed. \(error)")
        }
        let request = request(entry, of: units)
        session.update(isInTurn: true) { $0.machine.failInline(request, error) }
    }

    func dropRest() {
        while inbox.popFirst() != nil {}
        inbox.forget()
        inbox.firstReply = inbox.replies.count
        inbox.forgetReplies()
    }

    // Each reply gets its own task: the microtasks that it causes run before the next one.
    func flush() -> Int {
        guard inbox.hasReplies, let takeMessage else { return 0 }
        var count = 0
        while inbox.hasReplies, !context.isTerminating {
            let reply = inbox.replies[inbox.firstReply]
            inbox.firstReply += 1
            count += 1
            let text = inbox.replyUnits.withUnsafeBufferPointer {
                JSValue(units: UnsafeBufferPointer(rebasing: $0[reply.text]), in: context)
            }
            context.willEnterOrigin()
            do {
                try context.call(takeMessage, with: [text])
            } catch let error as JSException where !error.isTermination {
                context.reportUncaught(error)
            } catch {
                let id = MessageID.text(String(decoding: inbox.replyUnits[reply.id], as: UTF16.self))
                let response = BridgeMessage.Response(responseID: id, outcome: .payload(nil))
                session.fail(.response(response), with: error)
            }
            context.runMicrotasks()
            receive(in: context)
        }
        inbox.forgetReplies()
        if inbox.hasReplies { session.continueInAnotherTurn(of: context.turnOperation) }
        return count
    }

    /// Reports the messages of the fast path to the machine.
    func report() {
        guard received + sent > 0 else { return }
        let (received, sent) = (received, sent)
        self.received = 0
        self.sent = 0
        session.state.withLock { $0.machine.countInline(received: received, sent: sent) }
    }
}

extension BridgeSession {
    /// A Boolean value that indicates whether the other side is connected, and neither side is being given up.
    var isLive: Bool { state.withLock { $0.machine.state == .live } }

    /// A Boolean value that indicates whether messages of the current context are received.
    var acceptsMessages: Bool {
        !mask.contains(anyOf: .connection) || state.withLock { $0.machine.isCurrent(nil) }
    }
}
