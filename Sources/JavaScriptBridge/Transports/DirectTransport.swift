internal import BridgeProtocol
internal import Synchronization

/// A transport of messages as values between Swift and a context of this process: without text, without a queue, and
/// without copies of what can be shared.
///
/// A request is decoded as the handler's Swift type when the script sends it. A Swift value is encoded when it is
/// delivered to the script. Neither needs a ``Value``: data is used if no type is known, or an observer needs it.
final class DirectTransport: EngineTransport {
    let session: BridgeSession
    let unmanagedContext: Unmanaged<JSContext>
    let inbox = MessageInbox()
    /// The functions of the package's script, once that has run.
    private(set) var script: TransportFunctions?
    /// The handlers and topics whose messages the script sends property by property.
    var introduced = IntroducedHandlers()
    private var replyTypes = ReplyTypes()
    /// Messages for the script that wait until the current work is done.
    let batch: MessageBatch
    private var delivery = BatchDelivery()
    /// The innermost of the calls whose replies may arrive before the script's function returns.
    @exclusivity(unchecked) var innermostReply: UnsafeMutablePointer<AwaitedReply>?
    @exclusivity(unchecked) var notifications = 0
    /// The stream of the latest item; the items that it has sent wait here.
    var lastStream: (id: UInt64, stream: DirectStream)?
    /// The trace of the request that the script sends next.
    var nextTrace: BridgeTrace?
    private var lastShape: (type: ObjectIdentifier, shape: MessageShape)?

    init(session: BridgeSession, context: JSContext) throws {
        self.session = session
        unmanagedContext = Unmanaged.passUnretained(context)
        batch = MessageBatch(in: context)
        let internals = context.internals
        func give(_ name: String, _ body: @escaping (HostCall) throws -> Void) throws {
            let function = context.makeHostFunction { call in
                try body(call)
                return .undefined
            }
            try internals.setValue(function, forProperty: name)
        }
        try give("postRequest") { [unowned self] call in try self.receiveRequest(call) }
        try give("postResponse") { [unowned self] call in try self.receiveResponse(call) }
        try give("postStream") { [unowned self] call in self.enqueue(self.stream(call)) }
        try give("postControl") { [unowned self] call in
            self.handOverItems()
            // The control may end that stream.
            self.lastStream = nil
            self.enqueue(try self.control(call))
        }
        let introduce = context.makeHostFunction { [unowned self] call in
            .bool(self.introduceHandler(call.string(at: 0) ?? ""))
        }
        try internals.setValue(introduce, forProperty: "introduceHandler")
        let introduceTopic = context.makeHostFunction { [unowned self] call in
            .bool(self.introduceTopic(call.string(at: 0) ?? ""))
        }
        try internals.setValue(introduceTopic, forProperty: "introduceTopic")
        try give("listening") { [unowned session] call in
            session.addReferences(call.double(at: 0) < 0 ? -1 : 1)
        }
        try context.internals.setValue(context.makeMicrotaskFunction(), forProperty: "runMicrotasks")
        try installTraces(in: context)
        try installSynchronousRequests(in: context)
    }

    deinit {
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        _ = session.addresses.transport.compareExchange(
            expected: address,
            desired: 0,
            ordering: .acquiringAndReleasing
        )
        batch.drop()
    }

    func didInstall(in context: JSContext) throws {
        let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        session.addresses.transport.store(address, ordering: .releasing)
        script = try TransportFunctions(from: context.internals)
    }

    func receive() {}

    /// A Boolean value that indicates whether messages of the script wait until it returns.
    var hasArrivals: Bool { !inbox.isEmpty || (lastStream?.stream.hasItems ?? false) }

    // MARK: - To the script

    func dropUndelivered() {
        batch.drop()
        notifications = 0
        // Half of the last batch may still be in the script.
        delivery.dropAll()
    }

    func flush() -> Int {
        if delivery.dropsRest, let script {
            guard (try? context.call(script.dropBatch, with: [])) != nil else { return 0 }
            delivery.didDropRest()
        }
        guard batch.count > 0 || delivery.hasRest, let script else { return 0 }
        let count = batch.count
        if let last = delivery.begin() { session.noteDelivered(last) }
        notifications = 0
        if !delivery.calls.isEmpty { context.willEnterOrigin() }
        do {
            if count > 0 {
                if try batch.deliver(to: script.deliverBatch) { context.runMicrotasks() }
            } else {
                try context.call(script.deliverBatch, with: [])
                context.runMicrotasks()
            }
            delivery.finish()
        } catch let error as JSException where error.isTermination {
            // The undelivered rest of the batch waits in the script.
            if let id = delivery.keepRest(script.undeliveredRequests) { session.noteDelivered(id) }
            session.continueInAnotherTurn(of: context.turnOperation)
        } catch {
            session.logWarning("Messages could not be delivered. \(error)")
            for id in delivery.fail() {
                session.fail(.request(BridgeMessage.Request(handlerName: "", callbackID: id)), with: error)
            }
        }
        return count
    }

