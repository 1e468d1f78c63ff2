internal import BridgeProtocol
internal import Synchronization

/// Messages as values, between Swift and a context of this process: no text, no queue, no copy of what can be
/// shared.
///
/// What a Swift type asks for is read when the script hands it over, and what Swift sends is written when it is handed to
/// the script, without a ``Value`` in between. Data stands there where no type is known, or somebody wants to see it.
final class DirectTransport: EngineTransport {
    /// As many types as replies may be read as without a ``Value``; the number stands above the bits of a request's
    /// ``Acceptance``.
    private static let maximumReplyTypes = 4095

    let session: BridgeSession
    // The context's turn work owns this, and the open turn the context: to count references to it is slow.
    unowned(unsafe) let context: JSContext
    private var deliverRequest: JSHandle?
    private var deliverResponse: JSHandle?
    private var deliverControl: JSHandle?
    private var deliverBatch: JSHandle?
    var addHandlerReceiver: JSHandle?
    var dropHandlerReceivers: JSHandle?
    private var addReplyReceiver: JSHandle?
    /// The handlers whose requests the script hands over member by member, and as of which registration.
    var receivedHandlers: Set<HandlerID> = []
    var knownRegistrations = 0
    /// The types that replies are read as.
    private var replyTypes: [ObjectIdentifier: ReplyType] = [:]
    private var lastReplied: (type: ObjectIdentifier, reply: ReplyType)?
    private var lastReplyType = 0
    /// Requests of the script that wait for the end of what it does.
    var inbox = RequestInbox()
    /// How many calls the inbox takes, since it was last empty.
    var inboxRoom = 0
    /// Messages for the script that wait for the end of what is done.
    let batch: MessageBatch
    /// Whether the script was stopped in the middle of a batch.
    private var hasRest = false
    /// The reply that may come before the script's function returns.
    var awaited = AwaitedReply()
    /// How many of those are notifications.
    var notifications = 0
    /// Messages that passed by the machine, which does not know of them yet.
    var received = 0
    var sent = 0
    /// The stream whose item came last; what it has sent waits here.
    var lastStream: (id: UInt64, stream: DirectStream)?
    /// The trace of the request that the script hands over next.
    var nextTrace: BridgeTrace?
    private var lastShape: (type: ObjectIdentifier, shape: MessageShape)?

    init(session: BridgeSession, context: JSContext) throws {
        self.session = session
        self.context = context
        batch = MessageBatch(in: context)
        let internals = context.internals
        func give(_ name: String, _ body: @escaping (HostCall) throws -> Void) throws {
            let function = context.makeHostFunction { call in
                try body(call)
                return .undefined
            }
            try internals.setValue(function, forProperty: name)
        }
        try give("postRequest") { [unowned self] call in self.receiveRequest(call) }
        try give("postResponse") { [unowned self] call in try self.receiveResponse(call) }
        try give("postStream") { [unowned self] call in
            self.spill()
            self.session.receiveStream(call)
        }
        try give("postControl") { [unowned self] call in
            self.spill()
            // It may be the end of one.
            self.lastStream = nil
            try self.session.receiveControl(call)
        }
        try give("listening") { [unowned session] call in
            session.addReferences(call.double(at: 0) < 0 ? -1 : 1)
        }
        try context.internals.setValue(context.makeMicrotaskFunction(), forProperty: "runMicrotasks")
        try installTraces(in: context)
        try installSynchronousRequests(in: context)
    }

    deinit {
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        _ = session.transportInProcess.compareExchange(
            expected: address,
            desired: 0,
            ordering: .acquiringAndReleasing
        )
        batch.drop()
    }

    func didInstall(in context: JSContext) throws {
        session.engineInProcess.store(context.machineIdentity, ordering: .releasing)
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        session.transportInProcess.store(address, ordering: .releasing)
        let internals = context.internals
        deliverRequest = JSHandle(try internals.forProperty("deliverRequest"))
        deliverResponse = JSHandle(try internals.forProperty("deliverResponse"))
        deliverControl = JSHandle(try internals.forProperty("deliverControl"))
        deliverBatch = JSHandle(try internals.forProperty("deliverBatch"))
        addHandlerReceiver = JSHandle(try internals.forProperty("addHandlerReceiver"))
        dropHandlerReceivers = JSHandle(try internals.forProperty("dropHandlerReceivers"))
        addReplyReceiver = JSHandle(try internals.forProperty("addReplyReceiver"))
    }

    func receive(in context: JSContext) {}

    // MARK: - To the script

