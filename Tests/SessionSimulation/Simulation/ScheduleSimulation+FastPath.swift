/// The fast path of a transport in process, without table entries.
///
/// It handles calls that receive their reply in the step in which they are made, and requests whose handlers reply
/// before they return. Items go directly to their reader. Other events may occur between the begin and the end of each,
/// from a handler, a callback or another thread.
extension ScheduleSimulation {
    mutating func pass(_ kind: ScheduleEvent.Kind, _ index: Int, _ choice: Int) {
        switch kind {
        case .callInline: callInline(index, choice)
        case .takeUp: if let call = ends[index].handed.popLast() { takeUp(call, index, choice) }
        case .takeInline:
            guard let place = ends[index].inbox.firstIndex(where: { mayTakeInline($0, index) }),
                let parcel = first(index, after: place), mayTakeInline(parcel, index)
            else { return }
            stirs += 1
            if case .request(let name, _, _, _) = parcel.message.body {
                take(.admitsFreely(name, now: now), at: index)
            }
            ends[index].taken.append((ends[index].inbox.removeFirst(), ends[index].oracle.epoch))
        case .answerInline:
            if let parcel = ends[index].taken.popLast()?.parcel { answer(parcel, index, choice) }
        case .adopt: if let taken = ends[index].taken.popLast() { adopt(taken, index) }
        case .beginEvent:
            let topic = name(choice)
            guard case .number(let number) = take(.beginEvent(topic), at: index) else { return }
            let context = (generations[index / 2], ends[index].oracle.epoch)
            ends[index].begunEvents.append((topic, number, context.0, context.1))
        case .endEvent:
            guard !ends[index].begunEvents.isEmpty else { return }
            let place = choice / 3 % ends[index].begunEvents.count
            end(ends[index].begunEvents.remove(at: place), index, isDelivered: choice % 3 > 0)
        case .openItems: openItems(index, choice)
        default: countItems(index)
        }
    }

    /// Ends everything that is in the middle of a step.
    mutating func endInline(_ index: Int) {
        countItems(index)
        endEvents(index)
        while let call = ends[index].handed.popLast() { takeUp(call, index, 1) }
        while let parcel = ends[index].taken.popLast()?.parcel { answer(parcel, index, 0) }
    }

    // MARK: - Calls

    private mutating func callInline(_ index: Int, _ choice: Int) {
        let name = name(choice / 7)
        let root = newPayload { .request(root: $0, name: name, context: index / 2) }
        guard case .handed(let id) = take(.beginInline(name), at: index) else { return }
        let account = account(choice / 11, index)
        ends[index].handed.append((id, name, root, account))
        let body = SessionMessage.Body.request(name: name, id: id, wishes: .errors, deadline: nil)
        post(SessionMessage(body, payload: root, account: account), from: index)
    }

    private mutating func takeUp(
        _ call: (id: SessionIdentifier, name: String, root: Int, account: Int?),
        _ index: Int,
        _ choice: Int
    ) {
        let deadline = choice % 3 == 0 ? now + .milliseconds(choice % 600) : nil
        let input = SessionInput.takeUp(call.id, call.name, deadline: deadline, account: call.account)
        guard case .began(let reference) = take(input, at: index) else { return }
        ends[index].calls.insert(reference)
        ends[index].rootsOfCalls[reference] = call.root
    }

    /// Returns whether a message is the reply to a pending fast-path call.
    mutating func answersInline(_ message: SessionMessage, at index: Int) -> Bool {
        guard case .response(let id, let response) = message.body,
            let place = ends[index].handed.lastIndex(where: { $0.id == id })
        else { return false }
        let call = ends[index].handed.remove(at: place)
        ends[index].oracle.answeredInline(id)
        stirs += 1
        if case .result = response, message.payload.map({ contents[$0] }) != .reply(root: call.root) {
            fail("R4 call \(id) was replied to with data of another", at: index)
        }
        return true
    }

    // MARK: - Requests

    /// Returns the message at a position of the inbox, once all before it are delivered; `nil` if their delivery
    /// removed it.
    private mutating func first(_ index: Int, after place: Int) -> Parcel? {
        let generation = generations[index / 2]
        for _ in 0..<place where violation == nil && !ends[index].inbox.isEmpty { deliver(index, 0) }
        countItems(index)
        return generation == generations[index / 2] ? ends[index].inbox.first : nil
    }

    /// Returns whether a transport may handle a request on the fast path: its handler exists, nothing observes it, and
    /// no limit applies.
    func mayTakeInline(_ parcel: Parcel, _ index: Int) -> Bool {
        let end = ends[index]
        guard end.oracle.life == .live, isOfPresent(parcel, index),
            case .request(let name, let id, _, _) = parcel.message.body,
            end.oracle.admitsFreely(name, at: now),
            end.oracle.handlers[NameBytes(name)] != nil, end.oracle.lastEarlyCancellations == 0
        else { return false }
        let room = settings.maximumPendingCalls - end.oracle.requests.count - end.oracle.synchronous.count
        return id == nil || end.taken.count < room
    }