    func add(_ message: BridgeMessage, _ payload: MessagePayload?) -> Bool {
        guard delivery.isOpen else { return false }
        do {
            switch message {
            case .request(let request) where request.trace == nil:
                guard let id = request.callbackID else {
                    return try batch.append { writer in
                        writer.put(number: BatchKind.notification)
                        try writer.put(request.handlerName)
                        try writer.put(payload)
                    }
                }
                let type = replyType(of: payload)
                let isAdded = try batch.append { writer in
                    writer.put(number: BatchKind.request)
                    try writer.put(request.handlerName)
                    try writer.put(payload)
                    try writer.put(id)
                    writer.put(number: remainingTime(of: request))
                    writer.put(number: Double(Int(request.accepts.rawValue) | type << 8))
                }
                if isAdded { delivery.add(id) }
                return isAdded
            case .response(let response):
                guard case .payload = response.outcome else { return false }
                return try batch.append { writer in
                    writer.put(number: BatchKind.response)
                    try writer.put(response.responseID)
                    try writer.put(payload)
                }
            case .control(let control) where control.error == nil:
                return try batch.append { writer in
                    writer.put(number: BatchKind.control)
                    try writer.put(control.id)
                    try writer.put(payload)
                    writer.put(number: Double(control.kind.rawValue))
                    writer.put(number: Double(control.number))
                }
            case .request, .control: return false
            }
        } catch {
            fail(message, payload, error)
            return true
        }
    }

    func addReply(
        to entry: MessageInbox.Entry,
        of handler: ResolvedHandler,
        with result: UnsafeMutableRawPointer,
        isFree: Bool
    ) throws -> ReplyPlace {
        let isAdded =
            try isFree
            && batch.append { writer in
                writer.put(number: BatchKind.response)
                writer.put(number: Double(entry.number))
                guard let shape = handler.response.shape else { return writer.putUndefined() }
                try writer.put(result, as: shape)
            }
        return isAdded ? .batch : .message(handler.held(result))
    }

    private func remainingTime(of request: BridgeMessage.Request) -> Double {
        max(0, request.deadline.map { ($0 - session.timeOfSending).milliseconds } ?? 0)
    }

    /// Fails a message whose payload cannot be encoded.
    private func fail(_ message: BridgeMessage, _ payload: MessagePayload?, _ error: any Error) {
        let site = payload?.site
        session.fail(
            message,
            with: site.map { session.failure(error, ofHandlerAt: $0) } ?? error
        )
    }

    /// Returns how values of a type are encoded.
    @inline(__always)
    func shape(of type: Any.Type) -> MessageShape {
        let id = ObjectIdentifier(type)
        if let lastShape, lastShape.type == id { return lastShape.shape }
        let shape = context.messageShape(of: type)
        lastShape = (id, shape)
        return shape
    }

    /// Calls the script's function that receives a request, with one that is answered inline, or later.
    ///
    /// - Returns: Whether microtasks may be pending.
    func deliver(_ body: (MessageWriter) throws -> Void) throws -> Bool {
        guard let script else { return false }
        var failure: (any Error)?
        let mayWait = try withContext { try $0.call(script.deliverRequest, writing: body) { failure = $0 } }
        if let failure { throw failure }
        return mayWait
    }