    func flush() -> Int {
        guard batch.count > 0 || hasRest, let deliverBatch else { return 0 }
        let count = batch.count
        hasRest = false
        notifications = 0
        do {
            if count > 0 {
                if try batch.deliver(to: deliverBatch) { context.runMicrotasks() }
            } else {
                try context.call(deliverBatch, with: [])
                context.runMicrotasks()
            }
        } catch let error as JSException where error.isTermination {
            // What the script was given and has not come to waits there.
            hasRest = true
            session.continueInAnotherTurn()
        } catch {
            session.logWarning("Messages were not handed over. \(error)")
        }
        return count
    }

    /// How values of a type cross.
    @inline(__always)
    func shape(of type: Any.Type) -> MessageShape {
        let id = ObjectIdentifier(type)
        if let lastShape, lastShape.type == id { return lastShape.shape }
        let shape = context.messageShape(of: type)
        lastShape = (id, shape)
        return shape
    }

    /// Calls the function of the script that takes a request, with one that is answered at once, or later.
    ///
    /// - Returns: Whether something may wait for a promise.
    func deliver(_ body: (MessageWriter) throws -> Void) throws -> Bool {
        guard let deliverRequest else { return false }
        var failure: (any Error)?
        let mayWait = try context.call(deliverRequest, writing: body) { failure = $0 }
        if let failure { throw failure }
        return mayWait
    }

    func send(_ message: BridgeMessage, _ payload: MessagePayload?, in context: JSContext) {
        let receiver =
            switch message {
            case .request: deliverRequest
            case .response: deliverResponse
            case .control: deliverControl
            }
        guard let receiver else { return }
        let replyType = replyType(of: payload, in: context)
        // An error comes back from the script with all that the script was not shown of it.
        let origin = message.error.map { context.makeHandle(ErrorOrigin($0)) }
        do {
            if case .request(let request) = message, let trace = request.trace {
                try deliver(trace, in: context)
            }
            var failure: (any Error)?
            try context.call(
                receiver,
                writing: { try write(message, payload, replyType: replyType, to: $0) },
                origin,
                onUnmakeable: { failure = $0 }
            )
            if let failure {
                let site = payload?.site
                session.fail(
                    message,
                    with: site.map { BridgeError(wrapping: failure).traced(throughHandlerAt: $0) } ?? failure
                )
            }
        } catch let error as JSException where !error.isTermination {
            context.reportUncaught(error)
        } catch {
            session.fail(message, with: error)
        }
    }

    private func write(
        _ message: BridgeMessage,
        _ payload: MessagePayload?,
        replyType: Int,
        to writer: MessageWriter
    ) throws {
        switch message {
        case .request(let request):
            let remaining = request.deadline.map { ($0 - session.timeOfSending).milliseconds } ?? 0
            writer.put(request.handlerName)
            writer.put(request.callbackID)
            writer.put(number: remaining > 0 ? remaining : 0)
            writer.put(number: Double(Int(request.accepts.rawValue) | replyType << 8))
            try writer.put(payload)
        case .control(let control):
            writer.put(number: Double(control.kind.rawValue))
            writer.put(control.id)
            writer.put(number: Double(control.number))
            if let error = control.error { try writer.put(error.record) } else { try writer.put(payload) }
        case .response(let response):
            writer.put(response.responseID)
            switch response.outcome {
            case .stream(let stream):
                writer.put(number: 2)
                writer.put(stream)
            case .failure(let error):
                try writer.put(.bool(false))
                try writer.put(error.record)
            case .payload:
                try writer.put(.bool(true))
                try writer.put(payload)
            }
        }
    }

    /// The number of the type that a call's reply is read as; 0 where it is read as data.
    private func replyType(of payload: MessagePayload?, in context: JSContext) -> Int {
        guard case .held(let held)? = payload, let reader = held.replyReader, !session.needsValues else {
            return 0
        }
        return replyTypes[reader.typeID]?.number ?? makeReplyType(reader).number
    }

    /// How replies are read as a type.
    @inline(__always)
    func replyType(for type: any Decodable.Type) -> ReplyType {
        let id = ObjectIdentifier(type)
        if let lastReplied, lastReplied.type == id { return lastReplied.reply }
        let reply = replyTypes[id] ?? makeReplyType(PayloadReader(type))
        lastReplied = (id, reply)
        return reply
    }

    private func makeReplyType(_ reader: PayloadReader) -> ReplyType {
        guard lastReplyType < Self.maximumReplyTypes, let addReplyReceiver else {
            return ReplyType(0, reader)
        }
        var number = 0
        do {
            let receiver = try reader.makeReceiver(in: context, isNested: false) {
                [unowned self] call, decode in
                try self.receiveReply(call, reader, decode) ? call.taken : call.refused
            }
            let items = try reader.makeReceiver(in: context, isNested: false) { [unowned self] call, decode in
                self.receiveItem(call, reader, decode) ? call.taken : call.refused
            }
            if let receiver, let items {
                lastReplyType += 1
                number = lastReplyType
                let place = try JSValue(.integer(Int64(number)), in: context)
                try context.call(addReplyReceiver, with: [place, receiver.slot, receiver.box, items.box])
            }
        } catch {
            // The turn was stopped; another one may know the type.
            return ReplyType(0, reader)
        }
        let reply = ReplyType(number, reader)
        replyTypes[reader.typeID] = reply
        return reply
    }

