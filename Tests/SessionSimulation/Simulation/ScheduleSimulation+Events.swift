/// The meaning of each event of a schedule.
extension ScheduleSimulation {
    /// The names of handlers, topics and grants; two are canonically equivalent, one has the maximum length, one is a
    /// byte longer.
    static let vocabulary = [
        "alpha", "beta", "__proto__", "alpha.x", "e\u{301}", "\u{E9}", "sixteen bytes ok",
        "seventeen bytes!!",
    ]

    mutating func perform(_ event: ScheduleEvent) {
        let (kind, index) = place(of: event)
        let choice = Int(event.choice)
        if record != nil {
            let instead = kind != event.kind || index != Int(event.end)
            note("event \(event)" + (instead ? ": \(kind) at \(Self.names[index])" : ""))
        }
        let before = stirs
        switch kind {
        case .arrive: arrive(index / 2)
        case .ready: ready(index / 2, choice)
        case .crash: crash(index / 2)
        case .loseContext, .tearDown, .tornDown, .retire: endContext(kind, index / 2, choice)
        case .flow: flow()
        case .tick:
            now += .milliseconds(1 + choice % 400)
            stirs += 1
        default: happen(kind, at: index, choice)
        }
        if stirs > before { happened[kind, default: 0] += 1 }
    }

    private mutating func happen(_ kind: ScheduleEvent.Kind, at index: Int, _ choice: Int) {
        switch kind {
        case .call, .notify:
            // Sometimes repeated, as in a loop.
            for turn in 0..<(choice % 24 == 0 ? 12 : 1) {
                call(index, choice + 97 * turn, isNotification: kind == .notify)
            }
        case .hold, .goOn, .settle: handle(kind, index, choice)
        case .release:
            let payload = newPayload { _ in .release }
            take(.release(payload: payload), at: index)
        case .callNow:
            let input = SessionInput.beginSynchronous(name(choice), size: 8 << (choice / 16 % 4), now: now)
            guard case .running(_, let request) = take(input, at: index) else { return }
            ends[index].synchronous.append(request)
        case .answerNow:
            if let request = ends[index].synchronous.popLast() { take(.endSynchronous(request), at: index) }
        case .callInline, .takeUp, .takeInline, .answerInline, .openItems, .countItems, .adopt, .beginEvent,
            .endEvent:
            pass(kind, index, choice)
        case .endWork: endWork(index, choice)
        case .failStreams: take(.failStreams(code: "terminated"), at: index)
        case .refuseStream:
            let read = ends[index].oracle.readByIdentifier.keys.min { "\($0)" < "\($1)" }
            take(.refuseStream(choice % 2 == 0 ? read ?? .text("forged") : .text("forged")), at: index)
        case .deny: deny(index, choice)
        case .keepResult, .releaseResult, .refer: pipeline(kind, index, choice)
        case .cancel:
            let all = choice % 16 == 0 ? ends[index].calls.current : []
            for call in all.isEmpty ? [ends[index].calls.pick(choice)].compactMap(\.self) : all {
                take(.cancel(call), at: index)
            }
        case .reply, .replyTwice: reply(index, choice, isSecond: kind == .replyTwice)
        case .openStream, .sendItem, .endStream: produce(kind, index, choice)
        case .grant:
            if let stream = ends[index].reading.pick(choice) {
                // Some readers request everything.
                take(.grant(stream, credit: choice % 11 == 0 ? .max : UInt64(choice / 16 % 5)), at: index)
            }
        case .stop:
            guard let stream = ends[index].reading.pick(choice) else { return }
            take(.stop(stream), at: index)
            ends[index].reading.end(stream)
        case .subscribe: take(.subscribe(name(choice)), at: index)
        case .unsubscribe: take(.unsubscribe(name(choice)), at: index)
        case .emit:
            let topic = name(choice)
            let payload = newPayload { _ in .event(topic: topic, sender: index) }
            take(.emit(topic, payload: payload, account: account(choice / 11, index)), at: index)
        case .progress:
            guard let request = ends[index].requests.pick(choice) else { return }
            let root = ends[index].rootsOfRequests[request] ?? -1
            let payload = newPayload { _ in .progress(root: root) }
            take(.reportProgress(request, payload: payload), at: index)
        case .register: register(name(choice), at: index)
        case .remove: take(.removeHandler(name(choice)), at: index)
        case .setGrants:
            // Often the same grants again, whose rules continue or start again.
            let isSame = choice / 64 % 3 == 0
            let grants = (isSame ? ends[index].grants : nil) ?? Self.grants(choice)
            let renewed = choice % 3 == 0 ? ["alpha", "a*", "beta"][choice / 3 % 3] : nil
            ends[index].grants = grants
            take(.setGrants(grants, renewing: renewed, now: now), at: index)
        case .endNotification:
            guard !ends[index].notifications.isEmpty else { return }
            let payload = ends[index].notifications.remove(at: choice % ends[index].notifications.count)
            take(.endNotification(payload: payload), at: index)
        case .drain: drain(index, choice % 4 == 0 ? choice / 4 % 5 : .max)
        case .drainOne: drain(index, 1 + choice % 3)
        case .expire:
            // In half of the cases it is too early.
            if choice % 2 == 0, let deadline = ends[index].oracle.nextDeadline { now = max(now, deadline) }
            take(.expire(now: now), at: index)
        case .deliver, .drop, .duplicate, .delay: carry(kind, index, choice)
        case .forge, .replayOld, .crossOver, .cancelAhead, .comeLate: lie(kind, index, choice)
        case .reset: take(.reset, at: index)
        case .close: take(.close, at: index)
        case .arrive, .ready, .crash, .loseContext, .tearDown, .tornDown, .retire, .tick, .flow: break
        }
    }

