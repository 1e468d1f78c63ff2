/// Operations that work is charged to, denials for the audit, and requests that refer to results of earlier calls.
extension ScheduleSimulation {
    /// Returns the operation of a call; most calls have none.
    func account(_ choice: Int, _ index: Int) -> Int? {
        choice % 3 == 0 ? operations[index / 2 * 2 + choice / 3 % 2] : nil
    }

    /// Ends the work of an operation: that of one end, or that of both ends together with the operation itself.
    mutating func endWork(_ index: Int, _ choice: Int) {
        let place = index / 2 * 2 + choice % 2
        let operation = operations[place]
        take(.endWork(operation, code: "terminated"), at: index)
        guard choice / 2 % 2 == 0 else { return }
        if ends[index ^ 1].isThere { take(.endWork(operation, code: "terminated"), at: index ^ 1) }
        lastOperation += 1
        operations[place] = lastOperation
    }

    /// Begins the audit, denies data or a file, or asks whether a name needs no decision.
    mutating func deny(_ index: Int, _ choice: Int) {
        switch choice % 4 {
        case 0: take(.beginAudit(now: now), at: index)
        case 1, 2:
            let reason = ["attribute", "row", "file", "payloadSize"][choice / 4 % 4]
            take(.reportDenial(name(choice / 16), reason: reason, now: now), at: index)
        default: take(.admitsFreely(name(choice / 4), now: now), at: index)
        }
    }

    // MARK: - Results

    /// Returns whether the result of a request may be retained, and whether it may refer to results.
    func mayRefer(_ parcel: Parcel, _ index: Int) -> Bool {
        guard isOfPresent(parcel, index),
            case .request(_, .text?, let wishes, _) = parcel.message.body
        else { return false }
        return wishes.contains(.errors) && parcel.message.payload != nil
    }

    mutating func pipeline(_ kind: ScheduleEvent.Kind, _ index: Int, _ choice: Int) {
        if kind == .releaseResult {
            let kept = ends[index].kept
            if !kept.isEmpty { take(.releaseResult(kept[choice % kept.count]), at: index) }
            return
        }
        let places = ends[index].inbox.indices.filter { mayRefer(ends[index].inbox[$0], index) }
        guard !places.isEmpty else { return }
        let place = places[choice / 8 % places.count]
        guard case .request(_, let id?, _, _) = ends[index].inbox[place].message.body else { return }
        if kind == .keepResult { return keep(id, index) }
        let parcel = ends[index].inbox.remove(at: place)
        countItems(index)
        endEvents(index)
        refer(parcel, id, index, choice)
    }

    private mutating func keep(_ id: SessionIdentifier, _ index: Int) {
        guard take(.keepResult(id), at: index) == .taken(true) else { return }
        ends[index].kept.append(id)
        if ends[index].kept.count > 12 { ends[index].kept.removeFirst() }
    }

    /// Receives a request that refers to results, as a transport does.
    private mutating func refer(_ parcel: Parcel, _ id: SessionIdentifier, _ index: Int, _ choice: Int) {
        var message = parcel.message
        if let payload = message.payload { message.payload = copy(payload) }
        if message.isExtended { take(.peerShowedExtensions, at: index) }
        if choice % 2 == 0 { keep(id, index) }
        guard take(.admitsWaiting(message, now: now), at: index) == .taken(true) else { return }
        let kept = ends[index].kept
        var ids = (0..<[1, 1, 2, 2, 3, 4][choice / 2 % 6]).map { turn -> SessionIdentifier in
            let window = min(5, kept.count)
            return window == 0 ? .text("unknown") : kept[kept.count - 1 - (choice / 12 + 2 * turn) % window]
        }
        if choice % 17 == 0 { ids[0] = .text("unknown") }
        if choice % 19 == 0 { ids[0] = id }
        let epoch = ends[index].oracle.epoch
        guard case .found(let readiness) = take(.findResults(message, awaiting: ids), at: index) else {
            return
        }
        proceed(message, epoch, readiness, at: index)
    }

    private mutating func proceed(
        _ message: SessionMessage,
        _ epoch: UInt64,
        _ readiness: SessionReadiness,
        at index: Int
    ) {
        switch readiness {
        case .ready: receive(message, epoch, at: index)
        case .failed(let code): take(.refuse(message, code: code, epoch: epoch), at: index)
        case .waits: if let payload = message.payload { ends[index].pipelined[payload] = (message, epoch) }
        }
    }

    /// Continues requests that waited for results, whose context may be lost by now.
    mutating func follow(_ continuations: [SessionContinuation], at index: Int) {
        for continuation in continuations {
            guard let (message, epoch) = ends[index].pipelined.removeValue(forKey: continuation.payload)
            else {
                return fail("R5 a request continued that did not wait: \(continuation)", at: index)
            }
            proceed(message, epoch, continuation.readiness, at: index)
        }
    }
}