    func isOfPresent(_ parcel: Parcel, _ index: Int) -> Bool {
        parcel.generation == generations[index / 2]
            && (parcel.epoch ?? ends[index].oracle.epoch) == ends[index].oracle.epoch
    }

    private mutating func answer(_ parcel: Parcel, _ index: Int, _ choice: Int) {
        stirs += 1
        guard case .request(_, let id, _, _) = parcel.message.body, let payload = parcel.message.payload,
            case .request(let root, _, _) = contents[payload]
        else { return }
        let isLive = ends[index].oracle.life == .live
        // A context is not replaced before the end of its last turn.
        guard !isLive || isOfPresent(parcel, index) else { return }
        let message = SessionMessage(parcel.message.body, account: parcel.message.account)
        if choice % 3 == 2 {
            take(.failInline(message, code: "handlerFailed"), at: index)
        } else if id != nil, isLive ? choice % 3 == 1 : choice % 2 == 1 {
            // Other threads have messages to send, or the session has ended meanwhile.
            let payload = newPayload { _ in .reply(root: root) }
            take(.answerInline(message, payload: payload), at: index)
        } else if !isLive {
            take(.endInline(message), at: index)
        } else if let id {
            let payload = newPayload { _ in .reply(root: root) }
            let response = SessionMessage.Body.response(id, .result)
            post(SessionMessage(response, payload: payload, account: message.account), from: index)
        }
    }

    /// Registers a request whose handler has suspended; of a notification there is nothing to register.
    private mutating func adopt(_ taken: (parcel: Parcel, epoch: UInt64), _ index: Int) {
        let (parcel, epoch) = taken
        guard case .request(_, .some, _, _) = parcel.message.body, let payload = parcel.message.payload,
            case .request(let root, _, _) = contents[payload]
        else { return answer(parcel, index, 0) }
        let message = SessionMessage(parcel.message.body, account: parcel.message.account)
        guard case .began(let request) = take(.adopt(message, epoch: epoch), at: index) else { return }
        ends[index].requests.insert(request)
        ends[index].rootsOfRequests[request] = root
    }

    // MARK: - Events

    // The transport of a context that was replaced delivers nothing.
    private mutating func end(
        _ event: (topic: String, number: UInt64, generation: Int, epoch: UInt64),
        _ index: Int,
        isDelivered: Bool
    ) {
        let isPresent =
            event.generation == generations[index / 2] && event.epoch == ends[index].oracle.epoch
            && ends[index].oracle.life == .live
        guard isDelivered, isPresent else {
            take(.cancelEvent(event.topic, number: event.number), at: index)
            return
        }
        stirs += 1
        let payload = newPayload { _ in .event(topic: event.topic, sender: index) }
        post(.control(.event, event.topic, number: event.number, payload: payload), from: index)
    }

    /// Delivers the begun events, before anything else is received.
    mutating func endEvents(_ index: Int) {
        while let event = ends[index].begunEvents.popLast() { end(event, index, isDelivered: true) }
    }

    // MARK: - Items

    func isItem(_ parcel: Parcel, _ index: Int) -> Bool {
        guard case .control(.next, _, _, _) = parcel.message.body else { return false }
        return isOfPresent(parcel, index)
    }

    /// Collects the first items of one stream, as far as they are in order and within its credit.
    private mutating func openItems(_ index: Int, _ choice: Int) {
        if !ends[index].inbox.contains(where: { isItem($0, index) }) { drain(index ^ 1, .max) }
        guard let place = ends[index].inbox.firstIndex(where: { isItem($0, index) }) else { return }
        // Usually all earlier effects have been performed by then.
        guard first(index, after: place) != nil else { return }
        if choice % 4 != 0 { drain(index, .max) }
        guard let first = ends[index].inbox.first, isItem(first, index),
            case .control(.next, let id, _, _) = first.message.body,
            case .stream(let stream, var next, let granted) = take(.openItems(id), at: index),
            ends[index].streams[stream] != nil
        else { return }
        var payloads: [Int] = []
        while next < granted, let parcel = ends[index].inbox.first, isOfPresent(parcel, index),
            case .control(.next, id, next, _) = parcel.message.body, let payload = parcel.message.payload
        {
            ends[index].inbox.removeFirst()
            payloads.append(payload)
            next += 1
        }
        if !payloads.isEmpty { ends[index].items = (stream, payloads) }
    }

    /// Delivers the collected items, before anything else is received.
    mutating func countItems(_ index: Int) {
        guard let (stream, payloads) = ends[index].items else { return }
        ends[index].items = nil
        let continues = take(.countItems(stream, UInt64(payloads.count)), at: index) == .taken(true)
        guard continues else { return }
        for payload in payloads { follow(delivered: payload, of: stream, at: index) }
    }
}
