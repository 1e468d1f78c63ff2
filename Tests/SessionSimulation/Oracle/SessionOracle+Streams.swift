extension SessionOracle {
    // MARK: - Streams that are read here

    func grant(_ reference: SessionReference, _ credit: UInt64) {
        guard credit > 0, let number = readNumbers[reference], let stream = readStreams[number] else {
            return
        }
        readStreams[number]?.granted = Self.sum(stream.granted, credit)
        let body = SessionMessage.Body.control(.more, stream.id, number: credit, code: nil)
        send(SessionMessage(body, account: stream.account))
    }

    // Saturating addition.
    private static func sum(_ credit: UInt64, _ more: UInt64) -> UInt64 { credit + min(more, .max - credit) }

    func stop(_ reference: SessionReference) -> Bool {
        guard let number = readNumbers[reference], let stream = endReading(number) else { return false }
        sendStop(stream.id, "cancelled", account: stream.account)
        return true
    }

    func sendStop(_ id: SessionIdentifier, _ code: String, account: Int? = nil, inBatch: Bool = false) {
        let body = SessionMessage.Body.control(.stop, id, number: 0, code: code)
        send(SessionMessage(body, account: account), inBatch: inBatch)
    }

    func endReading(_ number: Int) -> ReadStream? {
        guard let stream = readStreams.removeValue(forKey: number) else { return nil }
        readByIdentifier[stream.id] = nil
        return stream
    }

    private func finish(_ number: Int, _ code: String?) {
        if endReading(number) != nil { owe(.finish(stream: number, code: code)) }
    }

    func takeItem(_ id: SessionIdentifier, _ index: UInt64, _ payload: Int?) {
        guard let number = readByIdentifier[id], var stream = readStreams[number] else {
            counted.unknownStreams += 1
            return
        }
        if index >= stream.granted { return refuseOverrun(number, stream) }
        // A duplicate item is ignored.
        guard index >= stream.received, stream.early[index] == nil else { return }
        stream.early[index] = .some(payload)
        while let next = stream.early.removeValue(forKey: stream.received) {
            owe(.deliver(stream: number, payload: next))
            stream.received += 1
        }
        readStreams[number] = stream
        if let end = stream.end, end.count <= stream.received { finish(number, end.code) }
    }

    func takeEnd(_ id: SessionIdentifier, _ count: UInt64, _ code: String?) {
        guard let number = readByIdentifier[id], let stream = readStreams[number] else {
            counted.unknownStreams += 1
            return
        }
        if count <= stream.received { return finish(number, code) }
        if count > stream.granted { return refuseOverrun(number, stream) }
        readStreams[number]?.end = (count, code)
    }

    private func refuseOverrun(_ number: Int, _ stream: ReadStream) {
        sendStop(stream.id, "invalidMessage", account: stream.account)
        finish(number, "invalidMessage")
    }

    // MARK: - Streams that are sent from here

    func sendItem(_ reference: SessionReference, _ payload: Int) -> SessionAnswer {
        guard let stream = sentStreams[reference], stream.credit > 0 else { return .taken(false) }
        guard takesNews else { return .refused("overloaded") }
        payloads.insert(payload)
        sentStreams[reference]?.credit -= 1
        sentStreams[reference]?.sent += 1
        let body = SessionMessage.Body.control(.next, .number(0), number: stream.sent, code: nil)
        send(SessionMessage(body, payload: payload, account: stream.account), .stream(reference))
        return .taken(true)
    }

    func endStream(_ reference: SessionReference, _ code: String?) {
        guard let stream = endSending(reference) else { return }
        let body = SessionMessage.Body.control(.end, .number(0), number: stream.sent, code: code)
        send(SessionMessage(body, account: stream.account), .stream(reference))
    }

    func endSending(_ reference: SessionReference) -> SentStream? {
        guard let stream = sentStreams.removeValue(forKey: reference) else { return nil }
        if let id = identifiersOfStreams[reference] { sentByIdentifier[id] = nil }
        grants?.end(stream.grant)
        return stream
    }

    func receiveCredit(_ id: SessionIdentifier, _ credit: UInt64) {
        guard let reference = sentByIdentifier[id] else {
            counted.unknownStreams += 1
            return
        }
        let present = sentStreams[reference]?.credit ?? 0
        sentStreams[reference]?.credit = Self.sum(present, credit)
        if credit > 0 { owe(.demand(reference, credit)) }
    }

    func receiveStop(_ id: SessionIdentifier) {
        guard let reference = sentByIdentifier[id], endSending(reference) != nil else {
            counted.unknownStreams += 1
            return
        }
        owe(.stop(reference))
    }

    // MARK: - All streams

    func endStreams(_ code: String, tellsPeer: Bool) {
        let (reading, sending) = (readStreams, sentStreams)
        beginBatch()
        if tellsPeer {
            for stream in reading.values {
                sendStop(stream.id, code, account: stream.account, inBatch: true)
            }
        }
        beginBatch()
        for number in reading.keys where endReading(number) != nil {
            owe(.finish(stream: number, code: code), inBatch: true)
        }
        beginBatch()
        for reference in sending.keys { owe(.stop(reference), inBatch: true) }
        beginBatch()
        for (reference, stream) in sending {
            _ = endSending(reference)
            guard tellsPeer else { continue }
            let body = SessionMessage.Body.control(.end, .number(0), number: stream.sent, code: code)
            send(SessionMessage(body, account: stream.account), .stream(reference), inBatch: true)
        }
    }
}