    // MARK: - From the script

    /// A reply of the script, read as the type that the caller wants: false where it must be data.
    private func receiveReply(
        _ call: HostCall,
        _ reader: PayloadReader,
        _ decode: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> Bool {
        if takeAwaited(call, decode) { return true }
        guard let id = MessageID(call, at: 0) else { return true }
        guard !session.needsValues else { return false }
        spill()
        session.receiveReply(to: id, try reader.payload(decode))
        return true
    }

    /// `(start, text, buffers, responseId, ok, handle)`: a reply of the script, its payload taken.
    private func receiveResponse(_ call: HostCall) throws {
        guard let id = MessageID(call, at: 3) else { return }
        let isResult = call.double(at: 4) != 0
        let payload = try call.takenValue(at: 0)
        let error =
            isResult ? nil : BridgeError(record: payload, madeOf: call.handle(at: 5), in: call.context)
        if takeAwaited(id, error.map(Result.failure) ?? .success(payload)) { return }
        spill()
        session.receiveResponse(to: id, error.map(Result.failure) ?? .success(payload))
    }
}

/// How replies are read as a type.
struct ReplyType {
    /// What the script knows the type by; 0 where it is read as data.
    let number: Int
    let reader: PayloadReader

    init(_ number: Int, _ reader: PayloadReader) {
        self.number = number
        self.reader = reader
    }
}

extension BridgeSession {
    /// A request of the script, its payload taken as data.
    func receiveRequest(named name: String, _ call: HostCall, _ trace: BridgeTrace? = nil) {
        var received = request(name, call, at: 4)
        received.trace = trace
        guard !crosses(.request(received), { try call.takenValue(at: 0) }),
            admits(&received, size: { call.takenSize(at: 0) })
        else { return }
        let request = received
        let payload: Value
        do {
            payload = try call.takenValue(at: 0)
        } catch {
            update(isInTurn: true) { $0.machine.refuse(request, BridgeError(wrapping: error)) }
            return
        }
        logTraffic(.request(request), payload == .undefined ? nil : .value(payload), isSent: false)
        update(isInTurn: true) { state in
            var request = request
            if payload != .undefined { request.payload = state.payloads.insert(payload) }
            state.machine.receive(.request(request))
        }
    }

    func request(_ name: String, _ call: HostCall, at index: Int) -> BridgeMessage.Request {
        var request = BridgeMessage.Request(handlerName: name)
        request.callbackID = MessageID(call, at: index)
        let ttl = call.double(at: index + 1)
        if ttl > 0 {
            request.deadline = configuration.clock.now + .microseconds(Int64(min(ttl, 1e12) * 1000))
        }
        request.accepts = Acceptance(rawValue: UInt8(truncatingIfNeeded: Int(call.double(at: index + 2))))
        return request
    }

    fileprivate func receiveReply(to id: MessageID, _ payload: MessagePayload) {
        update(isInTurn: true) { state in
            let outcome = CallOutcome.payload(state.payloads.insert(payload))
            state.machine.receive(.response(BridgeMessage.Response(responseID: id, outcome: outcome)))
        }
    }

    fileprivate func receiveResponse(to id: MessageID, _ outcome: Result<Value, BridgeError>) {
        let kind: CallOutcome =
            switch outcome {
            case .success: .payload(nil)
            case .failure(let error): .failure(error)
            }
        let message = BridgeMessage.Response(responseID: id, outcome: kind)
        guard !crosses(.response(message), { try? outcome.get() }) else { return }
        if case .success(let payload) = outcome {
            let response = BridgeMessage.Response(responseID: id, outcome: .payload(nil))
            logTraffic(.response(response), .value(payload), isSent: false)
        }
        update(isInTurn: true) { state in
            let outcome: CallOutcome =
                switch outcome {
                case .success(let payload): .payload(state.payloads.insert(payload))
                case .failure(let error): .failure(error)
                }
            state.machine.receive(.response(BridgeMessage.Response(responseID: id, outcome: outcome)))
        }
    }

    /// `(responseId, stream)`: a call of ours is answered with a stream.
    fileprivate func receiveStream(_ call: HostCall) {
        guard let id = MessageID(call, at: 0), let stream = MessageID(call, at: 1) else { return }
        let response = BridgeMessage.Response(responseID: id, outcome: .stream(stream))
        guard !crosses(.response(response), { nil }) else { return }
        logTraffic(.response(response), nil, isSent: false)
        update(isInTurn: true) { $0.machine.receive(.response(response)) }
    }