    // Mostly one of the latest, since the older ones have ended.
    private func pick<Element>(_ list: [Element], _ choice: Int) -> Element? {
        guard !list.isEmpty else { return nil }
        let window = choice % 5 == 0 ? list.count : min(4, list.count)
        return list[list.count - 1 - (choice / 5) % window]
    }

    // The longest name and the one that is too long are rare.
    func name(_ choice: Int) -> String {
        Self.vocabulary[[0, 1, 2, 0, 1, 3, 4, 5, 0, choice / 10 % 2 + 6][choice % 10]]
    }

    static func grants(_ choice: Int) -> SessionGrants {
        var rules: [SessionGrants.Rule] = []
        // Few kinds of rules, so that the next grants often have the same.
        if choice % 2 == 0 {
            var rule = SessionGrants.Rule("alpha", isAllowed: true)
            switch choice / 16 % 8 {
            case 0...2: rule.maximumInProgress = 1 + choice / 16 % 8
            case 3, 4: rule.rate = SessionGrants.Rate(2, per: .milliseconds(300), burst: choice / 16 % 2 + 1)
            case 5: rule.maximumSize = 16
            case 6: rule.lifetime = .milliseconds(400)
            default: (rule.maximumInProgress, rule.rate) = (2, .init(1, per: .milliseconds(500), burst: 3))
            }
            rules.append(rule)
        }
        if choice % 3 == 0 {
            var rule = SessionGrants.Rule("a*", isAllowed: true, maximumInProgress: choice % 5 == 0 ? nil : 2)
            if choice % 4 == 1 { rule.maximumSize = 32 }
            if choice % 8 == 2 { rule.lifetime = .milliseconds(700) }
            rules.append(rule)
        }
        if choice % 7 == 0 {
            var rule = SessionGrants.Rule("beta", isAllowed: false)
            if choice % 4 < 2 { rule.lifetime = .milliseconds(300) }
            rules.append(rule)
        }
        if choice % 11 == 0 { rules.append(.init("*", isAllowed: true)) }
        if choice % 13 == 0 { rules.append(.init("_wvjb.sub", isAllowed: false)) }
        return SessionGrants(allowsOthers: choice / 64 % 3 != 0, rules: rules)
    }

    // MARK: - Programs

    private mutating func register(_ name: String, at index: Int) {
        lastHandler += 1
        take(.registerHandler(name, as: lastHandler), at: index)
    }

