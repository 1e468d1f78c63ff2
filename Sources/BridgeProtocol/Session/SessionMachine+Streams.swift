package import BridgeValues

/// Streams of the other side that are read here.
extension SessionMachine {
    /// Grants the producer credit for further items.
    ///
    /// A stream that has ended does not change.
    package mutating func grant(_ stream: InboundStreamID, _ credit: UInt64) {
        guard credit > 0, var entry = streams[stream] else { return }
        let (granted, overflow) = entry.granted.addingReportingOverflow(credit)
        entry.granted = overflow ? .max : granted
        streams[stream] = entry
        send(.control(Control(.more, entry.id, number: credit, account: entry.account)))
    }

    /// Stops a stream: the producer is notified, and the reader gets no more items.
    ///
    /// - Returns: Whether the stream was open.
    @discardableResult
    package mutating func stop(_ stream: InboundStreamID, reason: BridgeError? = nil) -> Bool {
        guard let entry = removeInbound(stream) else { return false }
        sendStop(entry.id, reason, account: entry.account)
        return true
    }

    /// The number of streams of the other side that are read here.
    package var inboundStreamCount: Int { streams.inboundCount }

    /// Stops a stream whose response could not be used and became an error.
    package mutating func refuseStream(_ id: MessageID) {
        guard state == .live, streams.inbound(id) == nil else { return }
        sendStop(id, nil, account: nil)
    }

    mutating func open(_ id: MessageID, for call: OutgoingCallID, _ ended: OutgoingCall) {
        guard ended.accepts.contains(.streams) else {
            sendStop(id, nil, account: ended.account)
            let text = "\"\(ended.handlerName)\" answers with a stream: open it by openStream."
            actions.append(.settle(call, .failure(BridgeError(.unsupported, text))))
            return
        }
        guard streams.inboundCount < limits.maximumStreams, streams.inbound(id) == nil else {
            let text =
                streams.inbound(id) == nil
                ? "Too many open streams: \(streams.inboundCount) (limit \(limits.maximumStreams))."
                : "The other side used the same id for two streams."
            let error = BridgeError(streams.inbound(id) == nil ? .limitExceeded : .invalidMessage, text)
            if streams.inbound(id) == nil { sendStop(id, error, account: ended.account) }
            actions.append(.settle(call, .failure(error)))
            return
        }
        let stream = InboundStream(id: id, handlerName: ended.handlerName, account: ended.account)
        actions.append(.opened(call, streams.insert(stream)))
    }

    mutating func receiveNext(_ control: Control) {
        guard let stream = streams.inbound(control.id), var entry = streams[stream] else {
            return passOver(control)
        }
        guard control.number < entry.granted else {
            discard(control.payload)
            return refuseOverrun(stream, entry)
        }
        guard control.number == entry.received else {
            // A repeated item is dropped; an item that arrived too early waits for those before it.
            if control.number > entry.received, entry.early[control.number] == nil {
                entry.early[control.number] = .some(control.payload)
                streams[stream] = entry
            } else {
                discard(control.payload)
            }
            return
        }
        entry.received += 1
        actions.append(.deliver(stream, control.payload))
        while let next = entry.early.removeValue(forKey: entry.received) {
            entry.received += 1
            actions.append(.deliver(stream, next))
        }
        streams[stream] = entry
        if let end = entry.earlyEnd, end.count <= entry.received { finish(stream, end.error) }
    }

    mutating func receiveEnd(_ control: Control) {
        guard let stream = streams.inbound(control.id), var entry = streams[stream] else {
            return passOver(control)
        }
        // A stream has not ended before its last items arrived; it cannot have more items than credit.
        guard control.number > entry.received else { return finish(stream, control.error) }
        guard control.number <= entry.granted else { return refuseOverrun(stream, entry) }
        entry.earlyEnd = (control.number, control.error)
        streams[stream] = entry
    }

    private mutating func refuseOverrun(_ stream: InboundStreamID, _ entry: InboundStream) {
        let text = "The stream of \"\(entry.handlerName)\" sent more than it had credit for."
        let error = BridgeError(.invalidMessage, text)
        sendStop(entry.id, error, account: entry.account)
        finish(stream, error)
    }

    mutating func finish(_ stream: InboundStreamID, _ error: BridgeError?) {
        guard removeInbound(stream) != nil else { return }
        actions.append(.finish(stream, error))
    }

    private mutating func removeInbound(_ stream: InboundStreamID) -> InboundStream? {
        guard let entry = streams.remove(stream) else { return nil }
        for case .some(let token) in entry.early.values { discard(token) }
        return entry
    }

    mutating func sendStop(_ id: MessageID, _ reason: BridgeError?, account: WorkBudget?) {
        let reason = reason ?? BridgeError(.cancelled, "The consumer of the stream gave up.")
        send(.control(Control(.stop, id, error: reason, account: account)))
    }

    mutating func passOver(_ control: Control) {
        counters.unknownStreams += 1
        discard(control.payload)
    }
}