    func send(_ message: BridgeMessage, _ payload: MessagePayload?) {
        guard let script else { return }
        let context = context
        let receiver =
            switch message {
            case .request: script.deliverRequest
            case .response: script.deliverResponse
            case .control: script.deliverControl
            }
        let replyType = replyType(of: payload)
        // An error that comes back from the script then includes the parts that the script did not see.
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
                onConversionError: { failure = $0 }
            )
            if let failure { fail(message, payload, failure) }
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
            try writer.put(request.handlerName)
            try writer.put(request.callbackID)
            writer.put(number: remainingTime(of: request))
            writer.put(number: Double(Int(request.accepts.rawValue) | replyType << 8))
            try writer.put(payload)
        case .control(let control):
            writer.put(number: Double(control.kind.rawValue))
            try writer.put(control.id)
            writer.put(number: Double(control.number))
            if let error = control.error { try writer.put(error.record) } else { try writer.put(payload) }
        case .response(let response):
            try writer.put(response.responseID)
            switch response.outcome {
            case .stream(let stream):
                writer.put(number: 2)
                try writer.put(stream)
            case .failure(let error):
                try writer.put(.bool(false))
                try writer.put(error.record)
            case .payload:
                try writer.put(.bool(true))
                try writer.put(payload)
            }
        }
    }

    /// Returns the number of the type as which a call's reply is decoded; 0 if it is read as data.
    private func replyType(of payload: MessagePayload?) -> Int {
        guard case .held(let held)? = payload, let reader = held.replyReader else { return 0 }
        return replyTypes[reader.typeID]?.number ?? makeReplyType(reader).number
    }

    /// Returns how replies are decoded as a type.
    @inline(__always)
    func replyType(for type: any Decodable.Type) -> ReplyType {
        let id = ObjectIdentifier(type)
        if let reply = replyTypes.last(ifOf: id) { return reply }
        let reply = replyTypes[id] ?? makeReplyType(PayloadReader(type))
        replyTypes.use(reply, of: id)
        return reply
    }

    private func makeReplyType(_ reader: PayloadReader) -> ReplyType {
        SecretMembers.shared.learn(reader.kind.subject)
        guard replyTypes.nextNumber != nil, let script else { return ReplyType(0, reader) }
        var number = 0
        do {
            let receiver = try reader.makeReceiver(in: context, isNested: false) {
                [unowned self] call, decode in
                try self.receiveReply(call, reader, decode) ? call.taken : call.refused
            }
            let items = try reader.makeReceiver(in: context, isNested: false) { [unowned self] call, decode in
                self.receiveItem(call, reader, decode) ? call.taken : call.refused
            }
            if let receiver, let items, let next = replyTypes.nextNumber {
                number = next
                let place = try JSValue(.integer(Int64(number)), in: context)
                try context.call(
                    script.addReplyReceiver,
                    with: [place, receiver.slot, receiver.box, items.box]
                )
            }
        } catch {
            // The turn was stopped; another one may register the type.
            return ReplyType(0, reader)
        }
        let reply = ReplyType(number, reader)
        replyTypes.add(reply)
        return reply
    }

    // MARK: - From the script

    /// Receives a reply of the script, decoded as the caller's type; returns false if it must be data.
    private func receiveReply(
        _ call: HostCall,
        _ reader: PayloadReader,
        _ decode: (UnsafeMutableRawPointer) throws -> Void
    ) throws -> Bool {
        if takeAwaited(call, decode) { return true }
        guard let id = MessageID(call, at: 0) else { return true }
        guard !session.mask.contains(anyOf: .shown) else { return false }
        try withContext { try $0.checkProcessorTime() }
        let response = BridgeMessage.Response(responseID: id, outcome: .payload(nil))
        enqueue(.message(.response(response), try reader.payload(decode)))
        return true
    }

    /// Receives `(start, text, buffers, responseId, ok, handle, isOfType)`: a reply of the script with its payload.
    ///
    /// Returns 1 for a reply that the caller decodes as a Swift type.
    private func receiveResponse(_ call: HostCall) throws {
        guard let id = MessageID(call, at: 3) else { return }
        let isResult = call.double(at: 4) != 0
        let payload = try call.takenValue(at: 0) { call.double(at: 6) == 1 }
        let error =
            isResult ? nil : BridgeError(record: payload, madeOf: call.handle(at: 5), in: call.context)
        if takeAwaited(id, error.map(Result.failure) ?? .success(payload)) { return }
        try call.context.checkProcessorTime()
        enqueue(response(to: id, error.map(Result.failure) ?? .success(payload)))
    }
}

/// The kind of a message in a batch.
enum BatchKind {
    static let response = 1.0
    static let notification = 2.0
    static let request = 3.0
    static let control = 4.0
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

extension MessageWriter {
    /// Adds an id in the form for scripts: a number for an id of Swift, a string for one of theirs, `undefined` for
    /// none.
    fileprivate func put(_ id: MessageID?) throws {
        switch id {
        case .text(let text): try put(text)
        case .number(let number): put(number: Double(number))
        case nil: putUndefined()
        }
    }

    /// Adds a payload, `undefined` if there is none.
    func put(_ payload: MessagePayload?) throws {
        switch payload {
        case .held(let held): try held.write(to: self)
        case .value(let value), .secret(let value): try put(value)
        case .text, .read, .unreadable: try put(payload?.value() ?? .undefined)
        case nil: putUndefined()
        }
    }
}

extension MessagePayload {
    /// The place where the handler of a result was registered, if encoding the result may fail.
    fileprivate var site: CallSite? {
        guard case .held(let memory) = self else { return nil }
        return memory.site
    }
}