    private mutating func call(
        _ index: Int,
        _ choice: Int,
        isNotification: Bool,
        isPart: Bool = false
    ) {
        let name = name(choice / 7)
        let root = newPayload { .request(root: $0, name: name, context: index / 2) }
        var call = SessionCall(name, payload: root, reply: .none)
        call.isPart = isPart
        call.account = account(choice / 11, index)
        if !isNotification {
            // Most calls support streams and progress.
            let wishes = [0, 2, 2, 6, 6, 4, 3, 7][choice / 5 % 8]
            call.reply = choice % 7 == 0 ? .legacy : .full(SessionCapabilities(rawValue: UInt8(wishes)))
            if choice / 3 % 3 == 0 { call.deadline = now + .milliseconds(choice % 600) }
        }
        guard case .began(let reference) = take(.call(call), at: index) else { return }
        ends[index].calls.insert(reference)
        ends[index].rootsOfCalls[reference] = root
    }

    /// Handles the events of intercepted calls.
    private mutating func handle(_ kind: ScheduleEvent.Kind, _ index: Int, _ choice: Int) {
        if kind == .hold {
            let name = name(choice / 7)
            let deadline = choice / 3 % 3 == 0 ? now + .milliseconds(choice % 600) : nil
            let root = newPayload { .request(root: $0, name: name, context: index / 2) }
            let input = SessionInput.hold(
                name,
                isNotification: choice % 3 == 0,
                deadline: deadline,
                account: account(choice / 11, index)
            )
            guard case .began(let reference) = take(input, at: index) else { return }
            ends[index].calls.insert(reference)
            ends[index].held.insert(reference)
            ends[index].rootsOfCalls[reference] = root
        } else if kind == .goOn {
            call(index, choice, isNotification: false, isPart: true)
        } else if let held = ends[index].held.pick(choice) {
            let root = ends[index].rootsOfCalls[held] ?? -1
            let payload = choice % 6 == 5 ? nil : newPayload { _ in .reply(root: root) }
            take(.settle(held, payload == nil ? .failure("cancelled") : .result, payload: payload), at: index)
        }
    }

    private mutating func reply(_ index: Int, _ choice: Int, isSecond: Bool) {
        guard let request = ends[index].requests.pick(choice) else { return }
        let root = ends[index].rootsOfRequests[request] ?? -1
        ends[index].requests.end(request)
        for _ in 0..<(isSecond ? 2 : 1) {
            if choice % 6 == 5 {
                take(.reply(request, .failure("handlerFailed"), payload: nil), at: index)
            } else {
                let payload = newPayload { _ in .reply(root: root) }
                take(.reply(request, .result, payload: payload), at: index)
            }
        }
    }

    private mutating func produce(_ kind: ScheduleEvent.Kind, _ index: Int, _ choice: Int) {
        if kind == .openStream {
            guard let request = ends[index].requests.pick(choice),
                case .began(let stream) = take(.openStream(replyingTo: request), at: index)
            else { return }
            lastSerial += 1
            ends[index].requests.end(request)
            ends[index].sending.insert(stream)
            ends[index].sources[stream] = (ends[index].rootsOfRequests[request] ?? -1, lastSerial)
            return
        }
        guard let stream = ends[index].sending.pick(choice), let source = ends[index].sources[stream] else {
            return
        }
        if kind == .endStream {
            take(.endStream(stream, code: choice % 2 == 0 ? nil : "handlerFailed"), at: index)
            ends[index].sending.end(stream)
            return
        }
        for _ in 0...(choice / 9 % 3) {
            let item = ends[index].sent[source.serial] ?? 0
            let payload = newPayload { _ in .item(root: source.root, serial: source.serial, index: item) }
            guard case .taken(true) = take(.sendItem(stream, payload: payload), at: index) else { return }
            ends[index].sent[source.serial] = item + 1
        }
    }

    // MARK: - Ways

