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
        try installSynchronousCalls(in: context)
    }

    func didInstall(in context: JSContext) throws {
        guard session.configuration.injectsScript, dialect.hasOneTextEntry else { return }
        takeQueue = JSHandle(try context.internals.forProperty("takeQueue"))
        takeMessage = JSHandle(try context.internals.forProperty("takeMessage"))
    }

    /// A Boolean value that indicates whether the script has messages that were not read.
    private var hasUnread: Bool { isSignalled || !arrived.isEmpty }

    func endTurn(of operation: ExecutionBudget?) {
        takeRest(of: operation)
        // A stopped script cannot be called. A page's own side knows nothing of operations.
        guard hasUnread, session.configuration.injectsScript else { return }
        context.hooks.turnPreparations.append { [unowned self] in
            inbox.stopped = .some(operation)
            receive()
            takeRest(of: operation)
            return !hasUnread
        }
    }

    func receive() {
        let context = context
        guard session.port == nil || isSignalled || !arrived.isEmpty, !session.crosses(.fetch) else { return }
        receiveArrived(context)
        while isSignalled, !context.isTerminating {
            isSignalled = false
            do {
                let fetched = try fetchQueue(in: context)
                guard !context.isOverProcessorTime() else {
                    // Another turn reads them: the script does not have them any more.
                    if !fetched.isUndefined { arrived.append(fetched) }
                    return
                }
                // If the queue comes back by a URL it has arrived already, or will.
                if !fetched.isUndefined || !dialect.signal.returnsByURL {
                    receive(fetched)
                }
            } catch let error as JSException where error.isTermination {
                // Another turn fetches them. A page's own script may never end, and signals with its next message.
                isSignalled = session.configuration.injectsScript
                return
            } catch {
                unfetched += 1
                // At 1, 2, 4, 8 and so on: one payload that cannot be encoded blocks the queue of a plain script
                // forever (P65).
                if unfetched.isWorthReporting {
                    let times = unfetched == 1 ? "" : " (\(unfetched) times so far)"
                    session.logWarning("The script's queue could not be fetched\(times). \(error)")
                }
            }
            receiveArrived(context)
        }
    }

    private func fetchQueue(in context: JSContext) throws -> JSValue {
        if let takeQueue { return try context.result(ofCalling: takeQueue) }
        return try context.globalObject.forProperty(dialect.globalName).invokeMethod("_fetchQueue")
    }

    func receiveArrived(_ context: JSContext) {
        guard !arrived.isEmpty, !context.isOverProcessorTime() else { return }
        while !arrived.isEmpty {
            let texts = arrived
            arrived = []
            for text in texts { receive(text) }
        }
    }

    func send(_ message: BridgeMessage, _ payload: MessagePayload?) {
        let context = context
        if !dialect.repliesToNative, case .request(let request) = message, request.callbackID != nil {
            let text = "\(dialect.name) has no replies to calls of the native side: notify, or emit an event."
            return session.fail(message, with: BridgeError(.unsupported, text))
        }
        let text: JSValue
        do {
            text = try units(of: message, payload).withUnsafeBufferPointer {
                JSValue(units: $0, in: context)
            }
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
    func isPeerThere() -> Bool {
        let context = context
        if session.configuration.injectsScript { return true }
        if dialect.api == .methods {
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
}
