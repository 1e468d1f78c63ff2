internal import BridgeJSON
internal import BridgeProtocol
internal import Synchronization

/// The replies in text that wait for delivery, and the ids of the requests of the inbox.
///
/// Both are contiguous in text buffers that are reused: a request and its reply cost no allocation of their own. It is
/// used on the engine's thread only.
struct TextBatch {
    /// A waiting reply.
    struct Reply {
        let text: Range<Int>
        /// The range of the id in it.
        let id: Range<Int>
    }

    fileprivate var replies: [Reply] = []
    private var first = 0
    fileprivate var units: [UInt16] = []
    private var ids: [UInt16] = []
    /// The number of deliveries in progress, one within the other.
    fileprivate var deliveries = 0

    var isEmpty: Bool { first == replies.count }

    fileprivate mutating func popFirst() -> Reply? {
        guard first < replies.count else { return nil }
        defer { first += 1 }
        return replies[first]
    }

    /// Releases delivered replies.
    fileprivate mutating func forget() {
        guard isEmpty, first > 0, deliveries == 0 else { return }
        replies.removeAll(keepingCapacity: replies.count <= Self.keptCount)
        units.removeAll(keepingCapacity: units.count <= Self.keptUnits)
        first = 0
    }

    fileprivate mutating func drop() {
        first = replies.count
        forget()
    }

    // After a flood the memory is released.
    private static let keptCount = 1024
    private static let keptUnits = 1 << 18

    /// Stores the id of a request, and returns its number; `nil` if the id is too long.
    fileprivate mutating func number(of id: UnsafeBufferPointer<UInt16>) -> UInt64? {
        guard id.count <= Self.maximumIDLength else { return nil }
        defer { ids.append(contentsOf: id) }
        return UInt64(ids.count) << Self.lengthBits | UInt64(id.count)
    }

    private static let lengthBits: UInt64 = 16
    private static let maximumIDLength = 0xFFFF

    /// Returns the id of a request by its number.
    fileprivate func id(_ number: UInt64) -> ArraySlice<UInt16> {
        let start = Int(number >> Self.lengthBits)
        return ids[start..<start + Int(number & UInt64(Self.maximumIDLength))]
    }

    /// Releases all ids, once no request needs them.
    fileprivate mutating func forgetIDs() {
        ids.removeAll(keepingCapacity: ids.count <= Self.keptUnits)
    }
}

extension TextTransport {
    // MARK: - From the script

    /// Receives a fetched or delivered text of messages, and reads it in place.
    func receive(_ text: JSValue) {
        if inbox.isEmpty {
            if !inbox.isInUse { batch.forgetIDs() }
            inbox.hasCancellation = false
            checksIDs = session.state.withLock { $0.machine.earlyCancellationCount > 0 }
        }
        text.withUnits { units in
            guard let units else {
                return session.logWarning("The queue was fetched, but there was no text.")
            }
            receive(units) { take($0, of: units) }
        }
    }

    /// Decodes a request as its handler's type; returns false if it has to be read as a message.
    private func take(_ message: MessageMembers, of units: UnsafeBufferPointer<UInt16>) -> Bool {
        guard message.responseID == nil, message.namespace == nil, !session.codec.dialect.payloadIsText,
            let payload = message.data, let name = message.handlerName?.plainText(in: units),
            !inbox.hasCancellation, mayAdd(isCall: message.callbackID != nil),
            let handler = handler(named: name), handler.isOpen(in: session),
            let extensions = RequestExtensions(message.extensions, in: units, limits: session.codec.limits)
        else { return false }
        var accepts = CallerCapabilities()
        if message.extensions != nil {
            // Others show that the peer is extended, which the session must learn.
            guard let list = extensions.capabilities,
                let known = known(UnsafeBufferPointer(rebasing: units[list]))
            else { return false }
            accepts = known
        }
        var number: UInt64 = 0
        if let id = message.callbackID {
            guard let id = id.plainText(in: units), !id.isEmpty, !checksIDs || !isCancelled(id),
                let stored = batch.number(of: id)
            else { return false }
            number = stored
        }
        let memory = inbox.reserve(size: handler.requestSize)
        do {
            try handler.reader.kind.decode(
                UnsafeBufferPointer(rebasing: units[payload]),
                by: session.textDecoder,
                into: memory
            )
        } catch {
            // The handler that has the name at its turn reports the error.
            inbox.finish()
            return false
        }
        add(
            MessageInbox.Entry(
                unmanagedHandler: .passUnretained(handler),
                number: number,
                accepts: accepts,
                timeout: extensions.timeToLive,
                memory: memory,
                isRead: true
            ),
            handler
        )
        return true
    }