    /// Delivers all messages and performs all effects for a moment.
    private mutating func flow() {
        for _ in 0..<2 {
            for index in ends.indices where ends[index].isThere {
                drain(index, .max)
                while violation == nil, !ends[index].inbox.isEmpty { deliver(index, 0) }
                drain(index, .max)
            }
        }
    }

    private mutating func carry(_ kind: ScheduleEvent.Kind, _ index: Int, _ choice: Int) {
        let count = ends[index].inbox.count
        stirs += 1
        switch kind {
        case .drop: ends[index].inbox.remove(at: choice % count)
        case .duplicate: ends[index].inbox.append(ends[index].inbox[choice % count])
        // Not the last one, which no other would overtake.
        case .delay: ends[index].inbox.append(ends[index].inbox.remove(at: choice % (count - 1)))
        default:
            let wanted = [1, 1, 2, 3, 1, 8][choice / 64 % 6]
            for _ in 0..<wanted where !ends[index].inbox.isEmpty { deliver(index, choice) }
        }
    }

    /// Delivers messages to an end that were never sent to it: ids that were never used, ids of lost contexts, ids of
    /// the other context.
    private mutating func lie(_ kind: ScheduleEvent.Kind, _ index: Int, _ choice: Int) {
        let epoch = index % 2 == 0 ? epochs[index / 2] : nil
        switch kind {
        case .forge:
            if choice % 5 == 0, let call = ends[index].calls.pick(choice),
                let root = ends[index].rootsOfCalls[call],
                let id = ends[index].oracle.identifiersOfCalls[call]
            {
                // A peer that sends progress which was not requested.
                let payload = newPayload { _ in .progress(root: root) }
                let body = SessionMessage.Body.control(.progress, id, number: 0, code: nil)
                return receive(SessionMessage(body, payload: payload), epoch, at: index)
            }
            if choice % 5 == 1, let call = ends[index].calls.pick(choice),
                let id = ends[index].oracle.identifiersOfCalls[call],
                let stream = ends[index].oracle.readByIdentifier.keys.min(by: { "\($0)" < "\($1)" })
            {
                // A peer that opens a second stream with the id of an open one.
                let body = SessionMessage.Body.response(id, .stream(stream))
                return receive(SessionMessage(body, payload: nil), epoch, at: index)
            }
            let ids: [SessionIdentifier] = [
                .text("objc_cb_0"), .text("objc_cb_01"), .text("objc_cb_900000"), .text("__proto__"),
                .text(""),
                .text("objc_cb_1_0_"), .text("constructor"), .number(0), .number(900_000),
                .text("objc_cb_99999999999999999999999"), .text("cb_1_1"),
            ]
            var id = ids[choice % ids.count]
            // A peer that guesses an id must not be able to reply to a call before it was sent, or to an intercepted
            // call.
            let number = UInt64(choice / 128 % 6)
            let guess =
                settings.form == .plain ? SessionIdentifier.text("objc_cb_\(number)") : .number(number)
            let isUnsent =
                ends[index].oracle.life != .live
                || !ends[index].oracle.owesEffects && ends[index].oracle.callsByIdentifier[guess] == nil
            let isGuessed = isUnsent && settings.form != .extended && choice % 2 == 0
            if isGuessed { id = guess }
            let payload = newPayload { _ in .forged }
            let bodies: [SessionMessage.Body] = [
                .response(id, .result), .response(id, .failure("forged")),
                .response(id, .stream(.text("forged"))),
                .control(.next, id, number: 0, code: nil), .control(.progress, id, number: 0, code: nil),
                .control(.more, id, number: 7, code: nil), .control(.stop, id, number: 0, code: "cancelled"),
                .control(.end, id, number: 0, code: nil), .control(.cancel, id, number: 0, code: "cancelled"),
                .control(.release, .text(""), number: 0, code: nil),
            ]
            let body = isGuessed ? bodies[[0, 1, 4][choice / 16 % 3]] : bodies[choice / 11 % bodies.count]
            receive(SessionMessage(body, payload: body.hasPayload ? payload : nil), epoch, at: index)
        case .cancelAhead:
            for turn in 0..<(4 + choice % 24) {
                // Possibly the id of an earlier cancellation.
                let isRepeated = turn == 0 && choice % 3 == 0
                if !isRepeated { ends[index].cancelledAhead += 1 }
                let id = ahead(index, isRepeated ? choice / 3 % 80 : 0)
                let body = SessionMessage.Body.control(.cancel, id, number: 0, code: "cancelled")
                receive(SessionMessage(body), epoch, at: index)
            }
        case .comeLate:
            // One of the latest, or one that may be forgotten by now.
            let id = ahead(index, choice % 4 == 0 ? choice / 4 % 160 : choice / 4 % 70)
            for turn in 0..<(choice % 8 == 1 ? 2 : 1) {
                let name = name(choice / 16 + turn)
                let payload = newPayload { .request(root: $0, name: name, context: index / 2) }
                generationsOfRequests[payload] = generations[index / 2]
                let body = SessionMessage.Body.request(name: name, id: id, wishes: .errors, deadline: nil)
                receive(SessionMessage(body, payload: payload), epoch, at: index)
            }
        case .replayOld:
            if let message = pick(replayable(index), choice) { replay(message, to: index, epoch) }
        default: if let message = pick(ends[index ^ 2].old, choice) { replay(message, to: index, epoch) }
        }
    }

