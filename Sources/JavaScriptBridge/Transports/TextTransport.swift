internal import BridgeJSON
internal import BridgeProtocol
internal import Synchronization

/// A transport of messages in the wire format of WebViewJavascriptBridge, to any side of the protocol in the script.
///
/// Messages are never sent as source text: the entry function of WebViewJavascriptBridge is called with the message's
/// JSON as a value (R11).
final class TextTransport: EngineTransport {
    let session: BridgeSession
    let unmanagedContext: Unmanaged<JSContext>
    let inbox = MessageInbox()
    private let dialect: BridgeDialect
    private var isSignalled = false
    /// The number of failed fetches of the queue.
    private var unfetched = 0
    /// The messages that a page has delivered by itself, each the text of an array.
    private var arrived: [JSValue] = []
    /// A Boolean value that indicates whether a page whose dialect announces its listening has done so.
    private var isGreeted = false
    /// The functions of the package's own script, if that is the script's side.
    private var takeQueue: JSHandle?
    private(set) var takeMessage: JSHandle?
    /// Handlers by a hash of the name, and the names' text.
    var handlers: [(name: [UInt16], handler: ResolvedHandler)?]
    var knownRegistrations = 0
    /// The capabilities that the script announced last.
    var seen: (list: [UInt16], accepts: CallerCapabilities)?
    /// A Boolean value that indicates whether some ids were cancelled before they arrived.
    var checksIDs = false
    /// A Boolean value that indicates whether the inbox may have a cancellation: then requests wait as messages.
    var hasCancellation = false
    var batch = TextBatch()

    init(session: BridgeSession, context: JSContext) throws {
        self.session = session
        unmanagedContext = Unmanaged.passUnretained(context)
        handlers = Array(repeating: nil, count: Self.handlerSlots)
        dialect = session.configuration.dialect
        let signal = context.makeHostFunction { [unowned self] _ in
            self.isSignalled = true
            return .undefined
        }
        try context.internals.setValue(signal, forProperty: "signal")
        try context.internals.setValue(.bool(true), forProperty: "awaitsUse")
        // The signal of a page with a setup array: with the package's own script installed its callbacks run now.
        let injects = session.configuration.injectsScript
        let loaded = context.makeHostFunction { [unowned self] call in
            self.isGreeted = true
            if injects {
                try call.context.internals.invokeMethod("installBridge")
                self.session.scriptHasRun()
            }
            return .undefined
        }
        try context.internals.setValue(loaded, forProperty: "bridgeLoaded")
        let arrive = context.makeHostFunction { [unowned self] call in
            self.arrived.append(call.jsValue(at: 0))
            return .undefined
        }
        try context.internals.setValue(arrive, forProperty: "arrive")
        try session.installSynchronousCalls(in: context) { [unowned self] in
            self.receiveArrived(in: self.context)
            self.moveRest()
        }
    }

    func didInstall(in context: JSContext) throws {
        guard session.configuration.injectsScript, dialect.hasOneTextEntry else { return }
        takeQueue = JSHandle(try context.internals.forProperty("takeQueue"))
        takeMessage = JSHandle(try context.internals.forProperty("takeMessage"))
    }

    func receive(in context: JSContext) {
        guard session.port == nil || isSignalled || !arrived.isEmpty, !session.crosses(.fetch) else { return }
        receiveArrived(in: context)
        while isSignalled, !context.isTerminating {
            isSignalled = false
            do {
                let fetched = try fetchQueue(in: context)
                guard !context.isOverProcessorTime() else { return }
                // If the queue comes back by a URL it has arrived already, or will.
                if !fetched.isUndefined || !dialect.signal.returnsByURL {
                    receive(fetched)
                }
            } catch {
                unfetched += 1
                // At 1, 2, 4, 8 and so on: one payload that cannot be encoded blocks the queue of a plain script
                // forever (P65).
                if unfetched.isWorthReporting {
                    let times = unfetched == 1 ? "" : " (\(unfetched) times so far)"
                    session.logWarning("The script's queue could not be fetched\(times). \(error)")
                }
            }
            receiveArrived(in: context)
        }
    }

    private func fetchQueue(in context: JSContext) throws -> JSValue {
        if let takeQueue { return try context.result(ofCalling: takeQueue) }
        return try context.globalObject.forProperty(dialect.globalName).invokeMethod("_fetchQueue")
    }

    private func receiveArrived(in context: JSContext) {
        guard !arrived.isEmpty, !context.isOverProcessorTime() else { return }
        while !arrived.isEmpty {
            let texts = arrived
            arrived = []
            for text in texts { receive(text) }
        }
    }