/// Streams that are sent from here.
extension SessionMachine {
    /// Answers a call with a stream, which has no credit yet.
    ///
    /// - Returns: The stream, or `nil` if the answer is not awaited any more.
    /// - Throws: `cancelled` if the caller gave up, `unsupported` if it does not support streams, `limitExceeded` at
    ///   ``BridgeLimits/maximumStreams``, `overloaded` if the queue of replies for the other side is full. The call
    ///   then still waits for its answer.
    package mutating func openStream(
        replyingTo call: IncomingCallID
    ) throws(BridgeError) -> OutboundStreamID? {
        guard call.epoch == epoch, let entry = incoming[call.key] else { return nil }
        // Nothing would read it, and only its reader ends a stream that never ends by itself (R23).
        guard !entry.isCancelled else { throw Self.callerGaveUp }
        guard entry.accepts.contains(.streams) else {
            let text =
                "\"\(entry.handlerName)\" answers with a stream, which its caller did not ask for: "
                + "open it by openStream."
            throw BridgeError(.unsupported, text)
        }
        guard streams.outboundCount < limits.maximumStreams else {
            let text = "Too many open streams: \(streams.outboundCount) (limit \(limits.maximumStreams))."
            throw BridgeError(.limitExceeded, text)
        }
        // A stream of which the other side is never notified would never be ended.
        guard state == .live || startUpQueue.replyCount < limits.maximumQueuedMessages else {
            let text = "Too many queued replies for the other side (limit \(limits.maximumQueuedMessages))."
            throw BridgeError(.overloaded, text)
        }
        removeIncoming(call)
        grants?.begin(entry.admission)
        let stream = streams.open(admission: entry.admission, account: entry.account)
        let response = BridgeMessage.Response(
            responseID: entry.callbackID,
            outcome: .stream(streamID(streams.lastNumber)),
            account: entry.account
        )
        send(.response(response))
        return stream
    }

    /// Sends an item of a stream, for one unit of its credit.
    ///
    /// - Returns: Whether it was accepted. If not, the stream has ended or has no credit, and the caller keeps the
    ///   token.
    /// - Throws: `overloaded` if the queue for the other side is full. The caller keeps the token.
    package mutating func sendItem(
        _ payload: PayloadToken?,
        of stream: OutboundStreamID
    ) throws(BridgeError) -> Bool {
        guard var entry = streams[stream], entry.credit > 0 else { return false }
        try checkRoomForItem()
        let number = entry.sent
        entry.sent += 1
        entry.credit -= 1
        streams[stream] = entry
        var item = Control(.next, streamID(entry.number), number: number, payload: payload)
        item.account = entry.account
        send(.control(item))
        return true
    }

    /// Ends a stream, with an error or without.
    ///
    /// A stream that has ended does not change.
    package mutating func end(_ stream: OutboundStreamID, _ error: BridgeError? = nil) {
        guard let entry = removeOutbound(stream) else { return }
        sendEnd(of: entry, error)
    }

    private mutating func sendEnd(of entry: OutboundStream, _ error: BridgeError?) {
        var end = Control(.end, streamID(entry.number), number: entry.sent, error: error)
        end.account = entry.account
        send(.control(end))
    }

    /// The number of streams that are sent from here.
    package var outboundStreamCount: Int { streams.outboundCount }

    mutating func receiveMore(_ control: Control) {
        guard let stream = outboundStream(control.id), var entry = streams[stream] else {
            return passOver(control)
        }
        let (credit, overflow) = entry.credit.addingReportingOverflow(control.number)
        entry.credit = overflow ? .max : credit
        streams[stream] = entry
        if control.number > 0 { actions.append(.demand(stream, control.number)) }
    }

    mutating func receiveStop(_ control: Control) {
        guard let stream = outboundStream(control.id), removeOutbound(stream) != nil else {
            return passOver(control)
        }
        actions.append(.stop(stream))
    }

    func streamID(_ number: UInt64) -> MessageID {
        currentEpoch.identifiers.identifier(number, prefix: IdentifierForm.streamPrefix)
    }

    func outboundStream(_ id: MessageID) -> OutboundStreamID? {
        guard let number = currentEpoch.identifiers.number(id, prefix: IdentifierForm.streamPrefix) else {
            return nil
        }
        return streams.outbound(number)
    }

    mutating func removeOutbound(_ stream: OutboundStreamID) -> OutboundStream? {
        guard let entry = streams.remove(stream) else { return nil }
        grants?.end(entry.admission)
        return entry
    }

    /// Ends all streams because the scripts that used them were stopped.
    package mutating func failStreams(with error: BridgeError) {
        handOutArrivals()
        endStreams(with: error, tellsPeer: false)
    }

    /// Ends all streams in both directions.
    ///
    /// - Parameters:
    ///   - error: The error for their readers.
    ///   - tellsPeer: Whether the other side is still connected and must be notified.
    mutating func endStreams(with error: BridgeError, tellsPeer: Bool) {
        for stream in streams.inboundIDs {
            guard let entry = streams[stream] else { continue }
            if tellsPeer { sendStop(entry.id, error, account: entry.account) }
            finish(stream, error)
        }
        for stream in streams.outboundIDs {
            guard let entry = removeOutbound(stream) else { continue }
            if tellsPeer { sendEnd(of: entry, error) }
            actions.append(.stop(stream))
        }
    }
}