    /// Returns the id of a call that was cancelled and never made, by its age among these.
    private func ahead(_ index: Int, _ age: Int) -> SessionIdentifier {
        .text("ahead_\(max(1, ends[index].cancelledAhead - age))")
    }

    private mutating func replay(_ message: SessionMessage, to index: Int, _ epoch: UInt64?) {
        var message = message
        if let payload = message.payload { message.payload = copy(payload) }
        receive(message, epoch, at: index)
    }

    // MARK: - Contexts

    /// Replaces a lost context by a new one, and an ended session by a new session.
    private mutating func arrive(_ context: Int) {
        let (host, script) = (2 * context, 2 * context + 1)
        let hostHasEnded = ends[host].oracle.hasEnded
        if hostHasEnded { endSession(host) }
        awaitsContext[context] = false
        generations[context] += 1
        if hostHasEnded {
            ends[host] = newEnd(host)
            tornDown[context] = nil
        }
        let (old, depth) = (ends[script].old, ends[script].depth)
        ends[script] = newEnd(script)
        ends[script].depth = depth
        // Contexts may share ids where these are only counters.
        ends[script].old = settings.form == .extended ? old : []
        ends[script].isThere = true
        epochs[context] = ends[host].oracle.epoch
        take(.peerReady, at: script)
        for name in 0..<3 { register(Self.vocabulary[name], at: script) }
    }

    private mutating func ready(_ context: Int, _ choice: Int) {
        let host = 2 * context
        if choice % 3 == 0 { take(.injected, at: host) }
        take(.peerReady, at: host)
    }

    /// Removes a context silently; the host learns of it later, or never.
    private mutating func crash(_ context: Int) {
        stirs += 1
        ends[2 * context + 1].isThere = false
        ends[2 * context + 1].inbox = []
    }

    private mutating func endContext(_ kind: ScheduleEvent.Kind, _ context: Int, _ choice: Int) {
        let host = 2 * context
        switch kind {
        case .tornDown:
            // Sometimes that of an earlier teardown, which ends nothing.
            if let epoch = tornDown[context] {
                take(.tornDown(epoch: choice % 4 == 1 && epoch > 0 ? epoch - 1 : epoch), at: host)
            }
            return
        case .loseContext: take(.contextLost, at: host)
        case .tearDown:
            if case .epoch(let epoch) = take(.tearDown, at: host) { tornDown[context] = epoch }
        default: take(.retire, at: host)
        }
        if kind != .retire { awaitsContext[context] = true }
        crash(context)
    }
}

extension SessionMessage.Body {
    fileprivate var hasPayload: Bool {
        switch self {
        case .request, .response(_, .result), .control(.next, _, _, _), .control(.progress, _, _, _),
            .control(.release, _, _, _):
            true
        case .response, .control: false
        }
    }
}