    /// `(start, text, buffers, kind, id, number)`: what crosses beside calls and replies, its payload taken.
    fileprivate func receiveControl(_ call: HostCall) throws {
        guard let kind = UInt8(exactly: call.double(at: 3)).flatMap(Control.Kind.init(rawValue:)) else {
            return
        }
        // A topic may be any text, also an empty one.
        let topic = kind.isOfTopic ? MessageID.text(call.string(at: 4) ?? "") : nil
        guard let id = topic ?? MessageID(call, at: 4) else { return }
        var control = Control(kind, id, number: UInt64(max(0, call.double(at: 5))))
        let payload = try call.takenValue(at: 0)
        if !kind.hasPayload, case .object = payload {
            control.error = BridgeError(record: payload, madeOf: nil, in: call.context)
        }
        guard !crosses(.control(control), { kind.hasPayload ? payload : nil }) else { return }
        logTraffic(.control(control), .value(payload), isSent: false)
        noteTime()
        let received = control
        update(isInTurn: true) { state in
            var control = received
            if kind.hasPayload { control.payload = state.payloads.insert(payload) }
            state.machine.receive(.control(control))
        }
    }

    /// Ends a message that could not be handed over: its call gets the error.
    func fail(_ message: BridgeMessage, with error: any Error) {
        let error = BridgeError(wrapping: error, defaultCode: .encodeFailed)
        switch message {
        case .request(let request):
            guard let id = request.callbackID else {
                return logWarning("A notification was not sent. \(error)")
            }
            update(isInTurn: true) {
                $0.machine.receive(
                    .response(BridgeMessage.Response(responseID: id, outcome: .failure(error)))
                )
            }
        case .response(let response):
            // The reply's payload is at fault, or what an error carries: an error without either can always
            // be sent.
            let answer: BridgeError
            if let failed = response.outcome.error {
                guard failed.data != nil || failed.cause != nil else {
                    return logWarning("A reply was not sent. \(error)")
                }
                answer = BridgeError(failed.code, failed.message, frames: failed.frames)
            } else {
                answer = error
            }
            let outcome = CallOutcome.failure(answer)
            let message = BridgeMessage.Response(responseID: response.responseID, outcome: outcome)
            addEngineWork(.send(.response(message), nil))
        case .control(let control):
            guard control.kind == .next else {
                return logWarning("\(control.kind) of \(control.id) was not sent. \(error)")
            }
            // An item is missing, so the stream cannot go on.
            update(isInTurn: true) { state in
                state.machine.receive(.control(Control(.stop, control.id)))
                let end = Control(.end, control.id, number: control.number, error: error)
                state.engineWork.append(.send(.control(end), nil))
            }
        }
    }
}

extension BridgeMessage {
    fileprivate var error: BridgeError? {
        switch self {
        case .request: nil
        case .response(let response): response.outcome.error
        case .control(let control): control.error
        }
    }
}

extension BridgeError {
    /// Reads the error of a script's reply, which may have been made of one of ours.
    fileprivate init(record: Value, madeOf origin: ErrorOrigin?, in context: JSContext) {
        self.init(record: record)
        mapFrames(in: context)
        guard let origin else { return }
        frames = (origin.frames + frames).stitched.bounded
        underlyingError = origin.underlyingError
    }
}

extension MessageID {
    init?(_ call: HostCall, at index: Int) {
        // Those of this package's own script are numbers.
        if let number = UInt64(exactly: call.double(at: index)), number > 0 {
            self = .number(number)
        } else if let text = call.string(at: index), !text.isEmpty {
            self = .text(text)
        } else {
            return nil
        }
    }
}

extension MessageWriter {
    /// Adds an id as scripts see it: a number of ours, the text of theirs, `undefined` where there is none.
    fileprivate func put(_ id: MessageID?) {
        switch id {
        case .text(let text): put(text)
        case .number(let number): put(number: Double(number))
        case nil: putUndefined()
        }
    }

    /// Adds a payload, `undefined` where there is none.
    func put(_ payload: MessagePayload?) throws {
        switch payload {
        case .held(let held): try held.write(to: self)
        case .value(let value): try put(value)
        case .text, .read, .unreadable: try put(payload?.value() ?? .undefined)
        case nil: putUndefined()
        }
    }
}

extension MessagePayload {
    /// Where the handler was registered whose result it is, as far as its encoding may fail.
    fileprivate var site: CallSite? {
        guard case .held(let memory) = self else { return nil }
        return memory.site
    }
}