    // The capabilities of a sender are known here once the machine has seen them.
    private func known(_ list: UnsafeBufferPointer<UInt16>) -> CallerCapabilities? {
        if let seen, seen.list.elementsEqual(list) { return seen.accepts }
        guard session.state.withLock({ $0.machine.knowsExtendedPeer }),
            let names = try? session.textDecoder.decode([String].self, from: list)
        else { return nil }
        let accepts = CallerCapabilities(names: names.prefix(64))
        guard session.peer.known.isSuperset(of: accepts) else { return nil }
        seen = (Array(list), accepts)
        return accepts
    }

    private func isCancelled(_ id: UnsafeBufferPointer<UInt16>) -> Bool {
        let id = MessageID.text(String(decoding: id, as: UTF16.self))
        return session.state.withLock { $0.machine.isCancelledEarly(id) }
    }

    private func handler(named units: UnsafeBufferPointer<UInt16>) -> ResolvedHandler? {
        var hash = UInt64(units.count)
        for unit in units.prefix(32) { hash = hash &* 31 &+ UInt64(unit) }
        let slot = Int(hash % UInt64(Self.handlerSlots))
        if let known = handlers[slot], known.name.elementsEqual(units), known.handler.isCurrent(in: session) {
            return known.handler
        }
        // The inbox needs the handlers of its requests.
        guard handlers[slot] == nil || inbox.isEmpty && !inbox.isInUse else { return nil }
        let name = String(decoding: units, as: UTF16.self)
        guard let (id, registered) = session.handler(named: name), case .sync(let body) = registered.handler,
            body.requestReader.kind.subject != Value.self, PayloadMemory.takes(body.requestReader.kind)
        else { return nil }
        let handler = ResolvedHandler(id, name, registered, body, in: nil)
        guard handler.body != nil else { return nil }
        // Released when the table is not in use: its deinitializer may send messages.
        let replaced = handlers[slot]
        handlers[slot] = (Array(units), handler)
        withExtendedLifetime(replaced) {}
        return handler
    }

    static var handlerSlots: Int { 64 }

    func forgetOldHandlers() {
        let registrations = session.changes.registrations.load(ordering: .acquiring)
        guard registrations != knownRegistrations else { return }
        knownRegistrations = registrations
        for (slot, known) in handlers.enumerated() {
            guard let known, !known.handler.isCurrent(in: session) else { continue }
            handlers[slot] = nil
            known.handler.end()
        }
    }

    func id(ofRequest number: UInt64) -> MessageID {
        .text(String(decoding: batch.id(number), as: UTF16.self))
    }

    // MARK: - To the script

    func addReply(
        to entry: MessageInbox.Entry,
        of handler: ResolvedHandler,
        with result: UnsafeMutableRawPointer,
        isFree: Bool
    ) throws -> ReplyPlace {
        let usesBatch = isFree && takeMessage != nil
        guard let kind = handler.response.kind else {
            return usesBatch && add(entry, nil) ? .batch : .message(nil)
        }
        var place = ReplyPlace.batch
        try kind.encode(
            result,
            by: session.textEncoder,
            takesReferences: session.peer.takesPlaces ? session.peer.takesReferences : nil
        ) { text, places in
            // Encoding may have sent messages, which come first.
            let isFirst = !session.mask.contains(anyOf: .answers)
            if usesBatch, isFirst, places == nil, add(entry, text) { return }
            var payload = JSONPayload(written: Array(text), places)
            payload.isSecret = SecretMembers.shared.isWhole(kind.subject)
            place = .message(.text(payload))
        }
        return place
    }

    /// Adds a reply to the batch; returns false if it is too long.
    private func add(_ entry: MessageInbox.Entry, _ payload: UnsafeBufferPointer<UInt16>?) -> Bool {
        let start = batch.units.count
        guard let id = session.codec.append(replyTo: batch.id(entry.number), payload, to: &batch.units) else {
            return false
        }
        batch.replies.append(TextBatch.Reply(text: start..<batch.units.count, id: id))
        return true
    }

    func dropUndelivered() { batch.drop() }

    // Each reply gets its own task: the microtasks that it causes run before the next one.
    func flush() -> Int {
        guard !batch.isEmpty, let takeMessage else { return 0 }
        let context = context
        var count = 0
        // A reply's callback may run a turn within this one: the text is in use until the outermost delivery ends.
        batch.deliveries += 1
        while !context.isTerminating, let reply = batch.popFirst() {
            count += 1
            let text = batch.units.withUnsafeBufferPointer {
                JSValue(units: UnsafeBufferPointer(rebasing: $0[reply.text]), in: context)
            }
            context.willEnterOrigin()
            do {
                try context.call(takeMessage, with: [text])
            } catch let error as JSException where !error.isTermination {
                context.reportUncaught(error)
            } catch {
                let id = MessageID.text(String(decoding: batch.units[reply.id], as: UTF16.self))
                let response = BridgeMessage.Response(responseID: id, outcome: .payload(nil))
                session.fail(.response(response), with: error)
            }
            context.runMicrotasks()
            receive()
        }
        batch.deliveries -= 1
        batch.forget()
        if !batch.isEmpty { session.continueInAnotherTurn(of: context.turnOperation) }
        return count
    }
}
