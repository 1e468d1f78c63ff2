/// The consequences of an end's effects, and the properties that must hold between the two ends.
extension ScheduleSimulation {
    mutating func follow(_ effect: SessionEffect, from index: Int) {
        switch effect {
        case .send(let message): post(message, from: index)
        case .dispatch(_, let reference, let name, let payload, let deadline):
            follow(dispatched: reference, name, payload, deadline, at: index)
        case .settle(let call, let response, let payload):
            ends[index].calls.end(call)
            ends[index].held.end(call)
            guard case .result = response, let payload else { return }
            let root = ends[index].rootsOfCalls[call]
            if contents[payload] != root.map(Content.reply) {
                fail("R4 call \(call) settled with data of another: \(contents[payload])", at: index)
            }
        case .opened(let call, let stream):
            ends[index].calls.end(call)
            ends[index].reading.insert(stream)
            ends[index].streams[stream] = (ends[index].rootsOfCalls[call] ?? -1, nil, 0)
        case .progress(let call, let payload):
            guard let payload, let root = ends[index].rootsOfCalls[call] else { return }
            if contents[payload] != .progress(root: root) {
                fail("R4 call \(call) received data of another: \(contents[payload])", at: index)
            }
        case .deliver(let stream, let payload): follow(delivered: payload, of: stream, at: index)
        case .event(let topic, let payload):
            guard let payload else { return }
            if contents[payload] != .event(topic: topic, sender: index ^ 1),
                !isNotification(payload, topic, index)
            {
                fail("R4 topic \"\(topic)\" delivered data of another: \(contents[payload])", at: index)
            }
        case .finish(let stream, _): ends[index].reading.end(stream)
        case .stop(let stream): ends[index].sending.end(stream)
        case .proceed(let continuations): follow(continuations, at: index)
        case .abandon, .demand, .audit, .discard: break
        }
    }

    // A call without a reply and without a handler is an event for listeners of the same name.
    private func isNotification(_ payload: Int, _ name: String, _ index: Int) -> Bool {
        guard case .request(_, name, index / 2) = contents[payload] else { return false }
        return true
    }

    private mutating func follow(
        dispatched reference: SessionReference?,
        _ name: String,
        _ payload: Int?,
        _ deadline: Duration?,
        at index: Int
    ) {
        guard let payload else { return fail("R1 a request lost its payload", at: index) }
        var root = payload
        switch contents[payload] {
        case .request(let first, name, index / 2) where generationsOfRequests[first] == generations[index / 2]:
            root = first
        case .event(name, index ^ 1): break
        default:
            return fail(
                "R4 \"\(name)\" was called with data of another: \(contents[payload])",
                at: index
            )
        }
        // Its handler has been removed meanwhile, in some cases.
        if payload % 32 == 9 {
            take(.refuseDispatched(reference, payload: payload), at: index)
            return
        }
        // Its operation has ended meanwhile, in some cases.
        if payload % 32 == 17 {
            take(.drop(reference, payload: payload), at: index)
            return
        }
        guard let reference else {
            // Half of the handlers continue after they have returned.
            if payload % 2 == 0, take(.beginNotification(payload: payload), at: index) != .taken(true) {
                return
            }
            ends[index].notifications.append(payload)
            return
        }
        ends[index].requests.insert(reference)
        ends[index].rootsOfRequests[reference] = root
        if let deadline { take(.answer(reference, by: deadline), at: index) }
    }

    mutating func follow(delivered payload: Int?, of stream: SessionReference, at index: Int) {
        guard let payload, let known = ends[index].streams[stream] else { return }
        guard case .item(known.root, let serial, known.next) = contents[payload],
            serial == known.serial ?? serial
        else {
            return fail(
                "R4 stream \(stream) delivered an item that is not its next one: \(contents[payload])",
                at: index
            )
        }
        ends[index].streams[stream] = (known.root, serial, known.next + 1)
    }

    // MARK: - Ways

    /// Puts a message on its way to the other end.
    mutating func post(_ message: SessionMessage, from index: Int) {
        let other = index ^ 1
        // Without a receiver the message is lost, as with a page that no longer exists.
        guard ends[other].isThere, ends[index].isThere else { return }
        let context = index / 2
        let epoch = other % 2 == 0 ? epochs[context] : nil
        if let payload = message.payload, case .request(let root, _, _) = contents[payload] {
            generationsOfRequests[root] = generations[context]
        }
        ends[other].inbox.append(Parcel(message: message, generation: generations[context], epoch: epoch))
    }

    mutating func deliver(_ index: Int, _ choice: Int) {
        // Mostly in order; the schedule's own events reorder.
        let position = choice % 8 == 7 ? (choice / 8) % ends[index].inbox.count : 0
        let parcel = ends[index].inbox.remove(at: position)
        deliver(parcel, to: index)
    }

    mutating func deliver(_ parcel: Parcel, to index: Int) {
        var message = parcel.message
        let isCurrent = parcel.generation == generations[index / 2]
        // A lost context receives nothing more. The host may receive messages of a lost context.
        guard ends[index].isThere, isCurrent || index % 2 == 0 else { return }
        if isCurrent, message.canComeAgain {
            ends[index].old.append(message)
            if ends[index].old.count > 40 { ends[index].old.removeFirst() }
        }
        // Earlier items and events are delivered first.
        countItems(index)
        endEvents(index)
        if isCurrent, answersInline(message, at: index) { return }
        if let payload = message.payload { message.payload = copy(payload) }
        // A host that has released a context and has no new one cannot identify the sender by the transport.
        let isUnnotified = ends[index].oracle.life == .tearingDown || ends[index].oracle.life == .retired
        let epoch = isUnnotified ? nil : parcel.epoch
        if message.isExtended, isCurrent, parcel.epoch ?? 0 == epochs[index / 2] || index % 2 == 1 {
            take(.peerShowedExtensions, at: index)
        }
        // Some payloads cannot be decoded.
        if case .request = message.body, let payload = message.payload, payload % 16 == 3 {
            take(.refuse(message, code: "invalidMessage", epoch: epoch), at: index)
        } else {
            receive(message, epoch, at: index)
        }
    }

    /// Delivers a message to an end, with the size of its payload that its transport knows.
    mutating func receive(_ message: SessionMessage, _ epoch: UInt64?, at index: Int) {
        endEvents(index)
        var size = 0
        if case .request = message.body, let payload = message.payload { size = Self.size(contents[payload]) }
        take(.receive(message, epoch: epoch, size: size, now: now), at: index)
    }

    private static func size(_ content: Content) -> Int {
        if case .request(let root, _, _) = content { 8 << (root % 4) } else { 8 }
    }
}

extension SessionMessage {
    /// A Boolean value that indicates whether it belongs to a call or a stream, whose ids identify its context;
    /// requests have no such id.
    fileprivate var canComeAgain: Bool {
        switch body {
        case .response, .control(.next, _, _, _), .control(.more, _, _, _), .control(.progress, _, _, _): true
        case .request, .control: false
        }
    }

    /// A Boolean value that indicates whether the message shows that its sender supports extensions.
    var isExtended: Bool {
        switch body {
        case .request(_, _, let wishes, _): !wishes.isEmpty
        case .response(_, let response): response != .result
        case .control: true
        }
    }
}