    func send(_ message: BridgeMessage, _ payload: MessagePayload?, in context: JSContext) {
        if !dialect.repliesToNative, case .request(let request) = message, request.callbackID != nil {
            let text = "\(dialect.name) has no replies to calls of the native side: notify, or emit an event."
            return session.fail(message, with: BridgeError(.unsupported, text))
        }
        let text: JSValue
        do {
            text = try self.text(of: message, payload, in: context)
        } catch {
            return session.fail(message, with: error)
        }
        do {
            if let takeMessage { return try context.call(takeMessage, with: [text]) }
            guard dialect.hasOneTextEntry else {
                try context.internals.invokeMethod("deliver", withArguments: [text])
                return
            }
            let bridge = try context.globalObject.forProperty(dialect.globalName)
            try bridge.invokeMethod(dialect.entries[0].name, withArguments: [text])
        } catch let error as JSException where !error.isTermination {
            context.reportUncaught(error)
        } catch {
            session.fail(message, with: error)
        }
    }
}

extension TextTransport {
    func isPeerThere(in context: JSContext) -> Bool {
        if session.configuration.injectsScript { return true }
        if dialect.face == .methods {
            return isGreeted && (try? context.internals.invokeMethod("hasPeer").toBool()) ?? false
        }
        return (try? context.globalObject.forProperty(dialect.globalName).isObject) ?? false
            && isReady(in: context)
    }

    /// Returns whether the page's handlers are registered, which may happen after its side of the protocol is
    /// installed.
    private func isReady(in context: JSContext) -> Bool {
        if session.state.withLock({ $0.content.start.isDeclared }) { return true }
        return (try? context.internals.invokeMethod("isPageReady").toBool()) ?? true
    }

    /// Returns the message as text of the engine: a payload that is text already is inserted as it is.
    private func text(
        of message: BridgeMessage,
        _ payload: MessagePayload?,
        in context: JSContext
    ) throws -> JSValue {
        let (codec, now) = (session.codec, session.timeOfSending)
        switch try session.written(payload, for: message) {
        case .text(let text)?:
            let references = text.places?.references ?? []
            try session.references.export(references)
            let units: [UInt16]
            do {
                units = try codec.units(of: message, payload: text, now: now)
            } catch {
                session.references.takeBack(references)
                throw error
            }
            return units.withUnsafeBufferPointer { JSValue(units: $0, in: context) }
        default:
            return try JSValue(
                .string(try codec.text(of: message, payload: payload?.value(), now: now)),
                in: context
            )
        }
    }
}

extension TextTransport {
    /// Receives a message that was not decoded as the type of a handler.
    func receive(_ element: MessageCodec.Element) {
        switch element {
        case .message(var received):
            received.message.mapFrames(in: context)
            received.message.count(for: session.account(of: context.turnOperation))
            if received.isExtended { session.update(isInTurn: true) { $0.machine.peerShowedExtensions() } }
            session.note(received.shows)
            let payload = MessagePayload(received)
            if case .request(let request) = received.message, !received.awaitedResults.isEmpty,
                case .text(let text)? = payload
            {
                moveRest()
                return session.receive(request, text, awaiting: received.awaitedResults)
            }
            guard !session.crosses(received.message, { try payload?.value() }) else { return }
            // Before it may be denied: requests that refer to its result must receive the denial.
            if case .request(let request) = received.message { session.keepResult(of: request) }
            session.logTraffic(received.message, payload, isSent: false)
            guard session.admits(&received.message, size: { (try? payload?.value())?.payloadBytes ?? 0 })
            else {
                return
            }
            if case .control(let control) = received.message, control.kind == .cancel {
                hasCancellation = true
            }
            enqueue(.message(received.message, payload))
            guard let abandoned = received.abandonedStream else { return }
            moveRest()
            session.update(isInTurn: true) { $0.machine.refuseStream(abandoned) }
        case .refused(var request, let error):
            request.account = session.account(of: context.turnOperation)
            guard !session.crosses(.malformed(error.code.rawValue)) else { return }
            session.keepResult(of: request)
            session.logTraffic(.request(request), nil, isSent: false)
            enqueue(.refused(request, error))
        case .malformed(let error):
            guard !session.crosses(.malformed(error.code.rawValue)) else { return }
            session.update(isInTurn: true) { $0.machine.dropUnreadable(error) }
        }
    }
}

extension BridgeMessage {
    fileprivate mutating func mapFrames(in context: JSContext) {
        guard case .response(var response) = self, var error = response.outcome.error else { return }
        error.mapFrames(in: context)
        response.outcome = .failure(error)
        self = .response(response)
    }

    /// Records the budget for the work on it.
    fileprivate mutating func count(for account: WorkBudget?) {
        guard let account else { return }
        switch self {
        case .request(var request):
            request.account = account
            self = .request(request)
        case .response(var response):
            response.account = account
            self = .response(response)
        case .control: break
        }
    }

    /// Returns the message with the token of its payload.
    func carrying(_ token: PayloadToken?) -> BridgeMessage {
        switch self {
        case .request(var request):
            request.payload = token
            return .request(request)
        case .response(var response):
            if case .payload = response.outcome { response.outcome = .payload(token) }
            return .response(response)
        case .control(var control):
            control.payload = token
            return .control(control)
        }
    }
}
